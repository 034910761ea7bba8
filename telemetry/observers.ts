import type { RequestObserver } from '../provider/calls/request-observer.ts';
import type { RateLimiterObserver } from '../provider/rate-limiter/rate-limiter-observer.ts';
import type { Database } from '../store/database/database.ts';
import type { QueryObserver } from '../store/database/observed-client.ts';
import type { Metrics } from './metrics.ts';
import { querySpan, requestSpan } from './spans.ts';

/** Milliseconds on a clock that only goes forward. */
const nowMs = (): number => performance.now();

const secondsSince = (beganMs: number): number => (nowMs() - beganMs) / 1_000;

/** Measures and traces the requests of an account. */
export function requestObserver(metrics: Metrics, account: string): RequestObserver {
  const name = 'payrun_provider_request_duration_seconds';
  return {
    begin: (operation) => {
      const beganMs = nowMs();
      const endSpan = requestSpan(account, operation);
      return ({ outcome, httpStatus }) => {
        metrics.observe(name, { account, operation, outcome }, secondsSince(beganMs));
        endSpan(outcome, httpStatus);
      };
    },
    notSent: (operation) => metrics.observe(name, { account, operation, outcome: 'not_sent' }, 0),
  };
}

export function rateLimiterObserver(metrics: Metrics, account: string): RateLimiterObserver {
  metrics.set('payrun_rate_limiter_waiting', { account }, 0);
  return {
    waiting: (requests) => metrics.set('payrun_rate_limiter_waiting', { account }, requests),
    admitted: (waitedMs) => metrics.observe('payrun_rate_limiter_wait_seconds', { account }, waitedMs / 1_000),
    refused: (result) => metrics.add('payrun_rate_limiter_refusals_total', { account, result }),
    paused: () => metrics.add('payrun_rate_limiter_pauses_total', { account }),
  };
}

/** Measures and traces the statements of a process. */
export function queryObserver(metrics: Metrics): QueryObserver {
  return {
    begin: ({ verb, table }) => {
      const beganMs = nowMs();
      const endSpan = querySpan(verb, table);
      return (error) => {
        metrics.observe('payrun_database_query_duration_seconds', { statement: verb }, secondsSince(beganMs));
        const sqlstate = error === null ? null : sqlstateOf(error);
        if (sqlstate !== null) metrics.add('payrun_database_query_failures_total', { sqlstate });
        endSpan(sqlstate);
      };
    },
  };
}

/** The class of the error: two characters, of which Postgres has about forty. */
function sqlstateOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : 'none';
}

/** Shows the connections of a pool at every scrape. */
export function addPoolMetrics(metrics: Metrics, database: Database): void {
  metrics.beforeEach(() => {
    const { totalCount, idleCount, waitingCount } = database;
    metrics.set('payrun_database_connections', { state: 'used' }, totalCount - idleCount);
    metrics.set('payrun_database_connections', { state: 'idle' }, idleCount);
    metrics.set('payrun_database_waiting', {}, waitingCount);
    return Promise.resolve();
  });
}
