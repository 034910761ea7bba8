import type { MetricDescription } from './metric-description.ts';
import { DATABASE_METRICS } from './database-metric-descriptions.ts';

const BOTH = ['server', 'worker'] as const;

/** Requests to the provider take from tens of milliseconds to their timeout. */
const REQUEST_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60] as const;
const WAIT_SECONDS = [0.1, 0.5, 1, 2, 5, 15, 60, 300] as const;
const HTTP_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 30] as const;
const QUERY_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10, 60] as const;

/** Every metric of payrun, by its name: what the registry, the page of documentation and the tests are made from. */
export const METRICS = {
  payrun_build_info: {
    kind: 'gauge',
    processes: BOTH,
    labels: ['process', 'version', 'build'],
    help: 'Always 1: which version runs',
  },
  payrun_metric_source_up: {
    kind: 'gauge',
    processes: BOTH,
    labels: ['source'],
    help: '1 if the metrics of this source could be read, else 0; then they are absent',
  },
  payrun_provider_request_duration_seconds: {
    kind: 'histogram',
    processes: ['worker'],
    labels: ['account', 'operation', 'outcome'],
    help: 'Requests to the provider, from sending to the answer; 0 for what was not sent',
    buckets: REQUEST_SECONDS,
  },
  payrun_rate_limiter_wait_seconds: {
    kind: 'histogram',
    processes: ['worker'],
    labels: ['account'],
    help: 'How long requests waited at the rate limiter for their lease',
    buckets: WAIT_SECONDS,
  },
  payrun_rate_limiter_waiting: {
    kind: 'gauge',
    processes: ['worker'],
    labels: ['account'],
    help: 'Requests of this worker that wait at the rate limiter for a lease',
  },
  payrun_rate_limiter_refusals_total: {
    kind: 'counter',
    processes: ['worker'],
    labels: ['account', 'result'],
    help: 'Requests that the rate limiter did not admit: `daily_limit_reached`, `abandoned`, `expired`, or `store_failed`',
  },
  payrun_rate_limiter_pauses_total: {
    kind: 'counter',
    processes: ['worker'],
    labels: ['account'],
    help: 'Pauses that the provider asked this worker for, by a 429 or `Retry-After`',
  },
  payrun_rate_limiter_limit_per_second: {
    kind: 'gauge',
    processes: ['worker'],
    labels: ['account'],
    help: 'Requests that the account may send in any second; 0: no limit',
  },
  payrun_rate_limiter_leases_in_use: {
    kind: 'gauge',
    processes: ['worker'],
    labels: ['account'],
    help: 'Leases that requests hold, of all workers together',
  },
  payrun_rate_limiter_paused_seconds: {
    kind: 'gauge',
    processes: ['worker'],
    labels: ['account'],
    help: 'What is left of a pause that the provider asked for; 0: none',
  },
  payrun_rate_limiter_day_requests: {
    kind: 'gauge',
    processes: ['worker'],
    labels: ['account'],
    help: 'Requests of this UTC day, of all workers together',
  },
  payrun_rate_limiter_day_limit: {
    kind: 'gauge',
    processes: ['worker'],
    labels: ['account'],
    help: 'Requests that the account may send in a UTC day; 0: no limit',
  },
  payrun_queue_waiting: {
    kind: 'gauge',
    processes: ['worker'],
    labels: ['queue', 'priority'],
    help: "Activities that wait in Temporal's queue for a worker, about",
  },
  payrun_queue_oldest_seconds: {
    kind: 'gauge',
    processes: ['worker'],
    labels: ['queue', 'priority'],
    help: 'How long the oldest of them waits',
  },
  payrun_activities_total: {
    kind: 'counter',
    processes: ['worker'],
    labels: ['activity', 'result'],
    help: 'Activities that ended: `completed` or `failed` (Temporal tries most of these again)',
  },
  payrun_activity_last_completed_timestamp_seconds: {
    kind: 'gauge',
    processes: ['worker'],
    labels: ['activity'],
    help: 'When the activity last completed in this worker: `pollPayments` reads the status of payments in flight',
  },
  payrun_http_request_duration_seconds: {
    kind: 'histogram',
    processes: ['server'],
    labels: ['method', 'route', 'status'],
    help: "Requests to payrun's own API; live events and submissions last as long as they are open",
    buckets: HTTP_SECONDS,
  },
  payrun_webhooks_received_total: {
    kind: 'counter',
    processes: ['server'],
    labels: ['account', 'kind', 'result'],
    help: 'Webhooks that were stored: `accepted`, or `duplicate` if the same one was there already',
  },
  payrun_webhooks_rejected_total: {
    kind: 'counter',
    processes: ['server'],
    labels: ['reason'],
    help: 'Webhooks that were not stored',
  },
  payrun_database_connections: {
    kind: 'gauge',
    processes: BOTH,
    labels: ['state'],
    help: "Connections of this process's pool: `used` or `idle`, at most 20",
  },
  payrun_database_waiting: {
    kind: 'gauge',
    processes: BOTH,
    labels: [],
    help: 'Callers of this process that wait for a connection',
  },
  payrun_database_query_duration_seconds: {
    kind: 'histogram',
    processes: BOTH,
    labels: ['statement'],
    help: 'Statements, from sending to the answer',
    buckets: QUERY_SECONDS,
  },
  payrun_database_query_failures_total: {
    kind: 'counter',
    processes: BOTH,
    labels: ['sqlstate'],
    help: 'Statements that failed. `23` and `40` occur in normal operation: payrun tries again',
  },
  ...DATABASE_METRICS,
} as const satisfies Readonly<Record<string, MetricDescription>>;

export type MetricName = keyof typeof METRICS;
