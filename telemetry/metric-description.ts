/** A kind of process that has metrics. */
export type MeasuredProcess = 'server' | 'worker';

/** Who sets a metric, and from what. */
export interface MetricDescription {
  kind: 'counter' | 'gauge' | 'histogram';
  processes: readonly MeasuredProcess[];
  /** Every label is described in `LABELS`, and its values are bounded by the configuration or the code. */
  labels: readonly LabelName[];
  /** What it says, as a phrase without a full stop. */
  help: string;
  /** Upper bounds of a histogram, in seconds. */
  buckets?: readonly number[];
}

/** What the values of each label are. None holds personal data, an id or an amount. */
export const LABELS = {
  account: 'an account with the provider, as configured: `default`, or a name in `payrun.yaml`',
  activity: 'the name of an activity of the worker',
  build: "the worker's deployment version; empty for a server",
  kind: 'webhooks: `simple_payment`, `conversion`, `user`, `deposit`, …, or `unknown`; alarms: `free_negative`, `debit_not_found`, `debit_of_unpaid`',
  method: 'the method of an HTTP request',
  operation: "the provider's operation, as in the contract: `simple-payment-fund`, …",
  outcome:
    'how a request to the provider ended: `success`, `not_sent`, `rate_limited` (a 429, or a pause that was asked for), ' +
    '`unauthenticated`, `refused`, `duplicate_reference` or `unknown_outcome`',
  priority: 'the priority of requests that wait: `1` (fund, confirm) comes first, `5` last',
  process: '`server` or `worker`',
  queue: 'a task queue: `payrun`, `payrun/uploads`, `payrun/notifications`, or `provider/<account>`',
  reason: 'why a webhook was refused: `address`, `header`, `quota`, `body` or `not_stored`',
  result: 'how it ended, as the metric says',
  route: 'the pattern of an address, with parameters in place of ids; `none` for an address that does not exist',
  scope: 'what is stopped: `run`, `account` or `all`',
  service: '`postgres` or `temporal`',
  source: 'where metrics come from: `database` and `ended` (Postgres), `services`, `rate_limiter`, `queues`',
  sqlstate: "the class of Postgres' error code: its first two characters; `none` if there was no answer",
  state: 'a [state](../states.md)',
  status: 'the status of an HTTP answer, as `2xx`',
  statement:
    'the first word of a statement: `select`, `insert`, `update`, `delete`, `with`, `begin`, `commit`, or `other`',
  version: 'the version of payrun',
} as const;

export type LabelName = keyof typeof LABELS;
