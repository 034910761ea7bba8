import { COUNTED_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { UNSUBMITTED_RUN_STATES, WITHDRAWN_RUN_STATES } from '../../domain/runs/run-state.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';
import { ACCOUNT_HASH, BENEFICIARY } from './reviewed-rows.ts';

/** A run that has the same file, or the same sheet or block of it. */
export interface EarlierSubmission {
  runId: string;
  fileName: string;
  submittedAt: Date;
  /** The name of a user. */
  submittedBy: string;
}

/**
 * Other runs of the account of `mine` with its file, and the same sheet or block of it, that were submitted before, and neither rejected nor expired by then, nor withdrawn with
 * nothing sent. $1 run, $2 states, $3 time, $4 withdrawn states, $5 states of rows that count.
 */
const WITH_THE_SAME_FILE = `runs mine
  join runs other on other.account = mine.account and other.file_sha256 = mine.file_sha256 and other.run_id <> mine.run_id
    -- guard: another-sheet-is-another-file
    and other.header ->> 'sheetName' is not distinct from mine.header ->> 'sheetName'
    and other.submitted_at <= mine.submitted_at and (other.state <> all($2) or other.finished_at > $3::timestamptz)
    and (other.state <> all($4) or other.finished_at > $3::timestamptz
      or exists (select from payments where payments.run_id = other.run_id and payments.state = any($5)))`;

/** When the same file, or the same sheet or block of it, was last submitted, in a run that was neither rejected nor expired; null: never. */
export async function readEarlierSubmission(database: Queryable, runId: string): Promise<Date | null> {
  const { rows } = await database.query<{ submitted_at: Date | null }>(
    `select max(other.submitted_at) as submitted_at from ${WITH_THE_SAME_FILE} where mine.run_id = $1`,
    [runId, UNSUBMITTED_RUN_STATES, null, WITHDRAWN_RUN_STATES, COUNTED_PAYMENT_STATES],
  );
  return rows[0]?.submitted_at ?? null;
}

/**
 * Runs of the same account with the same file that were submitted before, and neither rejected nor expired by `asOf` (null: by now): the
 * latest first, `limit` at most, and how many there are in all. Workers may not read who submitted them.
 */
export async function readEarlierSubmissions(
  database: Queryable,
  { runId, asOf }: { runId: string; asOf: Date | null },
  limit: number,
): Promise<{ runs: EarlierSubmission[]; count: number }> {
  const { rows } = await database.query<EarlierSubmission & { count: number }>(
    `select other.run_id as "runId", other.file_name as "fileName", other.submitted_at as "submittedAt",
       users.name as "submittedBy", count(*) over ()::int as count
     from ${WITH_THE_SAME_FILE} join users on users.user_id = other.submitted_by
     where mine.run_id = $1 order by other.submitted_at desc, other.run_id limit $6`,
    [runId, UNSUBMITTED_RUN_STATES, asOf, WITHDRAWN_RUN_STATES, COUNTED_PAYMENT_STATES, limit],
  );
  const runs = rows.map(({ runId: id, fileName, submittedAt, submittedBy }) => ({
    runId: id,
    fileName,
    submittedAt,
    submittedBy,
  }));
  return { runs, count: rows[0]?.count ?? 0 };
}

/** SQL: the other row was paid, or may be. */
export const COUNTS = 'may_be_repeated(other.state, other.account, other.provider_payment_id)';

/** SQL: the other row may still be paid, or was paid lately. */
export const MAY_REPEAT = 'may_still_be_repeated(other.state, other.ended_at, (select days from duplicate_terms()))';

/** The ready rows of a run, with their account hashes where known. */
const READY_ROWS = `select payments.payment_id, payments.account, payments.row_number, payments.line, payments.row_ref,
    payments.beneficiary_fingerprint, ${ACCOUNT_HASH} as account_hash,
    payments.amount, payments.amount_side, payments.sell_currency, payments.buy_currency
  from payments ${BENEFICIARY} where payments.run_id = $1 and payments.state = 'ready'`;

/** What two rows have in common that pay the same. */
export const AMOUNT_COLUMNS = 'amount, amount_side, sell_currency, buy_currency';

/**
 * The earliest matching row of another run. `offset 0` makes Postgres find rows by the index first and their runs second:
 * without statistics it would scan the rows of every run.
 */
const earliestOther = (rows: string): string => `
  select other.line, other.run_id, runs.account as of_account, runs.file_name, runs.submitted_at
  from (select other.line, other.run_id from ${rows} offset 0) as other
  join runs on runs.run_id = other.run_id and run_counts_as_submitted(runs.state)
  order by runs.submitted_at limit 1`;

/**
 * Marks ready rows of a run as suspected duplicates and returns how many: rows whose `row_ref` another row that counts has, however
 * old, and rows that pay the same amount to the same account as a row of the last days or an earlier row of the file. The account counts,
 * however the holder is spelt, and whether the row gives the account or the provider's id of a beneficiary with it. A regular payment is
 * none where the policy says so. The time grows with the number of rows, not of pairs.
 */
export async function markDuplicates(database: Database, runId: string): Promise<number> {
  return inTransaction(database, async (transaction) => {
    // What people decide on, or have approved, is not changed by whoever reaches Temporal.
    const { rows } = await transaction.query<{ isChecked: boolean }>(
      'select note_duplicates_checked($1) as "isChecked"',
      [runId],
    );
    // guard: suspected-before-decided
    if (rows[0]?.isChecked !== true) return 0;
    // Rows that were just stored have no statistics: expecting one row, the planner would compare all pairs.
    await transaction.query('set local enable_nestloop = off');
    return markSuspects(transaction, runId);
  });
}

async function markSuspects(transaction: Queryable, runId: string): Promise<number> {
  const { rowCount } = await transaction.query(
    `with mine as materialized (${READY_ROWS}),
     in_file as (
       select *, first_value(line) over same_account as account_line, first_value(line) over same_beneficiary as beneficiary_line,
         first_value(line) over same_ref as ref_line
       from mine
       window same_account as (partition by coalesce(account_hash, payment_id::text), ${AMOUNT_COLUMNS} order by row_number),
         same_beneficiary as (partition by coalesce(beneficiary_fingerprint, payment_id::text), ${AMOUNT_COLUMNS} order by row_number),
         same_ref as (partition by row_ref order by row_number)
     ), same_ref_before as (
       select refs.row_ref, before.* from (select distinct account, row_ref from mine) as refs
       cross join lateral (${earliestOther(`payments other
         where other.account = refs.account and other.row_ref = refs.row_ref and other.run_id <> $1 and ${COUNTS}`)}) as before
     ), paid as (
       select distinct account, account_hash, beneficiary_fingerprint, ${AMOUNT_COLUMNS} from mine
     ), paid_before as (
       select paid.*, before.* from paid
       -- guard: paid-to-the-account-before
       cross join lateral (${earliestOther(`same_payments(paid.account, beneficiary_fingerprint, account_hash,
         ${AMOUNT_COLUMNS}) as other where other.run_id <> $1`)}) as before
     ), suspect as (
       select payment_id,
         case when coalesce(ref.line, nullif(ref_line, in_file.line)) is not null then 'row_ref_used_before'
           else 'same_beneficiary_and_amount' end as code,
         case when ref.line is not null then ref.line when ref_line <> in_file.line then ref_line
           when before.line is not null then before.line else least(account_line, beneficiary_line) end as other_line,
         case when ref.line is not null then ref.file_name when ref_line <> in_file.line then null
           else before.file_name end as other_file,
         ref.line is null and ref_line = in_file.line and before.of_account <> in_file.account as is_of_other_account,
         case when ref.line is not null then ref.run_id when ref_line <> in_file.line then $1
           else coalesce(before.run_id, $1) end as other_run
       from in_file
       left join same_ref_before ref using (row_ref)
       left join paid_before before on before.beneficiary_fingerprint is not distinct from in_file.beneficiary_fingerprint
         and before.account_hash is not distinct from in_file.account_hash and before.amount = in_file.amount
         and before.amount_side = in_file.amount_side and before.sell_currency = in_file.sell_currency
         and before.buy_currency = in_file.buy_currency
       where ref.line is not null or ref_line <> in_file.line or account_line <> in_file.line or beneficiary_line <> in_file.line
         -- guard: regular-where-the-policy-says-so (2 lines)
         or before.line is not null
           and not case when (select is_regular_warned from duplicate_terms()) then is_regular_payment(in_file.payment_id) else false end
     ), marked as (
       update payments set state = 'duplicate_suspect', changed_at = clock_timestamp(), error_code = suspect.code,
         error_message = (case suspect.code when 'row_ref_used_before' then 'the same row_ref is '
           else 'the same amount to the same account is ' end)
           || case
             -- guard: other-account-unnamed
             when suspect.is_of_other_account then 'in a run of another provider account'
             else 'on line ' || suspect.other_line || coalesce(' of ' || suspect.other_file, ' of this file') end
       from suspect where payments.payment_id = suspect.payment_id and payments.state = 'ready'
       returning payments.payment_id, payments.run_id, suspect.code, suspect.other_run
     )
     insert into audit_entries (actor, kind, run_id, payment_id, detail)
     select 'worker', 'duplicate_suspected', run_id, payment_id, jsonb_build_object('code', code, 'otherRun', other_run) from marked`,
    [runId],
  );
  return rowCount ?? 0;
}
