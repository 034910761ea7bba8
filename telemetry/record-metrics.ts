import type { MetricDescription } from './metric-description.ts';

const SERVER = ['server'] as const;

/** What the record holds. Every server shows the same: take the maximum over servers, never the sum. */
export const RECORD_METRICS = {
  payrun_service_up: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['service'],
    help: '1 if the service answers the server, else 0',
  },
  payrun_runs: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account', 'state'],
    help: 'Payment runs by state; those that ended are counted every ten minutes',
  },
  payrun_runs_oldest_seconds: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account', 'state'],
    help: 'Time since the oldest open run in the state was submitted',
  },
  payrun_payments: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account', 'state'],
    help: 'Rows of all runs by state',
  },
  payrun_payments_oldest_seconds: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account', 'state'],
    help: 'How long the oldest row has been `held`, `duplicate_suspect`, `awaiting_funds` or `unknown`',
  },
  payrun_payments_in_flight_oldest_seconds: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account'],
    help: 'Time since the provider created the oldest payment that it has neither paid nor refused',
  },
  payrun_requests_open: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account'],
    help: 'Requests that create or fund, whose outcome is not known yet',
  },
  payrun_requests_open_oldest_seconds: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account'],
    help: 'Time since the oldest of them was begun',
  },
  payrun_cases: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account', 'state'],
    help: 'Onboarding cases by state; those that ended are counted every ten minutes',
  },
  payrun_cases_oldest_seconds: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account', 'state'],
    help: 'How long the oldest open case has been waiting in the state',
  },
  payrun_conversions: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account', 'state'],
    help: 'Orders to convert by state; those that ended are counted every ten minutes',
  },
  payrun_conversions_oldest_seconds: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account', 'state'],
    help: 'How long the oldest open order has been in the state',
  },
  payrun_breaks: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account', 'state'],
    help: 'Breaks of the reconciliation that are not closed: `open` or `explained`',
  },
  payrun_breaks_oldest_seconds: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account', 'state'],
    help: 'Time since the oldest of them was found',
  },
  payrun_ledger_alarms: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account', 'kind'],
    help: 'Open alarms of the ledger',
  },
  payrun_stops: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['scope'],
    help: 'Stops in force',
  },
  payrun_sign_ups_paused: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account'],
    help: '1 while sign-ups of the account are paused after repeated refusals',
  },
  payrun_changes_pending: {
    kind: 'gauge',
    processes: SERVER,
    labels: [],
    help: 'Changes to users, policy or provider that wait for a second administrator',
  },
  payrun_changes_pending_oldest_seconds: {
    kind: 'gauge',
    processes: SERVER,
    labels: [],
    help: 'Time since the oldest of them was proposed',
  },
  payrun_webhooks_unprocessed: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account'],
    help: 'Payments and users that a webhook named and that were not read since',
  },
  payrun_webhooks_unprocessed_oldest_seconds: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['account'],
    help: 'Time since the oldest of these webhooks',
  },
  payrun_notifications_pending: {
    kind: 'gauge',
    processes: SERVER,
    labels: [],
    help: 'Notifications that no worker has looked at yet',
  },
  payrun_notifications_pending_oldest_seconds: {
    kind: 'gauge',
    processes: SERVER,
    labels: [],
    help: 'Time since the oldest of them came about',
  },
  payrun_deliveries: {
    kind: 'gauge',
    processes: SERVER,
    labels: ['state'],
    help: 'Deliveries of notifications that are not ended: `queued`, `delivering` or `failing`',
  },
  payrun_deliveries_overdue_seconds: {
    kind: 'gauge',
    processes: SERVER,
    labels: [],
    help: 'How long the oldest of them has been overdue; 0: none is',
  },
  payrun_endpoints_failing_seconds: {
    kind: 'gauge',
    processes: SERVER,
    labels: [],
    help: 'How long the worst endpoint has been failing, in seconds; 0: none is failing',
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;
