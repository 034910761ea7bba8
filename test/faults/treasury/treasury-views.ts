import type { Client } from '@temporalio/client';
import { conversionWorkflowId, paymentWorkflowId } from '../../../domain/identifiers.ts';
import type { ConversionState } from '../../../domain/treasury/conversion-state.ts';
import type { LedgerReport } from '../../../sandbox/control/ledger-report.ts';
import type { RunningSandbox } from '../../../sandbox/server.ts';
import type { Database } from '../../../store/database/database.ts';
import {
  conversionsAt,
  paymentsAt,
  type SandboxConversion,
  type SandboxPayment,
} from '../../helpers/sandbox-control.ts';
import type { FaultStack } from '../fault-stack.ts';

export interface RecordedOrder {
  orderId: string;
  state: ConversionState;
  reason: string | null;
  hasEnded: boolean;
  orderHash: string;
  attempt: number;
  conversionId: string | null;
  total: string | null;
  creates: number;
  funds: number;
}

export interface RecordedOccurrence {
  occurrenceId: string;
  scheduleId: string;
  cause: string;
  ended: string | null;
  reason: string | null;
  /** That were placed. */
  orders: number;
}

export interface RecordedPayment {
  paymentId: string;
  rowRef: string;
  state: string;
  referenceId: string;
}

/** The money of a scenario as the provider, Postgres and Temporal show it. */
export interface TreasuryViews {
  ledger: LedgerReport;
  conversions: SandboxConversion[];
  payments: SandboxPayment[];
  orders: RecordedOrder[];
  /** Ids of all orders in the database, also of earlier scenarios. */
  knownOrders: ReadonlySet<string>;
  occurrences: RecordedOccurrence[];
  rows: RecordedPayment[];
  /** Ledger accounts that are not the sum of their transfers, or are negative. */
  wrongBalances: string[];
  /** By currency: free and reserved money, and what is still committed. */
  money: { currency: string; free: string; committed: string }[];
  /** Receipts that explain more than one thing, or another one than their record says. */
  receipts: string[];
  /** Priorities of requests in histories of Temporal; 1 is sent first. */
  priorities: { paymentFunding: number[]; conversions: number[] };
}

export async function recordedOrders(
  database: Database,
  placed: readonly string[],
  schedules: readonly string[],
): Promise<RecordedOrder[]> {
  const { rows } = await database.query<RecordedOrder>(
    `select order_id as "orderId", state, state_reason as reason, ended_at is not null as "hasEnded", order_hash as "orderHash",
       attempt, conversion_id as "conversionId", total_amount::text as total,
       (select count(*)::int from conversion_requests r where r.order_id = o.order_id and operation = 'create'
          and coalesce(outcome not in ('not_sent', 'not_seen'), true)) as creates,
       (select count(*)::int from conversion_requests r where r.order_id = o.order_id and operation = 'fund') as funds
     from conversion_orders o where order_id = any ($1) or order_id in (select order_id from scheduled_orders
       join schedule_occurrences using (occurrence_id) where schedule_id = any ($2))
     order by placed_at`,
    [placed, schedules],
  );
  return rows;
}

export async function recordedOccurrences(
  database: Database,
  schedules: readonly string[],
): Promise<RecordedOccurrence[]> {
  const { rows } = await database.query<RecordedOccurrence>(
    `select occurrence_id as "occurrenceId", schedule_id as "scheduleId", cause, ended, reason,
       (select count(*)::int from scheduled_orders s where s.occurrence_id = o.occurrence_id and refused is null) as orders
     from schedule_occurrences o where schedule_id = any ($1)`,
    [schedules],
  );
  return rows;
}

export async function recordedPayments(database: Database, runId: string): Promise<RecordedPayment[]> {
  const { rows } = await database.query<RecordedPayment>(
    `select payment_id as "paymentId", row_ref as "rowRef", state, payment_id || '-' || attempt as "referenceId"
     from payments where run_id = $1 order by row_number`,
    [runId],
  );
  return rows;
}

export async function readTreasuryViews(
  { database, temporal }: FaultStack,
  sandbox: RunningSandbox,
  { runId, orderIds, scheduleIds }: { runId: string; orderIds: readonly string[]; scheduleIds: readonly string[] },
): Promise<TreasuryViews> {
  const orders = await recordedOrders(database, orderIds, scheduleIds);
  const rows = await recordedPayments(database, runId);
  const { rows: known } = await database.query<{ id: string }>('select order_id as id from conversion_orders');
  return {
    ledger: sandbox.ledger(),
    conversions: await conversionsAt(sandbox),
    payments: await paymentsAt(sandbox),
    orders,
    knownOrders: new Set(known.map(({ id }) => id)),
    occurrences: await recordedOccurrences(database, scheduleIds),
    rows,
    ...(await readMoney(database)),
    receipts: await wrongReceipts(database),
    priorities: await prioritiesOf(temporal, orders, rows),
  };
}

async function readMoney(database: Database): Promise<Pick<TreasuryViews, 'wrongBalances' | 'money'>> {
  const { rows: wrong } = await database.query<{ what: string }>(
    `select currency || ' ' || ledger_account || ' ' || amount || ', moved ' || moved as what from (
       select currency, ledger_account, amount, coalesce((select sum(case when credit = ledger_account then t.amount else -t.amount end)
         from ledger_transfers t where t.account = b.account and t.currency = b.currency
           and ledger_account in (debit, credit)), 0) as moved
       from ledger_balances b) as sums
     where amount <> moved or (amount < 0 and ledger_account <> 'outside')`,
  );
  const { rows: money } = await database.query<TreasuryViews['money'][number]>(
    `select currency, sum(amount) filter (where kind in ('free', 'run'))::text as free,
       coalesce(sum(amount) filter (where kind in ('payment', 'conversion')), 0)::text as committed
     from ledger_balances where kind <> 'outside' group by currency`,
  );
  return { wrongBalances: wrong.map(({ what }) => what), money };
}

/** A funding and a deposit may share a receipt: they are one fact that is reported twice. */
async function wrongReceipts(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ what: string }>(
    `with facts as (
       select currency, entry_id, 'refund' as kind from refunds where entry_id is not null
       union all select currency, entry_id, 'funding' from fundings where entry_id is not null
       union all select buy_currency, credit_entry_id, 'conversion' from conversion_orders where credit_entry_id is not null
       union all select currency, entry_id, 'deposit' from deposits d where entry_id is not null
         and not exists (select from fundings f where f.currency = d.currency and f.entry_id = d.entry_id))
     select currency || ' ' || entry_id || ': ' || coalesce(string_agg(kind, '+'), 'nothing') || ', its record says '
       || coalesce(max(explained_by), 'nothing') as what
     from receipts left join facts using (currency, entry_id)
     group by currency, entry_id
     having count(kind) > 1 or (count(kind) = 1) <> (max(explained_by) is not null)
       or (count(kind) = 1 and max(explained_by) <> max(kind))`,
  );
  return rows.map(({ what }) => what);
}

async function prioritiesOf(
  temporal: Client,
  orders: readonly RecordedOrder[],
  rows: readonly RecordedPayment[],
): Promise<TreasuryViews['priorities']> {
  const of = async (workflowIds: string[], activities: RegExp): Promise<number[]> => {
    const found = new Set<number>();
    for (const workflowId of workflowIds) {
      const history = await temporal.workflow.getHandle(workflowId).fetchHistory();
      for (const { activityTaskScheduledEventAttributes: scheduled } of history.events ?? []) {
        const isMeant = activities.test(scheduled?.activityType?.name ?? '');
        if (isMeant && scheduled?.taskQueue?.name?.startsWith('provider/') === true)
          found.add(scheduled.priority?.priorityKey ?? 0);
      }
    }
    return [...found].sort();
  };
  return {
    paymentFunding: await of(
      rows.map(({ paymentId }) => paymentWorkflowId(paymentId)),
      /^fund/,
    ),
    conversions: await of(
      orders.map(({ orderId }) => conversionWorkflowId(orderId)),
      /./,
    ),
  };
}
