import type { Queryable } from '../database/database.ts';

/** A row to be paid, as its workflow needs it: no beneficiary, no amount. */
export interface PlannedRow {
  paymentId: string;
  rowNumber: number;
  sellCurrency: string;
  buyCurrency: string;
  newBeneficiary: boolean;
  files: number;
  /** A creation or a funding of it has begun, and its outcome is not known. */
  hasOpenRequest: boolean;
  /** Its workflow was begun before. */
  isBegun: boolean;
}

/**
 * A row that was not begun waits while others wait for money in its currency, unless the balance as it was last read is
 * enough for it: what is not begun needs no requests, and holds up no other currency. What a row costs that fixes the amount
 * received is known when it is quoted: it waits for the first money alone. Nobody waits for what is stopped.
 */
const WAITS_FOR_OTHERS = `(payments.workflow_begun_at is null and payments.state = 'ready' and exists (
    select from payments others where others.account = payments.account
      and others.sell_currency = payments.sell_currency and others.state = 'awaiting_funds'
      and not is_stopped(others.account, others.run_id))
  and not coalesce((select balances.amount > 0 and (payments.amount_side = 'buy' or balances.amount >= payments.amount)
    from balance_snapshots balances
    where balances.account = payments.account and balances.currency = payments.sell_currency), false))`;

/** What was approved, as it still is. */
const APPROVED = `join approved_payments frozen on frozen.payment_id = payments.payment_id
    and frozen.attempt = payments.attempt and frozen.row_hash = payments.row_hash`;

/**
 * Approved rows that are to be sent and due by a day (YYYY-MM-DD), in the order of the file. Rows without a day of their
 * own always are. Those that were begun are among them: their workflows go on, and where one is gone, another goes on from
 * the record. Those that wait for others to be funded are not.
 */
export async function takePayableRows(
  database: Queryable,
  page: { runId: string; afterRow: number; limit: number; dueBy: string; only?: 'begun' | 'with_open_request' },
): Promise<PlannedRow[]> {
  const { rows } = await database.query<PlannedRow>(
    `select payments.payment_id as "paymentId", row_number as "rowNumber", sell_currency as "sellCurrency",
       buy_currency as "buyCurrency", jsonb_array_length(instruction -> 'supportingFiles') as files,
       instruction -> 'beneficiary' ->> 'kind' = 'details' and not exists (
         select from beneficiaries known where known.account = payments.account
           and known.fingerprint = payments.beneficiary_hash and known.beneficiary_id is not null) as "newBeneficiary",
       open.is_there as "hasOpenRequest", workflow_begun_at is not null as "isBegun"
     from payments ${APPROVED}
     cross join lateral (select exists (select from provider_requests
       where payment_id = payments.payment_id and exclusive and outcome is null) as is_there) as open
     where payments.run_id = $1 and state in ('ready', 'quoted', 'created', 'awaiting_funds') and row_number > $2
       and coalesce(instruction ->> 'payOn', '') <= $4 and not ${WAITS_FOR_OTHERS}
       and case $5 when 'begun' then workflow_begun_at is not null when 'with_open_request' then open.is_there else true end
     order by row_number limit $3`,
    [page.runId, page.afterRow, page.limit, page.dueBy, page.only ?? 'all'],
  );
  return rows;
}

/** Whether a run may be paid now: by what people decided, and by no workflow's word. */
export async function readAuthority(
  database: Queryable,
  runId: string,
): Promise<{ isDecided: boolean; isStopped: boolean }> {
  const { rows } = await database.query<{ isDecided: boolean; isStopped: boolean }>(
    `select started_at is not null and finished_at is null as "isDecided", is_stopped(account, run_id) as "isStopped"
     from runs where run_id = $1`,
    [runId],
  );
  const [authority] = rows;
  if (authority === undefined) throw new Error(`there is no run ${runId}`);
  return authority;
}

/** The rows of the whole run, and how many were begun and are still to be funded. Those that wait for money do not count. */
export async function readWindow(database: Queryable, runId: string): Promise<{ rows: number; unsent: number }> {
  const { rows } = await database.query<{ rows: number; unsent: number }>(
    `select row_count as rows, (
       select coalesce(sum(rows), 0)::int from run_counts
       where run_id = $1 and state in ('ready', 'quoted', 'created') and (is_begun or state <> 'ready')
     ) as unsent
     from runs where run_id = $1`,
    [runId],
  );
  const [window] = rows;
  if (window === undefined) throw new Error(`there is no run ${runId}`);
  return window;
}

/** That the workflows of these payments were begun. */
export async function noteBegun(database: Queryable, paymentIds: readonly string[]): Promise<void> {
  await database.query(
    `update payments set workflow_begun_at = clock_timestamp() where payment_id = any($1::uuid[]) and workflow_begun_at is null`,
    [paymentIds],
  );
}

/** Approved rows due by a day (YYYY-MM-DD) that were not begun: those that may be now, and those that wait for money. */
export async function countToBegin(
  database: Queryable,
  runId: string,
  dueBy: string,
): Promise<{ toBegin: number; waiting: number }> {
  const { rows } = await database.query<{ waits: boolean; rows: number }>(
    `select ${WAITS_FOR_OTHERS} as waits, count(*)::int as rows from payments ${APPROVED}
     where payments.run_id = $1 and state = 'ready' and workflow_begun_at is null and coalesce(instruction ->> 'payOn', '') <= $2
     group by 1`,
    [runId, dueBy],
  );
  const count = (waits: boolean): number => rows.find((row) => row.waits === waits)?.rows ?? 0;
  return { toBegin: count(false), waiting: count(true) };
}

/** Counts and sums of the ready rows, as the proposal shows them. Amounts are decimal strings. */
export interface PlanTotals {
  rows: number;
  payable: number;
  /** Suspected duplicates. */
  suspects: number;
  files: number;
  newBeneficiaries: number;
  byCurrency: { side: 'sell' | 'buy'; sellCurrency: string; buyCurrency: string; rows: number; amount: string }[];
}

/** What an approval is bound to: SHA-256, hex, over every row to be paid and its files. */
export async function readContentHash(database: Queryable, runId: string): Promise<string> {
  const { rows } = await database.query<{ hash: string }>('select run_content_hash($1) as hash', [runId]);
  return rows[0]?.hash ?? '';
}

export async function readPlanTotals(database: Queryable, runId: string): Promise<PlanTotals> {
  const { rows: sums } = await database.query<PlanTotals['byCurrency'][number]>(
    `select amount_side as side, sell_currency as "sellCurrency", buy_currency as "buyCurrency", count(*)::int as rows,
       sum(amount)::text as amount
     from payments where run_id = $1 and state = 'ready'
     group by amount_side, sell_currency, buy_currency order by sell_currency, buy_currency, amount_side`,
    [runId],
  );
  const { rows: counts } = await database.query<{
    rows: number;
    payable: number;
    suspects: number;
    files: number;
    new_beneficiaries: number;
  }>(
    `select count(*)::int as rows,
       count(*) filter (where state = 'ready')::int as payable,
       count(*) filter (where state = 'duplicate_suspect')::int as suspects,
       coalesce(sum(jsonb_array_length(instruction -> 'supportingFiles')) filter (where state = 'ready'), 0)::int as files,
       (count(distinct payments.beneficiary_hash) filter (where state = 'ready' and payments.beneficiary_id is null
          and not exists (select from beneficiaries known where known.account = payments.account
            and known.fingerprint = payments.beneficiary_hash and known.beneficiary_id is not null)))::int as new_beneficiaries
     from payments where run_id = $1`,
    [runId],
  );
  const [count] = counts;
  if (count === undefined) throw new Error('an aggregate gave no row');
  return {
    rows: count.rows,
    payable: count.payable,
    suspects: count.suspects,
    files: count.files,
    newBeneficiaries: count.new_beneficiaries,
    byCurrency: sums,
  };
}

/** What other runs of the account that are approved and not over still have to send and to pay. */
export async function readCommittedFunds(
  database: Queryable,
  run: { runId: string; account: string },
): Promise<{ requests: number; byCurrency: { currency: string; amount: string }[] }> {
  const { rows } = await database.query<{ currency: string; amount: string; requests: number }>(
    `select sell_currency as currency,
       coalesce(sum(coalesce(total_amount, case when amount_side = 'sell' then amount end)), 0)::text as amount,
       sum(case payments.state when 'ready' then 3 when 'quoted' then 2 else 1 end)::int as requests
     from payments join runs using (run_id)
     where runs.account = $2 and runs.run_id <> $1 and runs.state in ('running', 'awaiting_funds', 'paused', 'scheduled')
       and payments.state in ('ready', 'quoted', 'created', 'awaiting_funds')
     group by sell_currency`,
    [run.runId, run.account],
  );
  return {
    requests: rows.reduce((sum, row) => sum + row.requests, 0),
    byCurrency: rows.map(({ currency, amount }) => ({ currency, amount })),
  };
}

/** The first day after the given one on which ready rows are due, and how many are; null when there is none. */
export async function nextDueDay(
  database: Queryable,
  runId: string,
  after: string,
): Promise<{ day: string; rows: number } | null> {
  const { rows } = await database.query<{ day: string; rows: number }>(
    `select instruction ->> 'payOn' as day, count(*)::int as rows from payments
     where run_id = $1 and state = 'ready' and instruction ->> 'payOn' > $2
     group by 1 order by 1 limit 1`,
    [runId, after],
  );
  return rows[0] ?? null;
}

/** Rows that have neither ended nor been set aside. */
export async function countOpen(database: Queryable, runId: string): Promise<number> {
  const { rows } = await database.query<{ open: number }>(
    `select count(*)::int as open from payments
     where run_id = $1 and state in ('ready', 'quoted', 'created', 'awaiting_funds', 'funded', 'processing')`,
    [runId],
  );
  return rows[0]?.open ?? 0;
}

/** Payments that were begun and are not funded. */
export async function listUnsentPayments(database: Queryable, runId: string): Promise<string[]> {
  const { rows } = await database.query<{ payment_id: string }>(
    `select payment_id from payments
     where run_id = $1 and state in ('ready', 'quoted', 'created', 'awaiting_funds')
       and (workflow_begun_at is not null or state <> 'ready')
     order by row_number`,
    [runId],
  );
  return rows.map((row) => row.payment_id);
}
