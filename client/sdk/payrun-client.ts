import { type AuditEntrySummary, auditPageSchema, type AuditReport, auditReportSchema } from '../../api/audit/audit.ts';
import { type Health, healthSchema } from '../../api/health.ts';
import type { CaseDetail } from '../../api/onboarding/case-detail.ts';
import type { CaseState } from '../../api/onboarding/case.ts';
import type { Confirmation, DenialRequest, ResolutionRequest } from '../../api/payments/resolution.ts';
import { type ReleasedRow, releasedRowSchema, type ReleaseRequest } from '../../api/runs/release.ts';
import { type RunReview, reviewSchema } from '../../api/runs/review.ts';
import { type RowDetail, rowDetailSchema } from '../../api/runs/row-detail.ts';
import { type PaymentState, type RowKey, rowPageSchema, type RowSummary } from '../../api/runs/row.ts';
import { type RunDetail, runDetailSchema, type RunPage, runPageSchema, type RunSummary } from '../../api/runs/run.ts';
import { type AcceptedSubmission, acceptedSubmissionSchema } from '../../api/runs/submission.ts';
import { fileListSchema, type FileSummary } from '../../api/runs/supporting-file.ts';
import type { CallerOptions } from './http-caller.ts';
import { httpCaller } from './http-caller.ts';
import { type JsonCaller, jsonCaller, NO_CONTENT } from './json-caller.ts';
import { type NotificationCalls, notificationCalls } from './notification-calls.ts';
import { type SessionCalls, sessionCalls } from './session-calls.ts';
import { type DraftCalls, draftCalls } from './draft-calls.ts';
import { type EndpointCalls, endpointCalls } from './endpoint-calls.ts';
import { type InboxCalls, inboxCalls, type RunListPage } from './inbox-calls.ts';
import { bytesOf, textOf } from './file-pieces.ts';
import { type PagedCalls, pagedCalls } from './paged-calls.ts';
import type { RunToSubmit } from './submission.ts';
import { submissionForm } from './submission.ts';
import { type UserCalls, userCalls } from './user-calls.ts';
import { type CaseWatchOptions, watchCases } from './watch-cases.ts';
import type { WatchOptions } from './watch-run.ts';
import { watchRun } from './watch-run.ts';

export interface ClientOptions extends CallerOptions {
  /** How long an ordinary answer may take. Default 30 s; a submission, which is checked row by row, has 10 minutes. */
  timeoutMs?: number;
}

interface GlobalAuditFilter {
  kind?: string | null;
  from?: string | null;
  to?: string | null;
  userId?: string | null;
  order?: 'oldest' | 'newest';
}

/**
 * payrun over HTTP. Every method throws PayrunApiError when the server refuses, PayrunUnreachableError without an
 * answer, and AnswerMismatchError when the server is of another version and answers in another shape.
 */
export interface PayrunClient
  extends EndpointCalls,
    PagedCalls,
    UserCalls,
    SessionCalls,
    NotificationCalls,
    InboxCalls,
    DraftCalls {
  /** Throws FileRefusedError with the problems of the file. Never repeat it blindly: look at `listRuns` first. */
  submitRun(run: RunToSubmit): Promise<AcceptedSubmission>;
  /** The newest first unless another order is asked for. `next` is `before` of the next page; null: this is the last. */
  listRuns(page?: RunListPage): Promise<RunPage>;
  /** With what the user of the token may do with it. */
  getRun(runId: string): Promise<RunDetail>;
  /** All rows in input order; pages are fetched as the rows are read. */
  listRows(runId: string, filter?: { state?: PaymentState | null }): AsyncIterable<RowSummary>;
  /** One row, with the evidence of what became of it. */
  getRow(runId: string, rowRef: string): Promise<RowDetail>;
  /**
   * Lets a suspected duplicate be paid with its run, which needs all its approvals again. `similarHash` is that of
   * `similar` in the row that was seen: throws `conflict` when other similar rows exist by now.
   */
  releaseRow(row: RowKey, release: ReleaseRequest): Promise<ReleasedRow>;
  /** Proposes how an unknown row ended; a second person confirms it. */
  proposeResolution(row: RowKey, proposal: ResolutionRequest): Promise<RowDetail>;
  /** The server asks the provider first: throws `conflict` when the provider says otherwise. */
  confirmResolution(row: RowKey, seen: Confirmation): Promise<RowDetail>;
  denyResolution(row: RowKey, denial: DenialRequest): Promise<RowDetail>;
  /** What stands out in the rows that a run would pay. Throws `conflict` while the run is still being checked. */
  getReview(runId: string): Promise<RunReview>;
  /** The supporting files of a run, by name. */
  listFiles(runId: string): Promise<FileSummary[]>;
  /** The content of one of them. A stream that breaks throws: the bytes so far are then not the whole file. */
  getFile(runId: string, name: string): AsyncIterable<Uint8Array>;
  /** `results.csv`, piece by piece. A stream that breaks throws: the pieces so far are then not the whole file. */
  results(runId: string): AsyncIterable<string>;
  /** `exceptions.csv`, piece by piece. */
  exceptions(runId: string): AsyncIterable<string>;
  /** What happened to a run, in order; pages are fetched as the entries are read. `by`: only what people did. */
  listAudit(runId: string, filter?: { rowRef?: string | null; by?: 'people' | null }): AsyncIterable<AuditEntrySummary>;
  /**
   * Entries that belong to no run: users, tokens, policy, sign-ins, stops; the oldest first unless `order` says otherwise. `from`,
   * `to`: a day or a time, ISO 8601; `userId`: only what this user did.
   */
  listGlobalAudit(filter?: GlobalAuditFilter): AsyncIterable<AuditEntrySummary>;
  /** Erases what a person wrote; its hash stays in the audit trail. */
  eraseRemark(remarkId: string): Promise<void>;
  /** Recomputes the whole audit trail on the server. `head`: `POSITION:HASH` as noted earlier. */
  verifyAudit(head?: string | null): Promise<AuditReport>;
  /** The run at once, then whenever it has changed, until it has ended. */
  watchRun(runId: string, options?: WatchOptions): AsyncIterable<RunSummary>;
  /** Each case at once, then whenever its state has changed, until all are done. Without personal data. */
  watchCases(
    caseIds: readonly string[],
    isDone: (state: CaseState) => boolean,
    options?: CaseWatchOptions,
  ): AsyncIterable<CaseDetail>;
  /** Answers also while services fail: look at `status`. */
  health(): Promise<Health>;
}

const TIMEOUT_MS = 30_000;
const SUBMIT_TIMEOUT_MS = 600_000;
const VERIFY_TIMEOUT_MS = 3_600_000;
/** The review of a run with very many rows takes a while. */
const REVIEW_TIMEOUT_MS = 300_000;
const PAGE_SIZE = 500;

/** A client of one payrun server. Throws TypeError for an invalid address, or an unencrypted one of another machine. */
export function createPayrunClient(options: ClientOptions): PayrunClient {
  const { url, timeoutMs = TIMEOUT_MS } = options;
  const http = httpCaller(options);
  const call = jsonCaller(http, url, timeoutMs);
  const calls = endpointCalls(http, call, url);
  return {
    ...calls,
    ...pagedCalls(calls),
    ...runCalls(call),
    ...rowCalls(call),
    ...auditCalls(call),
    getFile: (runId, name) => bytesOf(http, url, { path: `${runPath(runId)}/files/${encodeURIComponent(name)}` }),
    results: (runId) => textOf(http, url, { path: `${runPath(runId)}/results.csv` }),
    exceptions: (runId) => textOf(http, url, { path: `${runPath(runId)}/exceptions.csv` }),
    watchRun: (runId, watching) => watchRun(http, url, runId, watching),
    health: () => call(healthSchema, { path: '/health', alsoExpected: [503] }),
    ...userCalls(call),
    ...sessionCalls(call),
    ...notificationCalls(call),
    ...inboxCalls(call, http),
    ...draftCalls(call, SUBMIT_TIMEOUT_MS),
    watchCases: (caseIds, isDone, watching) =>
      watchCases((caseId) => calls.getCase({ caseId, values: false }), caseIds, isDone, watching),
  };
}

function runCalls(
  call: JsonCaller,
): Pick<PayrunClient, 'submitRun' | 'listRuns' | 'getRun' | 'getReview' | 'listFiles'> {
  return {
    submitRun: (run) => {
      const body = submissionForm(run);
      const headers: Record<string, string> =
        run.idempotencyKey === undefined ? {} : { 'idempotency-key': run.idempotencyKey };
      return call(acceptedSubmissionSchema, { method: 'POST', path: '/runs', headers, body }, SUBMIT_TIMEOUT_MS);
    },
    listRuns: ({ state, ...page } = {}) =>
      call(runPageSchema, { path: '/runs', query: { ...page, state: state?.join(',') ?? null } }),
    getRun: (runId) => call(runDetailSchema, { path: runPath(runId) }),
    getReview: (runId) => call(reviewSchema, { path: `${runPath(runId)}/review` }, REVIEW_TIMEOUT_MS),
    listFiles: async (runId) => (await call(fileListSchema, { path: `${runPath(runId)}/files` })).files,
  };
}

type RowCalls = 'listRows' | 'getRow' | 'releaseRow' | 'proposeResolution' | 'confirmResolution' | 'denyResolution';

function rowCalls(call: JsonCaller): Pick<PayrunClient, RowCalls> {
  const resolve = (row: RowKey, verb: string, body: object): Promise<RowDetail> =>
    call(rowDetailSchema, { method: 'POST', path: `${rowPath(row)}/resolution${verb}`, body });
  return {
    listRows: (runId, filter = {}) => allRows(call, runId, filter.state ?? null),
    getRow: (runId, rowRef) => call(rowDetailSchema, { path: rowPath({ runId, rowRef }) }),
    releaseRow: (row, body) => call(releasedRowSchema, { method: 'POST', path: `${rowPath(row)}/release`, body }),
    proposeResolution: (row, proposal) => resolve(row, '', proposal),
    confirmResolution: (row, seen) => resolve(row, '/confirm', seen),
    denyResolution: (row, denial) => resolve(row, '/deny', denial),
  };
}

function auditCalls(
  call: JsonCaller,
): Pick<PayrunClient, 'listAudit' | 'listGlobalAudit' | 'eraseRemark' | 'verifyAudit'> {
  return {
    listAudit: (runId, { rowRef = null, by = null } = {}) =>
      allEntries(call, `${runPath(runId)}/audit`, { rowRef, by }),
    listGlobalAudit: (filter = {}) => allEntries(call, '/audit', { ...filter }),
    eraseRemark: async (remarkId) => {
      await call(NO_CONTENT, { method: 'DELETE', path: `/remarks/${encodeURIComponent(remarkId)}` });
    },
    verifyAudit: (head = null) =>
      call(auditReportSchema, { path: '/audit/verification', query: { head } }, VERIFY_TIMEOUT_MS),
  };
}

async function* allRows(call: JsonCaller, runId: string, state: PaymentState | null): AsyncGenerator<RowSummary> {
  let afterLine: number | null = 0;
  while (afterLine !== null) {
    const query: Record<string, string | number | null> = { limit: PAGE_SIZE, afterLine, state };
    // The first page waits for the review, which marks the rows.
    const { rows, nextAfterLine } = await call(
      rowPageSchema,
      { path: `${runPath(runId)}/rows`, query },
      REVIEW_TIMEOUT_MS,
    );
    yield* rows;
    afterLine = nextAfterLine;
  }
}

async function* allEntries(
  call: JsonCaller,
  path: string,
  filter: Readonly<Record<string, string | null>>,
): AsyncGenerator<AuditEntrySummary> {
  let afterEntry: number | null = 0;
  while (afterEntry !== null) {
    const query: Record<string, string | number | null> = { limit: PAGE_SIZE, afterEntry, ...filter };
    const { entries, nextAfterEntry } = await call(auditPageSchema, { path, query });
    yield* entries;
    afterEntry = nextAfterEntry;
  }
}

function runPath(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`;
}

function rowPath({ runId, rowRef }: RowKey): string {
  return `${runPath(runId)}/rows/${encodeURIComponent(rowRef)}`;
}
