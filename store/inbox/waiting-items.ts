import { UNRESOLVED_BREAK_STATES } from '../../domain/reconciliation/break-state.ts';
import { STOP_IN_FORCE } from '../approvals/stops.ts';
import { ONBOARDER_CASE_STATES } from '../../domain/onboarding/case-state.ts';
import { paymentStatesWhere } from '../../domain/payments/payment-state.ts';
import { OPEN_RUN_STATES, RUN_OUTCOMES, type RunState, UNSUBMITTED_RUN_STATES } from '../../domain/runs/run-state.ts';
import { HELD_CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import { sqlList } from '../database/sql-list.ts';
import type { Queryable } from '../database/database.ts';

/** What waits for people. Which of it waits for a certain user is asked of the functions that decide about it. */

export interface WaitingItem {
  id: string;
  title: string;
  account: string | null;
  state: string | null;
  count: number;
  waitingSince: Date;
  expiresAt: Date | null;
  runId: string | null;
  day: string | null;
}

/** Rows of an ended run that were meant to be paid and were not: not those that people took out or that had errors. */
const UNPAID_STATES = paymentStatesWhere(({ counts }) => counts.asSubmitted && counts.asUnpaid);
/** A row in these states was submitted again: it was accepted, and people have not taken it back. */
const SUBMITTED_STATES = paymentStatesWhere(({ counts }) => counts.asSubmitted);
const HELD_STATES = paymentStatesWhere(({ stage }) => stage === 'on_hold');
const PEOPLE_STATES = paymentStatesWhere(({ progress }) => progress.waitsFor === 'person');
/** Of each run, so many unpaid rows are looked at, and so many of them counted. */
const UNPAID_LOOKED_AT = 10_000;
const UNPAID_COUNTED = 1_000;

/** SQL: runs with rows in these states, and since when the oldest of them is. */
const runsWithRows = (states: string, ofRuns: string): string => `
  select runs.run_id as id, file_name as title, runs.account, runs.state, counted.rows::int as count,
    (select min(changed_at) from payments where payments.run_id = runs.run_id and payments.state in (${states})) as "waitingSince",
    null::timestamptz as "expiresAt", runs.run_id as "runId", null::text as day
  from (select run_id, sum(rows) as rows from run_counts
    where state in (${sqlList(PEOPLE_STATES)}) and state in (${states})
    group by run_id having sum(rows) > 0) as counted
  join runs using (run_id) where ${ofRuns} and ($1::text[] is null or runs.account = any($1))`;

/** SQL: how many rows of a run are unpaid and not in a later run. `offset 0` has each looked for by its index. */
const UNPAID = `select count(*)::int as rows from (
    select from (select row_ref from payments where payments.run_id = runs.run_id and payments.state in (${sqlList(UNPAID_STATES)})
      limit ${UNPAID_LOOKED_AT}) as unpaid
    where not exists (
      select from (select run_id from payments other where other.account = runs.account and other.row_ref = unpaid.row_ref
        and other.state in (${sqlList(SUBMITTED_STATES)}) offset 0) as same join runs as later using (run_id)
      where later.submitted_at > runs.submitted_at and later.state not in (${sqlList(UNSUBMITTED_RUN_STATES)}))
    limit ${UNPAID_COUNTED}) as counted`;

/** SQL: whether one of the first rows of a run is in a later one. */
const SUBMITTED_AGAIN = `
    select from (select row_ref from payments where payments.run_id = runs.run_id order by row_number limit 100) as mine
    join payments other on other.account = runs.account and other.row_ref = mine.row_ref
    join runs later on later.run_id = other.run_id
    where later.submitted_at > runs.submitted_at and later.state not in (${sqlList(UNSUBMITTED_RUN_STATES)})`;

const NO_RUN = 'null::uuid as "runId", null::text as day';
const RUN_COLUMNS = `runs.run_id as "runId", null::text as day`;
const ORDER_COLUMNS = `order_id as id, concat_ws(' ', case fixed_side when 'sell' then sell_currency else buy_currency end, amount,
    '(' || sell_currency || ' → ' || buy_currency || ')') as title, account, state, 1 as count,
  ${NO_RUN}`;

const runsWaiting = (state: RunState): string => `
    select runs.run_id as id, file_name as title, account, state, row_count as count, opened_at as "waitingSince",
      opened_at + decide_within as "expiresAt", ${RUN_COLUMNS}
    from runs where state = '${state}' and finished_at is null and ($1::text[] is null or account = any($1))`;

/** One statement for each kind. $1: the accounts, null for all of them. $2: the maximum. From $3 on: what `GIVEN` names. */
const STATEMENTS = {
  runs_in_approval: runsWaiting('in_approval'),
  own_checked_runs: `${runsWaiting('checked')} and submitted_by = $3::uuid`,
  own_runs_in_approval: `${runsWaiting('in_approval')} and submitted_by = $3::uuid`,
  own_unapproved_runs: `
    select runs.run_id as id, file_name as title, account, state, row_count as count, finished_at as "waitingSince",
      null::timestamptz as "expiresAt", ${RUN_COLUMNS}
    from runs where state in (${sqlList(UNSUBMITTED_RUN_STATES)}) and submitted_by = $3::uuid and finished_at > $4
      and not exists (${SUBMITTED_AGAIN}) and ($1::text[] is null or account = any($1))`,
  unknown_rows: runsWithRows(`'unknown'`, 'true'),
  held_rows: runsWithRows(sqlList(HELD_STATES), `runs.state in (${sqlList(OPEN_RUN_STATES)})`),
  // Of an import of the whole book, those that have waited longest.
  proposed_accounts: `
    select account || ' ' || beneficiary_key as id, beneficiary_key as title, account, 'proposed' as state, count(*)::int as count,
      min(added_at) as "waitingSince", null::timestamptz as "expiresAt", ${NO_RUN}
    from (select account, beneficiary_key, added_at from beneficiary_accounts
      where state = 'proposed' and added_by <> $3::uuid and ($1::text[] is null or account = any($1))
      order by added_at limit 5000) as proposed
    group by account, beneficiary_key`,
  unpaid_rows: `
    select runs.run_id as id, file_name as title, account, state, unpaid.rows as count, finished_at as "waitingSince",
      null::timestamptz as "expiresAt", ${RUN_COLUMNS}
    from runs cross join lateral (${UNPAID}) as unpaid
    where state in (${sqlList(RUN_OUTCOMES)}) and finished_at > $3 and unpaid.rows > 0 and ($1::text[] is null or account = any($1))`,
  row_manual_outcomes: `
    select payment_id as id, file_name || ', line ' || line as title, runs.account, payments.state, 1 as count,
      proposed_at as "waitingSince", null::timestamptz as "expiresAt", ${RUN_COLUMNS}
    from payment_manual_outcomes join payments using (payment_id) join runs using (run_id)
    where payment_manual_outcomes.state = 'proposed' and ($1::text[] is null or runs.account = any($1))`,
  orders_in_approval: `
    select ${ORDER_COLUMNS}, placed_at as "waitingSince", expires_at as "expiresAt" from conversion_orders
    where state = 'in_approval' and ended_at is null and ($1::text[] is null or account = any($1))`,
  unknown_orders: `
    select ${ORDER_COLUMNS}, changed_at as "waitingSince", null::timestamptz as "expiresAt" from conversion_orders
    where state in (${sqlList(HELD_CONVERSION_STATES)}) and ended_at is null and ($1::text[] is null or account = any($1))`,
  order_manual_outcomes: `
    select ${ORDER_COLUMNS}, proposed_at as "waitingSince", null::timestamptz as "expiresAt" from (
      select order_id, proposed_at from conversion_manual_outcomes where state = 'proposed') as proposed join conversion_orders using (order_id)
    where $1::text[] is null or account = any($1)`,
  schedule_versions: `
    select schedule_id as id, name || ', version ' || proposed.version as title, account, schedules.state, 1 as count,
      proposed_at as "waitingSince", null::timestamptz as "expiresAt", ${NO_RUN}
    from schedule_versions proposed join schedules using (schedule_id)
    where proposed.state = 'proposed' and schedules.state <> 'deleted' and ($1::text[] is null or account = any($1))`,
  cases: `
    select case_id as id, applicant_ref as title, account, state, 1 as count, coalesce(waiting_since, changed_at) as "waitingSince",
      null::timestamptz as "expiresAt", ${NO_RUN}
    from cases where state in (${sqlList(ONBOARDER_CASE_STATES)}) and ended_at is null and ($1::text[] is null or account = any($1))`,
  case_manual_outcomes: `
    select case_id as id, applicant_ref as title, account, cases.state, 1 as count, proposed_at as "waitingSince",
      null::timestamptz as "expiresAt", ${NO_RUN}
    from case_manual_outcomes proposed join cases using (case_id)
    where proposed.state = 'proposed' and ($1::text[] is null or account = any($1))`,
  unknown_virtual_accounts: `
    select virtual_account_id as id, name as title, account, state, 1 as count, changed_at as "waitingSince",
      null::timestamptz as "expiresAt", ${NO_RUN}
    from virtual_accounts where state = 'unknown' and ($1::text[] is null or account = any($1))`,
  virtual_account_manual_outcomes: `
    select virtual_account_id as id, name as title, account, virtual_accounts.state, 1 as count, proposed_at as "waitingSince",
      null::timestamptz as "expiresAt", ${NO_RUN}
    from virtual_account_manual_outcomes proposed join virtual_accounts using (virtual_account_id)
    where proposed.state = 'proposed' and ($1::text[] is null or account = any($1))`,
  receipts: `
    select currency || ' ' || entry_id as id, amount || ' ' || currency as title, account, null::text as state, 1 as count,
      seen_at as "waitingSince", null::timestamptz as "expiresAt", ${NO_RUN}
    from receipts where explained_by is null and seen_at < $3 and ($1::text[] is null or account = any($1))`,
  breaks: `
    select break_id as id, type || ' ' || currency as title, account, state, 1 as count, found_at as "waitingSince",
      null::timestamptz as "expiresAt", null::uuid as "runId", day::text as day
    from reconciliation_breaks where state in (${sqlList(UNRESOLVED_BREAK_STATES)}) and ($1::text[] is null or account = any($1))`,
  // Days are signed in their order: the first that is left of each account.
  days: `
    select account || ' ' || day as id, account as title, account, state, unsigned.days as count, reconciled_at as "waitingSince",
      null::timestamptz as "expiresAt", null::uuid as "runId", day::text as day
    from (select account, min(day) as day, count(*)::int as days from book_days
      where state = 'matched' and ($1::text[] is null or account = any($1)) group by account) as unsigned
    join book_days using (account, day)
    where reconciled_at >= book_day_seen_at(day) and not is_outdated(account, day)`,
  stops: `
    select stop_id as id, coalesce(file_name, stops.account, 'everything') as title, coalesce(stops.account, runs.account) as account,
      stops.scope as state, 1 as count, coalesce(lift_asked_at, stopped_at) as "waitingSince", null::timestamptz as "expiresAt", ${RUN_COLUMNS}
    from stops left join runs using (run_id) where ${STOP_IN_FORCE} and cancelled_at is null
      and (lift_asked_by is not null or refusals is not null)
      and ($1::text[] is null or scope = 'all' or coalesce(stops.account, runs.account) = any($1))`,
  changes: `
    select change_id as id, changes.kind as title, null::text as account, state, 1 as count, proposed_at as "waitingSince",
      takes_effect_at as "expiresAt", ${NO_RUN}
    from changes where state = 'pending' and ($1::text[] is null or true)`,
} as const;

export type WaitingKind = keyof typeof STATEMENTS;

/** What a statement depends on beside the accounts. */
interface Given {
  /** Of unpaid rows, and of runs that were not approved: the earliest end of the run. */
  endedAfter: Date;
  /** Of receipts: later ones may still be explained by what the provider lists. */
  seenBefore: Date;
  /** Whose runs; who does not confirm what they added. */
  maker: string;
}

const GIVEN: Readonly<Partial<Record<WaitingKind, readonly (keyof Given)[]>>> = {
  unpaid_rows: ['endedAfter'],
  receipts: ['seenBefore'],
  own_checked_runs: ['maker'],
  own_runs_in_approval: ['maker'],
  proposed_accounts: ['maker'],
  own_unapproved_runs: ['maker', 'endedAfter'],
};

/** Those that have waited longest first. */
export async function listWaiting(
  database: Queryable,
  kind: WaitingKind,
  page: { accounts: readonly string[] | null; limit: number } & Given,
): Promise<WaitingItem[]> {
  const { accounts, limit } = page;
  const given = (GIVEN[kind] ?? []).map((name) => page[name]);
  const { rows } = await database.query<WaitingItem>(
    `select * from (${STATEMENTS[kind]}) as waiting order by "waitingSince", id limit $2`,
    [accounts, limit, ...given],
  );
  return rows;
}

/** Rises whenever anything was recorded, so that what depends on the database need not be computed again before. */
export async function readAuditPosition(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ entry: number | null }>('select max(entry_id) as entry from audit_entries');
  return rows[0]?.entry ?? 0;
}
