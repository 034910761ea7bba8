import { type AuditEntrySummary, auditPageSchema } from '../../api/audit/audit.ts';
import { type Health, healthSchema } from '../../api/health.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import type { CallerOptions } from './http-caller.ts';
import { httpCaller } from './http-caller.ts';
import { type JsonCaller, jsonCaller } from './json-caller.ts';
import { type OnboardingCalls, onboardingCalls } from './onboarding-calls.ts';
import { type EndpointCalls, endpointCalls } from './endpoint-calls.ts';
import { bytesOf } from './file-pieces.ts';
import { type PagedCalls, pagedCalls } from './paged-calls.ts';
import { type Uploads, uploads } from './submission.ts';
import { type ReceivedEvent, type StreamOptions, topicStream } from './topic-stream.ts';
import type { WatchOptions } from './watch-run.ts';
import { watchRun } from './watch-run.ts';

export interface ClientOptions extends CallerOptions {
  /** How long an ordinary answer may take. Default 30 s; a submission, which is checked row by row, has 10 minutes. */
  timeoutMs?: number;
}

/**
 * payrun over HTTP. Every method throws PayrunApiError when the server refuses, PayrunUnreachableError without an
 * answer, and AnswerMismatchError when the server is of another version and answers in another shape.
 */
export interface PayrunClient extends Omit<EndpointCalls, keyof Uploads>, Uploads, PagedCalls, OnboardingCalls {
  /** The run at once, then whenever it has changed, until it has ended. */
  watchRun(run: { runId: string }, options?: WatchOptions): AsyncIterable<RunSummary>;
  /**
   * What is watched (`inbox`, `runs`, `run:ID`, `order:ID`, `case:ID`), as it changes, until the connection ends: connect
   * again with the `id` of the last event, and what has not changed since is not sent again.
   */
  stream(topics: readonly string[], options?: StreamOptions): AsyncIterable<ReceivedEvent>;
  /** Answers also while services fail: look at `status`. */
  health(): Promise<Health>;
}

const TIMEOUT_MS = 30_000;
const SUBMIT_TIMEOUT_MS = 600_000;
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
    stream: (topics, streaming) => topicStream(http, topics, streaming),
    watchRun: ({ runId }, watching) => watchRun(http, url, runId, watching),
    health: () => call(healthSchema, { path: '/health', alsoExpected: [503] }),
    ...onboardingCalls(call, {
      bytesAt: (path) => bytesOf(http, url, { path }),
      entriesAt: (path) => allEntries(call, path),
      submitTimeoutMs: SUBMIT_TIMEOUT_MS,
    }),
  };
}

async function* allEntries(call: JsonCaller, path: string): AsyncGenerator<AuditEntrySummary> {
  let afterEntry: number | null = 0;
  while (afterEntry !== null) {
    const query: Record<string, number> = { limit: PAGE_SIZE, afterEntry };
    const { entries, nextAfterEntry } = await call(auditPageSchema, { path, query });
    yield* entries;
    afterEntry = nextAfterEntry;
  }
}
