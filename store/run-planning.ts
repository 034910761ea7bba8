import type { Queryable } from './database.ts';

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
}

/**
 * Approved rows that are to be sent and due by a day (YYYY-MM-DD), in the order of the file. Rows without a day of their
 * own always are. Those that are quoted or created are among them: their workflows go on, and where one is gone, another
 * goes on from the record.
 */
export async function takePayableRows(
  database: Queryable,
  page: { runId: string; afterRow: number; limit: number; dueBy: string; onlyWithOpenRequest?: boolean },
): Promise<PlannedRow[]> {
  const { rows } = await database.query<PlannedRow>(
    `select payments.payment_id as "paymentId", row_number as "rowNumber", sell_currency as "sellCurrency",
       buy_currency as "buyCurrency", jsonb_array_length(instruction -> 'supportingFiles') as files,
       instruction -> 'beneficiary' ->> 'kind' = 'details' and not exists (
         select from beneficiaries known where known.account = payments.account
           and known.fingerprint = payments.beneficiary_hash and known.beneficiary_id is not null) as "newBeneficiary",
       open.is_there as "hasOpenRequest"
     from payments
     join approved_payments frozen on frozen.payment_id = payments.payment_id and frozen.attempt = payments.attempt
       and frozen.row_hash = payments.row_hash
     cross join lateral (select exists (select from provider_requests
       where payment_id = payments.payment_id and exclusive and outcome is null) as is_there) as open
     where payments.run_id = $1 and state in ('ready', 'quoted', 'created') and row_number > $2
       and coalesce(instruction ->> 'payOn', '') <= $4 and (open.is_there or not $5)
     order by row_number limit $3`,
    [page.runId, page.afterRow, page.limit, page.dueBy, page.onlyWithOpenRequest === true],
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

/** The rows of the whole run, and how many were begun up to a row and are still to be funded, of those due by a day. */
export async function readWindow(
  database: Queryable,
  upTo: { runId: string; afterRow: number; dueBy: string },
): Promise<{ rows: number; unsent: number }> {
  const { rows } = await database.query<{ rows: number; unsent: number }>(
    `select row_count as rows, (
       select count(*)::int from payments
       where run_id = $1 and row_number <= $2 and state in ('ready', 'quoted', 'created')
         and coalesce(instruction ->> 'payOn', '') <= $3
     ) as unsent
     from runs where run_id = $1`,
    [upTo.runId, upTo.afterRow, upTo.dueBy],
  );
  const [window] = rows;
  if (window === undefined) throw new Error(`there is no run ${upTo.runId}`);
  return window;
}

/** Counts and sums of the ready rows, as the proposal shows them. Amounts are decimal strings. */
export interface PlanTotals {
  rows: number;
  payable: number;
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
    files: number;
    new_beneficiaries: number;
  }>(
    `select count(*)::int as rows,
       count(*) filter (where state = 'ready')::int as payable,
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
    files: count.files,
    newBeneficiaries: count.new_beneficiaries,
    byCurrency: sums,
  };
}

/** What other runs of the account that are approved and not over still have to send and to pay. */
export async function readClaims(
  database: Queryable,
  run: { runId: string; account: string },
): Promise<{ requests: number; byCurrency: { currency: string; amount: string }[] }> {
  const { rows } = await database.query<{ currency: string; amount: string; requests: number }>(
    `select sell_currency as currency,
       coalesce(sum(coalesce(total_amount, case when amount_side = 'sell' then amount end)), 0)::text as amount,
       sum(case payments.state when 'ready' then 3 when 'quoted' then 2 else 1 end)::int as requests
     from payments join runs using (run_id)
     where runs.account = $2 and runs.run_id <> $1 and runs.state in ('running', 'awaiting_funds', 'paused', 'scheduled')
       and payments.state in ('ready', 'quoted', 'created')
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
     where run_id = $1 and state in ('ready', 'quoted', 'created', 'funded', 'processing')`,
    [runId],
  );
  return rows[0]?.open ?? 0;
}

/** Payments that were begun, as far as the workflow of their run knows, and are not funded. */
export async function listUnsentPayments(database: Queryable, runId: string, upToRow: number): Promise<string[]> {
  const { rows } = await database.query<{ payment_id: string }>(
    `select payment_id from payments
     where run_id = $1 and row_number <= $2 and state in ('ready', 'quoted', 'created') order by row_number`,
    [runId, upToRow],
  );
  return rows.map((row) => row.payment_id);
}
