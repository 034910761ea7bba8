import { PENDING_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

/** What a payment's workflow is started with: no beneficiary and no amount. */
export interface PayableRow {
  paymentId: string;
  rowNumber: number;
  sellCurrency: string;
  buyCurrency: string;
  newBeneficiary: boolean;
  files: number;
  /** A creation or a funding of it has begun, and its outcome is unknown. */
  hasOpenRequest: boolean;
  /** Its workflow was started before. */
  isBegun: boolean;
}

/** SQL, once for a statement: what run $1 may spend by currency, where the ledger decides. */
const MONEY = `(select coalesce(jsonb_object_agg(chains.currency, money_for_run(chains.account, chains.currency, $1))
    filter (where money_for_run(chains.account, chains.currency, $1) is not null), '{}')
  from balance_chains chains join runs using (account) where runs.run_id = $1)`;

/**
 * A row that was not begun waits while other payments wait for money in its currency, unless what its run may spend is enough
 * for it: by the ledger, or else the balance last read. Until it begins it needs no requests and blocks no other currency. A
 * row that fixes the amount received has no known cost before it is quoted, so any balance is enough to begin it. Rows do not
 * wait for stopped payments.
 */
const WAITS_FOR_OTHERS = `(payments.workflow_begun_at is null and payments.state = 'ready' and exists (
    select from payments others where others.account = payments.account
      and others.sell_currency = payments.sell_currency and others.state = 'awaiting_funds'
      and not is_stopped(others.account, others.run_id))
  and not coalesce(
    (${MONEY} ->> payments.sell_currency)::numeric >= case payments.amount_side when 'buy' then 0.0001 else payments.amount end,
    (select balances.amount > 0 and (payments.amount_side = 'buy' or balances.amount >= payments.amount)
    from balance_snapshots balances
    where balances.account = payments.account and balances.currency = payments.sell_currency), false))`;

/** Only rows that are still as they were approved. */
// guard: planned-as-approved
const APPROVED = `join approved_payments frozen on frozen.payment_id = payments.payment_id
    and frozen.attempt = payments.attempt and frozen.row_hash = payments.row_hash`;

/**
 * Approved rows to be sent that are due by a day (YYYY-MM-DD), in the order of the file. Rows without a pay day are always
 * due. Begun rows are included: if a row's workflow is gone, a new one continues from the database. Rows that wait for other
 * payments to be funded are not included.
 */
export async function listPayableRows(
  database: Queryable,
  page: { runId: string; afterRow: number; limit: number; dueBy: string; only?: 'begun' | 'with_open_request' },
): Promise<PayableRow[]> {
  const { rows } = await database.query<PayableRow>(
    `select payments.payment_id as "paymentId", row_number as "rowNumber", sell_currency as "sellCurrency",
       buy_currency as "buyCurrency", jsonb_array_length(instruction -> 'supportingFiles') as files,
       instruction -> 'beneficiary' ->> 'kind' = 'details' and not exists (
         select from beneficiaries known where known.account = payments.account
           and known.fingerprint = payments.beneficiary_hash and known.beneficiary_id is not null) as "newBeneficiary",
       open.is_there as "hasOpenRequest", workflow_begun_at is not null as "isBegun"
     from payments ${APPROVED}
     cross join lateral (select exists (select from provider_requests
       where payment_id = payments.payment_id and non_idempotent and outcome is null) as is_there) as open
     where payments.run_id = $1 and state in (${sqlList(PENDING_PAYMENT_STATES)}) and row_number > $2
       and coalesce(instruction ->> 'payOn', '') <= $4 and not ${WAITS_FOR_OTHERS}
       and case $5 when 'begun' then workflow_begun_at is not null when 'with_open_request' then open.is_there else true end
     order by row_number limit $3`,
    [page.runId, page.afterRow, page.limit, page.dueBy, page.only ?? 'all'],
  );
  return rows;
}

/** Notes that the workflows of these payments were started. */
export async function noteBegun(database: Queryable, paymentIds: readonly string[]): Promise<void> {
  await database.query(
    `update payments set workflow_begun_at = clock_timestamp() where payment_id = any($1::uuid[]) and workflow_begun_at is null`,
    [paymentIds],
  );
}

/** Approved rows due by a day (YYYY-MM-DD) and not begun: those that may begin now, and those that wait for money. */
export async function countRowsToBegin(
  database: Queryable,
  runId: string,
  dueBy: string,
): Promise<{ rowsToBegin: number; rowsWaiting: number }> {
  const { rows } = await database.query<{ waits: boolean; rows: number }>(
    `select ${WAITS_FOR_OTHERS} as waits, count(*)::int as rows from payments ${APPROVED}
     where payments.run_id = $1 and state = 'ready' and workflow_begun_at is null and coalesce(instruction ->> 'payOn', '') <= $2
     group by 1`,
    [runId, dueBy],
  );
  const count = (waits: boolean): number => rows.find((row) => row.waits === waits)?.rows ?? 0;
  return { rowsToBegin: count(false), rowsWaiting: count(true) };
}

/** The next day after the given one on which ready rows are due, and how many are; null when there is none. */
export async function readNextPayDay(
  database: Queryable,
  runId: string,
  after: string,
): Promise<{ day: string; beginsAtMs: number; rows: number } | null> {
  const { rows } = await database.query<{ day: string; beginsAtMs: number; rows: number }>(
    `select day, rows, extract(epoch from day_begins_at(account, day))::float8 * 1000 as "beginsAtMs" from (
       select instruction ->> 'payOn' as day, account, count(*)::int as rows from payments
       where run_id = $1 and state = 'ready' and instruction ->> 'payOn' > $2
       group by 1, 2 order by 1 limit 1) as next`,
    [runId, after],
  );
  return rows[0] ?? null;
}
