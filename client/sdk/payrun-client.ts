import { type AuditEntrySummary, auditPageSchema, type AuditReport, auditReportSchema } from '../../api/audit/audit.ts';
import { type Health, healthSchema } from '../../api/health.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import type { CallerOptions } from './http-caller.ts';
import { httpCaller } from './http-caller.ts';
import { type JsonCaller, jsonCaller, NO_CONTENT } from './json-caller.ts';
import { type NotificationCalls, notificationCalls } from './notification-calls.ts';
import { type ReconciliationCalls, reconciliationCalls } from './reconciliation-calls.ts';
import { type OnboardingCalls, onboardingCalls } from './onboarding-calls.ts';
import { type SessionCalls, sessionCalls } from './session-calls.ts';
import { type EndpointCalls, endpointCalls } from './endpoint-calls.ts';
import { type InboxCalls, inboxCalls } from './inbox-calls.ts';
import { bytesOf, textOf } from './file-pieces.ts';
import { type ScheduleCalls, scheduleCalls } from './schedule-calls.ts';
import { type PagedCalls, pagedCalls } from './paged-calls.ts';
import { type TreasuryCalls, treasuryCalls } from './treasury-calls.ts';
import { type Uploads, uploads } from './submission.ts';
import { type UserCalls, userCalls } from './user-calls.ts';
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
  extends Omit<EndpointCalls, keyof Uploads>,
    Uploads,
    PagedCalls,
    UserCalls,
    SessionCalls,
    OnboardingCalls,
    TreasuryCalls,
    NotificationCalls,
    ReconciliationCalls,
    ScheduleCalls,
    InboxCalls {
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
  watchRun(run: { runId: string }, options?: WatchOptions): AsyncIterable<RunSummary>;
  /** Answers also while services fail: look at `status`. */
  health(): Promise<Health>;
}

const TIMEOUT_MS = 30_000;
const SUBMIT_TIMEOUT_MS = 600_000;
const VERIFY_TIMEOUT_MS = 3_600_000;
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
    ...uploads(calls),
    ...auditCalls(call),
    watchRun: ({ runId }, watching) => watchRun(http, url, runId, watching),
    health: () => call(healthSchema, { path: '/health', alsoExpected: [503] }),
    ...userCalls(call),
    ...sessionCalls(call),
    ...treasuryCalls(call),
    ...notificationCalls(call),
    ...inboxCalls(call, http),
    ...reconciliationCalls(call, (path) => textOf(http, url, { path })),
    ...scheduleCalls(call),
    ...onboardingCalls(call, {
      bytesAt: (path) => bytesOf(http, url, { path }),
      entriesAt: (path) => allEntries(call, path, {}),
      submitTimeoutMs: SUBMIT_TIMEOUT_MS,
    }),
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
