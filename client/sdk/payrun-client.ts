import type { CaseDetail } from '../../api/onboarding/case-detail.ts';
import type { CaseState } from '../../api/onboarding/case.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import type { CallerOptions } from './http-caller.ts';
import { httpCaller } from './http-caller.ts';
import { type EndpointCalls, endpointCalls } from './endpoint-calls.ts';
import { type PagedCalls, pagedCalls } from './paged-calls.ts';
import { type Uploads, uploads } from './uploads.ts';
import { type ReceivedEvent, type StreamOptions, topicStream } from './topic-stream.ts';
import { type CaseWatchOptions, watchCases } from './watch-cases.ts';
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
export interface PayrunClient extends Omit<EndpointCalls, keyof Uploads>, Uploads, PagedCalls {
  /** The run at once, then whenever it has changed, until it has ended. */
  watchRun(run: { runId: string }, options?: WatchOptions): AsyncIterable<RunSummary>;
  /**
   * What is watched (`inbox`, `runs`, `run:ID`, `order:ID`, `case:ID`), as it changes, until the connection ends: connect
   * again with the `id` of the last event, and what has not changed since is not sent again.
   */
  stream(topics: readonly string[], options?: StreamOptions): AsyncIterable<ReceivedEvent>;
  /** Each case at once, then whenever its state has changed, until all are done. Without personal data. */
  watchCases(
    caseIds: readonly string[],
    isDone: (state: CaseState) => boolean,
    options?: CaseWatchOptions,
  ): AsyncIterable<CaseDetail>;
}

const TIMEOUT_MS = 30_000;

/** A client of one payrun server. Throws TypeError for an invalid address, or an unencrypted one of another machine. */
export function createPayrunClient(options: ClientOptions): PayrunClient {
  const { url, timeoutMs = TIMEOUT_MS } = options;
  const http = httpCaller(options);
  const calls = endpointCalls(http, url, timeoutMs);
  return {
    ...calls,
    ...pagedCalls(calls),
    ...uploads(calls),
    stream: (topics, streaming) => topicStream(http, topics, streaming),
    watchRun: ({ runId }, watching) => watchRun(http, url, runId, watching),
    watchCases: (caseIds, isDone, watching) =>
      watchCases((caseId) => calls.getCase({ caseId, values: false }), caseIds, isDone, watching),
  };
}
