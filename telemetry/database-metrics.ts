import type { Database } from '../store/database/database.ts';
import {
  type StoredMetric,
  type StoredMetricName,
  readEndedMetrics,
  readOpenMetrics,
} from '../store/metrics/stored-metrics.ts';
import { addMetricSource } from './metric-source.ts';
import { METRICS } from './metric-descriptions.ts';
import type { Metrics } from './metrics.ts';
import type { DATABASE_METRICS } from './database-metric-descriptions.ts';

type DatabaseMetric = keyof typeof DATABASE_METRICS;

/** How often what has ended is counted again: each row of it is read. */
const ENDED_MIN_AGE_MS = 600_000;

/** Shows what the database holds and whether the services answer, read when somebody scrapes. */
export function addDatabaseMetrics(
  metrics: Metrics,
  options: { database: Database; health: () => Promise<Record<'postgres' | 'temporal', string | null>> },
): void {
  const { database, health } = options;
  const stored: { open: readonly StoredMetric[]; ended: readonly StoredMetric[] } = { open: [], ended: [] };
  const showAll = (): void => show(metrics, [...stored.open, ...stored.ended]);
  addMetricSource(metrics, {
    source: 'database',
    read: () => readOpenMetrics(database),
    show: (open) => {
      stored.open = open ?? [];
      showAll();
    },
  });
  addMetricSource(metrics, {
    source: 'ended',
    read: () => readEndedMetrics(database),
    show: (ended) => {
      stored.ended = ended ?? [];
      showAll();
    },
    minAgeMs: ENDED_MIN_AGE_MS,
  });
  addMetricSource(metrics, {
    source: 'services',
    read: health,
    show: (problems) => {
      const states = Object.entries(problems ?? {});
      metrics.replace(
        'payrun_service_up',
        states.map(([service, problem]) => ({ labels: { service }, value: problem === null ? 1 : 0 })),
      );
    },
  });
}

/** The metrics that count something. */
const COUNTS = {
  payrun_runs: 'runs',
  payrun_payments: 'payments',
  payrun_requests_open: 'open_requests',
  payrun_cases: 'cases',
  payrun_conversions: 'conversions',
  payrun_breaks: 'breaks',
  payrun_virtual_accounts: 'virtual_accounts',
  payrun_receipts_unexplained: 'unexplained_receipts',
  payrun_schedules: 'schedules',
  payrun_schedule_occurrences_missed: 'missed_occurrences',
  payrun_ledger_alarms: 'money_alarms',
  payrun_stops: 'stops',
  payrun_sign_ups_paused: 'sign_up_pauses',
  payrun_changes_pending: 'pending_changes',
  payrun_webhooks_unprocessed: 'unprocessed_webhooks',
  payrun_notifications_pending: 'pending_notifications',
  payrun_deliveries: 'open_deliveries',
} as const satisfies Partial<Record<DatabaseMetric, StoredMetricName>>;

const AGES = {
  payrun_runs_oldest_seconds: 'runs',
  payrun_payments_oldest_seconds: 'waiting_payments',
  payrun_payments_in_flight_oldest_seconds: 'payments_in_flight',
  payrun_requests_open_oldest_seconds: 'open_requests',
  payrun_cases_oldest_seconds: 'cases',
  payrun_conversions_oldest_seconds: 'conversions',
  payrun_breaks_oldest_seconds: 'breaks',
  payrun_virtual_accounts_oldest_seconds: 'virtual_accounts',
  payrun_receipts_unexplained_oldest_seconds: 'unexplained_receipts',
  payrun_schedules_oldest_seconds: 'schedules',
  payrun_changes_pending_oldest_seconds: 'pending_changes',
  payrun_webhooks_unprocessed_oldest_seconds: 'unprocessed_webhooks',
  payrun_notifications_pending_oldest_seconds: 'pending_notifications',
  payrun_deliveries_overdue_seconds: 'overdue_deliveries',
  payrun_endpoints_failing_seconds: 'failing_endpoints',
  payrun_audit_unchained_seconds: 'unchained_entries',
} as const satisfies Partial<Record<DatabaseMetric, StoredMetricName>>;

function show(metrics: Metrics, stored: readonly StoredMetric[]): void {
  for (const [metric, name] of entriesOf(COUNTS)) showOne(metrics, metric, stored, name, ({ count }) => count);
  for (const [metric, name] of entriesOf(AGES)) {
    // What has no account and no state is there once: its age is 0 while nothing waits.
    const withoutLabels = METRICS[metric].labels.length === 0 ? 0 : null;
    showOne(metrics, metric, stored, name, ({ oldestSeconds }) => oldestSeconds ?? withoutLabels);
  }
}

function showOne(
  metrics: Metrics,
  metric: DatabaseMetric,
  stored: readonly StoredMetric[],
  name: StoredMetricName,
  valueOf: (each: StoredMetric) => number | null,
): void {
  const readings = stored.flatMap((each) => {
    const value = each.name === name ? valueOf(each) : null;
    return value === null ? [] : [{ labels: labelsOf(metric, each), value }];
  });
  metrics.replace(metric, readings);
}

/** A kind and a scope are read as states. */
function labelsOf(metric: DatabaseMetric, each: StoredMetric): Record<string, string> {
  const names: readonly string[] = METRICS[metric].labels;
  return Object.fromEntries(
    names.map((name) => [name, (name === 'account' ? each.account : each.state) ?? 'none'] as const),
  );
}

function entriesOf<Key extends string, Value>(table: Readonly<Record<Key, Value>>): [Key, Value][] {
  return Object.entries(table) as [Key, Value][];
}
