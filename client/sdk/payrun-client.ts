import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { ResolvedAs } from '../../domain/payments/resolution.ts';
import type { RunReview } from '../../domain/runs/run-finding.ts';
import type {
  DecidedRun,
  FileSummary,
  RowPlace,
  RowSummary,
  RunSummary,
  SubmitReceipt,
} from '../../application/application-api.ts';
import type { ReleaseRequest, ReleasedRow, RowDetail } from '../../application/runs/row-detail.ts';
import type { AuditEntrySummary, AuditReport } from '../../application/audit/audit-api.ts';
import type { CallerOptions, HttpCaller } from './http-caller.ts';
import { httpCaller, jsonOf, unreachable } from './http-caller.ts';
import type { RunToSubmit } from './submission.ts';
import { submissionForm } from './submission.ts';
import { type StopCalls, stopCalls } from './stop-calls.ts';
import { type Ask, type UserCalls, userCalls } from './user-calls.ts';
import type { WatchOptions } from './watch-run.ts';
import { watchRun } from './watch-run.ts';

export interface ClientOptions extends CallerOptions {
  /** How long an ordinary answer may take. Default 30 s; a submission, which is checked row by row, has 10 minutes. */
  timeoutMs?: number;
}

export interface DecisionToSend {
  comment?: string | null;
  /** The content hash of the proposal that was seen: a run that has changed since is refused with `conflict`. */
  contentHash: string;
}

export interface ResolutionToPropose {
  as: ResolvedAs;
  /** Which of the provider's payments is meant, where that is known. */
  providerPaymentId?: string | null;
  reason: string;
}

export interface Health {
  status: 'ok' | 'failing';
  version: string;
  services: Record<string, 'ok' | 'failing'>;
}

export interface RunPage {
  runs: RunSummary[];
  next: string | null;
}

/** payrun over HTTP. Every method throws PayrunApiError when it is refused, PayrunUnreachableError without an answer. */
export interface PayrunClient extends UserCalls, StopCalls {
  /** Throws FileRefusedError with the problems of the file. Never repeat it blindly: look at `listRuns` first. */
  submitRun(run: RunToSubmit): Promise<SubmitReceipt>;
  /** The newest first. `next` is `before` of the next page; null: this is the last. */
  listRuns(page?: { limit?: number; before?: string | null }): Promise<RunPage>;
  getRun(runId: string): Promise<RunSummary>;
  /** All rows in input order, fetched page by page as they are taken. */
  listRows(runId: string, filter?: { state?: PaymentState | null }): AsyncIterable<RowSummary>;
  /** One row, with the evidence of what became of it. */
  getRow(runId: string, rowRef: string): Promise<RowDetail>;
  /**
   * Lets a suspected duplicate be paid with its run, which needs all its approvals again. `similarHash` is that of
   * `similar` in the row that was seen: throws `conflict` when other rows have come since.
   */
  releaseRow(row: RowPlace, release: ReleaseRequest): Promise<ReleasedRow>;
  /** Proposes how an unknown row ended; a second person confirms it. */
  proposeResolution(row: RowPlace, proposal: ResolutionToPropose): Promise<RowDetail>;
  /** Throws `conflict` when the provider, who is asked first, says otherwise. */
  confirmResolution(row: RowPlace, seen: { resolutionId: string }): Promise<RowDetail>;
  denyResolution(row: RowPlace, denial: { resolutionId: string; reason?: string | null }): Promise<RowDetail>;
  /** What stands out in the rows that a run would pay. Throws `conflict` while the run is still being checked. */
  getReview(runId: string): Promise<RunReview>;
  /** The supporting files of a run, by name. */
  listFiles(runId: string): Promise<FileSummary[]>;
  /** The content of one of them. A stream that breaks throws: what came so far is then not the whole file. */
  getFile(runId: string, name: string): AsyncIterable<Uint8Array>;
  approveRun(runId: string, decision: DecisionToSend): Promise<DecidedRun>;
  rejectRun(runId: string, decision: DecisionToSend & { comment: string }): Promise<DecidedRun>;
  /** Takes back a run of one's own that nobody has decided on. */
  withdrawRun(runId: string, reason?: string | null): Promise<RunSummary>;
  /** `results.csv`, piece by piece. A stream that breaks throws: the pieces so far are then not the whole file. */
  results(runId: string): AsyncIterable<string>;
  /** `exceptions.csv`, piece by piece. */
  exceptions(runId: string): AsyncIterable<string>;
  /** What happened to a run, in the order of the facts, fetched page by page as it is taken. */
  listAudit(runId: string, filter?: { rowRef?: string | null }): AsyncIterable<AuditEntrySummary>;
  /** What belongs to no run: users, tokens, policy, sign-ins, stops. `from`: ISO 8601. */
  listGlobalAudit(filter?: { kind?: string | null; from?: string | null }): AsyncIterable<AuditEntrySummary>;
  /** Takes away what a person wrote; its hash stays in the audit trail. */
  eraseRemark(remarkId: string): Promise<void>;
  /** Recomputes the whole audit trail on the server. `head`: `POSITION:HASH` as noted earlier. */
  verifyAudit(head?: string | null): Promise<AuditReport>;
  /** The run at once, then whenever it has changed, until it has ended. */
  watchRun(runId: string, options?: WatchOptions): AsyncIterable<RunSummary>;
  /** Answers while services fail, too: look at `status`. */
  health(): Promise<Health>;
}

const TIMEOUT_MS = 30_000;
const SUBMIT_TIMEOUT_MS = 600_000;
const VERIFY_TIMEOUT_MS = 3_600_000;
/** Of a run with very many rows it takes a while. */
const REVIEW_TIMEOUT_MS = 300_000;
const ROWS_PAGE = 500;

/** A client of one payrun server. Throws TypeError for an address that is none, or unencrypted beyond this machine. */
export function createPayrunClient(options: ClientOptions): PayrunClient {
  const call = httpCaller(options);
  const ask = asker(call, options);
  return {
    submitRun: async (run) => {
      const body = submissionForm(run);
      const headers: Record<string, string> =
        run.idempotencyKey === undefined ? {} : { 'idempotency-key': run.idempotencyKey };
      return (await ask({ method: 'POST', path: '/runs', headers, body }, SUBMIT_TIMEOUT_MS)) as SubmitReceipt;
    },
    listRuns: async (page = {}) => (await ask({ path: '/runs', query: page })) as RunPage,
    getRun: async (runId) => (await ask({ path: runPath(runId) })) as RunSummary,
    listRows: (runId, filter = {}) => allRows(ask, runId, filter.state ?? null),
    getRow: async (runId, rowRef) => (await ask({ path: rowPath({ runId, rowRef }) })) as RowDetail,
    releaseRow: async (row, body) =>
      (await ask({ method: 'POST', path: `${rowPath(row)}/release`, body })) as ReleasedRow,
    ...resolutionCalls(ask),
    getReview: async (runId) => (await ask({ path: `${runPath(runId)}/review` }, REVIEW_TIMEOUT_MS)) as RunReview,
    listFiles: async (runId) => ((await ask({ path: `${runPath(runId)}/files` })) as { files: FileSummary[] }).files,
    getFile: (runId, name) => bytesOf(call, options.url, `${runPath(runId)}/files/${encodeURIComponent(name)}`),
    approveRun: async (runId, body) =>
      (await ask({ method: 'POST', path: `${runPath(runId)}/approve`, body })) as DecidedRun,
    rejectRun: async (runId, body) =>
      (await ask({ method: 'POST', path: `${runPath(runId)}/reject`, body })) as DecidedRun,
    withdrawRun: async (runId, reason = null) =>
      (await ask({ method: 'POST', path: `${runPath(runId)}/withdraw`, body: { reason } })) as RunSummary,
    results: (runId) => textOf(call, options.url, `${runPath(runId)}/results.csv`),
    exceptions: (runId) => textOf(call, options.url, `${runPath(runId)}/exceptions.csv`),
    listAudit: (runId, filter = {}) => allEntries(ask, `${runPath(runId)}/audit`, { rowRef: filter.rowRef ?? null }),
    listGlobalAudit: (filter = {}) => allEntries(ask, '/audit', filter),
    eraseRemark: async (remarkId) => {
      await ask({ method: 'DELETE', path: `/remarks/${encodeURIComponent(remarkId)}` });
    },
    verifyAudit: async (head = null) =>
      (await ask({ path: '/audit/verification', query: { head } }, VERIFY_TIMEOUT_MS)) as AuditReport,
    watchRun: (runId, watching) => watchRun(call, options.url, runId, watching),
    health: async () => (await ask({ path: '/health', alsoFine: [503] })) as Health,
    ...userCalls(ask),
    ...stopCalls(ask),
  };
}

/** Sends a call and reads its JSON, both within the time it has. */
function asker(call: HttpCaller, { url, timeoutMs: usualMs = TIMEOUT_MS }: ClientOptions): Ask {
  return async (request, timeoutMs = usualMs) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await call({ ...request, signal });
    return response.status === 204 ? null : unreachable(url, signal, () => jsonOf(response));
  };
}

function resolutionCalls(ask: Ask): Pick<PayrunClient, 'proposeResolution' | 'confirmResolution' | 'denyResolution'> {
  const post = async (row: RowPlace, verb: string, body: object): Promise<RowDetail> =>
    (await ask({ method: 'POST', path: `${rowPath(row)}/resolution${verb}`, body })) as RowDetail;
  return {
    proposeResolution: (row, proposal) => post(row, '', proposal),
    confirmResolution: (row, seen) => post(row, '/confirm', seen),
    denyResolution: (row, denial) => post(row, '/deny', denial),
  };
}

async function* allRows(ask: Ask, runId: string, state: PaymentState | null): AsyncGenerator<RowSummary> {
  let afterLine: number | null = 0;
  while (afterLine !== null) {
    const query = { limit: ROWS_PAGE, afterLine, state };
    // Marks are worked out for the first page of a run.
    const page = (await ask({ path: `${runPath(runId)}/rows`, query }, REVIEW_TIMEOUT_MS)) as RowPage;
    yield* page.rows;
    afterLine = page.nextAfterLine;
  }
}

async function* allEntries(
  ask: Ask,
  path: string,
  filter: Readonly<Record<string, string | null>>,
): AsyncGenerator<AuditEntrySummary> {
  let afterEntry: number | null = 0;
  while (afterEntry !== null) {
    const page = (await ask({ path, query: { limit: ROWS_PAGE, afterEntry, ...filter } })) as AuditPage;
    yield* page.entries;
    afterEntry = page.nextAfterEntry;
  }
}

async function* textOf(call: HttpCaller, url: string, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of bytesOf(call, url, path, 'text/csv')) yield decoder.decode(piece, { stream: true });
}

async function* bytesOf(call: HttpCaller, url: string, path: string, accept = '*/*'): AsyncGenerator<Uint8Array> {
  const { body } = await call({ path, accept });
  if (body === null) return;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await unreachable(url, undefined, () => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

interface AuditPage {
  entries: AuditEntrySummary[];
  nextAfterEntry: number | null;
}

interface RowPage {
  rows: RowSummary[];
  nextAfterLine: number | null;
}

function runPath(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`;
}

function rowPath({ runId, rowRef }: RowPlace): string {
  return `${runPath(runId)}/rows/${encodeURIComponent(rowRef)}`;
}
