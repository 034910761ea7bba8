import { OPEN_DELIVERY_STATES } from '../../domain/notifications/delivery-state.ts';
import { UNRESOLVED_BREAK_STATES } from '../../domain/reconciliation/break-state.ts';
import { STOP_IN_FORCE } from '../approvals/stops.ts';
import { OPEN_VIRTUAL_ACCOUNT_STATES } from '../../domain/accounts/virtual-account-state.ts';
import {
  OBSERVABLE_PAYMENT_STATES,
  paymentStatesWhere,
  PROVIDER_PAYMENT_STATES,
} from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

/** What is counted, or whose oldest is found. */
export type StoredMetricName =
  | 'runs'
  | 'payments'
  | 'waiting_payments'
  | 'payments_in_flight'
  | 'open_requests'
  | 'cases'
  | 'conversions'
  | 'breaks'
  | 'virtual_accounts'
  | 'unexplained_receipts'
  | 'schedules'
  | 'missed_occurrences'
  | 'money_alarms'
  | 'stops'
  | 'sign_up_pauses'
  | 'pending_changes'
  | 'unprocessed_webhooks'
  | 'pending_notifications'
  | 'open_deliveries'
  | 'overdue_deliveries'
  | 'failing_endpoints'
  | 'unchained_entries';

/** How many there are of something, and how long the oldest of them waits. */
export interface StoredMetric {
  name: StoredMetricName;
  /** Null where it is of no account. */
  account: string | null;
  /** The state, the kind or the scope; null where there is none. */
  state: string | null;
  /** Null where only the oldest is known. */
  count: number | null;
  /** Null where nothing waits. */
  oldestSeconds: number | null;
}

/** Rows in these states wait for people, or for money, for as long as that takes. */
const WAITING_PAYMENT_STATES = paymentStatesWhere(
  ({ progress: { waitsFor } }) => waitsFor === 'person' || waitsFor === 'money',
);

/** Created with the provider, and neither ended nor waiting for money. */
const MOVING_PAYMENT_STATES = PROVIDER_PAYMENT_STATES.filter((state) => !WAITING_PAYMENT_STATES.includes(state));

const AGE = (since: string): string => `extract(epoch from clock_timestamp() - ${since})::float8`;

/**
 * Counts of what is open. Rows are not counted but taken from `run_counts`, and every other line goes by an index that holds
 * only what is open or waits: `test/store/metrics.services.ts` has the database explain it.
 */
const OPEN = `
  select 'runs' as name, account, state, count(*)::float8 as count, ${AGE('min(submitted_at)')} as oldest
  from runs where finished_at is null group by account, state
  union all
  select 'payments', runs.account, counts.state, sum(counts.rows)::float8, null
  from run_counts counts join runs using (run_id) group by runs.account, counts.state having sum(counts.rows) <> 0
  union all
  select 'waiting_payments', account, state, null, ${AGE('oldest')}
  from provider_accounts cross join unnest(array[${sqlList(WAITING_PAYMENT_STATES)}]) as states (state)
  cross join lateral (
    select min(changed_at) as oldest from payments where payments.state = states.state
      and payments.account = provider_accounts.account and payments.state in (${sqlList(WAITING_PAYMENT_STATES)})
  ) as waiting where oldest is not null
  union all
  select 'payments_in_flight', account, null, null, ${AGE('oldest')}
  from provider_accounts cross join lateral (
    select min(provider_created_at) as oldest from payments
    where payments.account = provider_accounts.account and state in (${sqlList(MOVING_PAYMENT_STATES)})
  ) as in_flight where oldest is not null
  union all
  select 'open_requests', account, null, sum(count)::float8, max(oldest) from (
    select account, count(*) as count, ${AGE('min(begun_at)')} as oldest
    from provider_requests where non_idempotent and outcome is null group by account
    union all
    select account, count(*), ${AGE('min(begun_at)')} from conversion_requests join conversion_orders using (order_id)
    where operation <> 'quote' and outcome is null and ended_at is null group by account
  ) as open_of_both group by account
  union all
  select 'cases', account, state, count(*)::float8, ${AGE('min(coalesce(waiting_since, changed_at))')}
  from cases where ended_at is null group by account, state
  union all
  select 'conversions', account, state, count(*)::float8, ${AGE('min(changed_at)')}
  from conversion_orders where ended_at is null group by account, state
  union all
  select 'breaks', account, state, count(*)::float8, ${AGE('min(found_at)')}
  from reconciliation_breaks where state in (${sqlList(UNRESOLVED_BREAK_STATES)}) group by account, state
  union all
  select 'virtual_accounts', account, state, count(*)::float8, ${AGE('min(changed_at)')}
  from virtual_accounts where state in (${sqlList(OPEN_VIRTUAL_ACCOUNT_STATES)}) group by account, state
  union all
  select 'unexplained_receipts', account, null, count(*)::float8, ${AGE('min(seen_at)')}
  from receipts where explained_by is null group by account
  union all
  select 'schedules', account, state, count(*)::float8, ${AGE('min(state_changed_at)')}
  from schedules where state <> 'deleted' group by account, state
  union all
  select 'missed_occurrences', account, null, count(*)::float8, null
  from schedule_occurrences join schedules using (schedule_id)
  where ended = 'missed' and ended_at > clock_timestamp() - interval '7 days' and state <> 'deleted' group by account
  union all
  select 'money_alarms', account, kind, count(*)::float8, null from money_alarms where ended_at is null group by account, kind
  union all
  select 'stops', null, scope, count(*)::float8, null
  from stops where ${STOP_IN_FORCE} and cancelled_at is null group by scope
  union all
  select 'sign_up_pauses', account, null, count(*)::float8, null from sign_up_pauses where lifted_at is null group by account
  union all
  select 'pending_changes', null, null, count(*)::float8, ${AGE('min(proposed_at)')} from changes where state = 'pending'
  union all
  select 'unprocessed_webhooks', account, null, sum(count)::float8, max(oldest) from (
    select account, count(*) as count, ${AGE('min(webhook_received_at)')} as oldest from payments
    where webhook_received_at > coalesce(polled_at, timestamptz '-infinity') and webhook_received_at > coalesce(tried_at, timestamptz '-infinity')
      and state in (${sqlList(OBSERVABLE_PAYMENT_STATES)}) group by account
    union all
    select account, count(*), ${AGE('min(webhook_received_at)')} from cases
    where ended_at is null and webhook_received_at > coalesce(read_at, timestamptz '-infinity') group by account
  ) as with_webhook group by account
  union all
  select 'pending_notifications', null, null, count(*)::float8, ${AGE('min(occurred_at)')} from outbox where planned_at is null
  union all
  select 'open_deliveries', null, state, count(*)::float8, null
  from deliveries where state in (${sqlList(OPEN_DELIVERY_STATES)}) group by state
  union all
  select 'overdue_deliveries', null, null, null, ${AGE('min(due_at)')}
  from deliveries where delivery_is_scheduled(state) and due_at < clock_timestamp()
  union all
  select 'failing_endpoints', null, null, null, ${AGE('min(failing_since)')}
  from endpoints where removed_at is null and state = 'enabled'
  union all
  select 'unchained_entries', null, null, null, ${AGE('unchained_since()')}`;

/** Their numbers grow for ever and change slowly: to be read seldom. */
const ENDED = `
  select 'runs' as name, account, state, count(*)::float8 as count, null::float8 as oldest
  from runs where finished_at is not null group by account, state
  union all
  select 'cases', account, state, count(*)::float8, null from cases where ended_at is not null group by account, state
  union all
  select 'conversions', account, state, count(*)::float8, null
  from conversion_orders where ended_at is not null group by account, state`;

interface StoredMetricRow {
  name: StoredMetricName;
  account: string | null;
  state: string | null;
  count: number | null;
  oldest: number | null;
}

async function read(database: Queryable, statement: string): Promise<StoredMetric[]> {
  const { rows } = await database.query<StoredMetricRow>(statement);
  // A clock that was set back must not make an age negative.
  return rows.map(({ oldest, ...row }) => ({ ...row, oldestSeconds: oldest === null ? null : Math.max(0, oldest) }));
}

/** Of everything that is open or waits, by account and state; of rows, all. For the role of a server. */
export function readOpenMetrics(database: Queryable): Promise<StoredMetric[]> {
  return read(database, OPEN);
}

/** Of runs, cases and orders that ended. */
export function readEndedMetrics(database: Queryable): Promise<StoredMetric[]> {
  return read(database, ENDED);
}

/** For tests: what the database explains. */
export const OPEN_METRICS_STATEMENT = OPEN;
