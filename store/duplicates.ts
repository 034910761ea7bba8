import type { Queryable } from './database.ts';

/** When the very same file was submitted before, and not rejected: the time of the latest; null when it never was. */
export async function sameFileBefore(database: Queryable, runId: string): Promise<Date | null> {
  const { rows } = await database.query<{ submitted_at: Date | null }>(
    `select max(other.submitted_at) as submitted_at from runs mine
     join runs other on other.account = mine.account and other.file_sha256 = mine.file_sha256 and other.run_id <> mine.run_id
       and other.submitted_at <= mine.submitted_at and other.state <> all($2)
     where mine.run_id = $1`,
    [runId, DEAD_RUN_STATES],
  );
  return rows[0]?.submitted_at ?? null;
}

/** States of a row that was, is being, or may yet be paid. */
const LIVE_STATES = [
  'ready',
  'quoted',
  'created',
  'awaiting_funds',
  'funded',
  'processing',
  'paid',
  'returned',
  'unknown',
];
/** Of a cancelled run some rows may have been sent: there the state of each row says it. */
const DEAD_RUN_STATES = ['rejected', 'expired'];

/**
 * Marks the ready rows of a run whose `row_ref` was used before, ever, or whose payee, amount and currency occur in
 * another live row of the last days or in an earlier row of the same file. Answers how many it marked.
 */
export async function markDuplicates(database: Queryable, runId: string, withinDays: number): Promise<number> {
  const { rowCount } = await database.query(
    `with suspect as (
       select distinct on (mine.payment_id) mine.payment_id,
         case when other.row_ref = mine.row_ref then 'row_ref_used_before' else 'same_payee_and_amount' end as code,
         other.line as other_line, other.run_id as other_run, runs.file_name as other_file
       from payments mine
       join payments other on other.account = mine.account and other.payment_id <> mine.payment_id
         and other.state = any($2)
         and (other.row_ref = mine.row_ref
           or (other.payee_fingerprint = mine.payee_fingerprint and other.buy_currency = mine.buy_currency
               and other.sell_currency = mine.sell_currency
               and other.amount = mine.amount and other.amount_side = mine.amount_side))
       join runs on runs.run_id = other.run_id
       where mine.run_id = $1 and mine.state = 'ready'
         and runs.state <> all($3)
         and (other.run_id <> mine.run_id or other.row_number < mine.row_number)
         and (other.row_ref = mine.row_ref or other.run_id = mine.run_id
           or runs.submitted_at > clock_timestamp() - make_interval(days => $4))
       order by mine.payment_id, (other.row_ref = mine.row_ref) desc, runs.submitted_at
     ), marked as (
       update payments set state = 'duplicate_suspect', changed_at = clock_timestamp(), error_code = suspect.code,
         error_message = (case suspect.code when 'row_ref_used_before' then 'the same row_ref is on line '
           else 'the same payee, amount and currency are on line ' end) || suspect.other_line
           || case when suspect.other_run = payments.run_id then ' of this file' else ' of ' || suspect.other_file end
       from suspect where payments.payment_id = suspect.payment_id and payments.state = 'ready'
       returning payments.payment_id, payments.run_id, suspect.code, suspect.other_run
     )
     insert into audit_entries (actor, kind, run_id, payment_id, detail)
     select 'worker', 'duplicate_suspected', run_id, payment_id, jsonb_build_object('code', code, 'otherRun', other_run) from marked`,
    [runId, LIVE_STATES, DEAD_RUN_STATES, withinDays],
  );
  return rowCount ?? 0;
}
