import type { PaidBefore, RowFacts } from '../../domain/runs/run-findings.ts';
import { FAILED_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import type { RunState } from '../../domain/runs/run-state.ts';
import type { Queryable } from '../database/database.ts';
import { openCursor } from '../database/cursor.ts';
import { sqlList } from '../database/sql-list.ts';
import { ACCOUNT_HASH, BENEFICIARY, NAME_HASH, ROUTING_HASH } from './reviewed-rows.ts';

/** Which rows of a run are reviewed, and against what was paid by which time. */
export interface ReviewScope {
  runId: string;
  account: string;
  /** The rows as approved; else those that would be paid. */
  isApproved: boolean;
  /** The time of the decision: the people who decided could not know later payments. Null: no decision yet. */
  asOf: Date | null;
  state: RunState;
  /** Of its file. */
  rowCount: number;
}

export interface ReviewedRun extends ReviewScope {
  /** What an approval is, or was, bound to. */
  contentHash: string;
}

const SCOPE = `run_id as "runId", account, state, row_count as "rowCount", started_at is not null as "isApproved",
  least(decided_at, finished_at) as "asOf"`;

/** Without the content hash, which takes longer the more rows there are. */
export async function readReviewScope(database: Queryable, runId: string): Promise<ReviewScope | null> {
  const { rows } = await database.query<ReviewScope>(`select ${SCOPE} from runs where run_id = $1`, [runId]);
  return rows[0] ?? null;
}

export async function readReviewedRun(database: Queryable, runId: string): Promise<ReviewedRun | null> {
  const { rows } = await database.query<ReviewedRun>(
    `select ${SCOPE},
       case when started_at is null then run_content_hash(run_id) else coalesce(
         (select content_hash from approvals where approvals.run_id = runs.run_id and decision = 'approved'
          order by approvals.decided_at desc limit 1), proposal ->> 'contentHash', '') end as "contentHash"
     from runs where run_id = $1`,
    [runId],
  );
  return rows[0] ?? null;
}

const CURRENCY = `case amount_side when 'sell' then sell_currency else buy_currency end`;
/** The rows of a run that are reviewed: those as approved, or those that would be paid. */
export const REVIEWED = (
  runId: string,
  isApproved: string,
): string => `payments.run_id = ${runId} and case when ${isApproved} then exists (
  select from approved_payments approved where approved.payment_id = payments.payment_id) else payments.state = 'ready' end`;
/** Why the account of a row is not known: an `UnknownReason`. */
const UNKNOWN = `case when ${ACCOUNT_HASH} is not null then null when not beneficiary.is_read then 'not_read'
  when beneficiary.shown is null then 'no_such_beneficiary' else 'no_account_shown' end`;
/** $1 run, $4 the time. */
export const EARLIER = `paid.run_id <> $1 and paid.paid_at <= coalesce($4::timestamptz, 'infinity')`;
/** SQL: the rows by which money was sent under a name, and those that people approved, which may still wait for their day. $3 account. */
// guard: approved-counts-as-known
export const KNOWN_UNDER_NAME = (name: string): string => `(
    select run_id, payment_id, account_hash, paid_at, true as is_paid from paid_under_name($3, ${name})
    union all select run_id, payment_id, account_hash, paid_at, false from approved_under_name($3, ${name})) paid`;
/**
 * Whether the row is as it was in another run, where it failed or was rejected by the time $3. All but its line counts, and what is in
 * its files. `offset 0` has each looked for by its `row_ref`, and not among all that failed.
 */
const HAS_FAILED_BEFORE = `exists (
  select from (select run_id, state, ended_at, instruction from payments other
    where other.account = payments.account and other.row_ref = payments.row_ref and other.run_id <> $1 offset 0) as failed
  where failed.state in (${sqlList(FAILED_PAYMENT_STATES)}) and failed.ended_at <= coalesce($3::timestamptz, 'infinity')
    and failed.instruction - 'line' = payments.instruction - 'line'
    and not exists (
      select from jsonb_array_elements_text(payments.instruction -> 'supportingFiles') as named (name)
      left join supporting_files mine on mine.run_id = payments.run_id and mine.name = named.name
      left join supporting_files theirs on theirs.run_id = failed.run_id and theirs.name = named.name
      where mine.sha256 is distinct from theirs.sha256))`;
const LAST_AMOUNTS = 12;

/** The rows of a run that are reviewed, with what was paid before. */
export interface ReviewedRows {
  /** In the order of the file; each time that it is called, all of them. */
  forEach(visit: (row: RowFacts) => void): Promise<void>;
}

/**
 * A number for each name, account, route and currency of the run, the same each time that a transaction asks. It and the numbers of names,
 * accounts and the routes to them take less memory than hashes. All are in one order, which is sorted once.
 */
const WAY = 'dense_rank() over (order by name, account, routing, currency)';

/** $1 run, $2 whether as approved, $3 the time. */
const ROWS = `
  select "rowNumber", line, "rowRef", amount, "payOn", "beneficiaryId", unknown, release, "hasFailedBefore", currency, (${WAY})::int as way,
    case when name is not null then dense_rank() over (order by name) end::text as name,
    case when routing is not null then dense_rank() over (order by name, account, routing) end::text as routing,
    case when account is not null then dense_rank() over (order by account) end::text as account
  from (
    select row_number as "rowNumber", line, row_ref as "rowRef", ${NAME_HASH} collate "C" as name, ${ACCOUNT_HASH} collate "C" as account,
      ${ROUTING_HASH} collate "C" as routing, ${CURRENCY} collate "C" as currency, amount::text, instruction ->> 'payOn' as "payOn",
      instruction #>> '{beneficiary,beneficiaryId}' as "beneficiaryId", ${UNKNOWN} as unknown,
      (select remark_id from row_releases where row_releases.payment_id = payments.payment_id order by attempt desc limit 1) as release,
      ${HAS_FAILED_BEFORE} as "hasFailedBefore"
    from payments ${BENEFICIARY} where ${REVIEWED('$1', '$2')}) as reviewed
  order by "rowNumber"`;

/** Needs a transaction, so that all of it is of one moment. */
export async function openReviewedRows(transaction: Queryable, scope: ReviewScope): Promise<ReviewedRows> {
  // Compiling such a query takes longer than it saves.
  await transaction.query('set local jit = off');
  const before = await readPaidBefore(transaction, scope);
  const rows = await openCursor<Omit<RowFacts, 'before'> & { way: number }>(transaction, 'reviewed_rows', ROWS, [
    scope.runId,
    scope.isApproved,
    scope.asOf,
  ]);
  return {
    forEach: (visit) =>
      rows.forEach(({ way, ...row }) => {
        visit({ ...row, before: before[way] ?? NOTHING });
      }),
  };
}

const NOTHING: PaidBefore = {
  isNamePaid: false,
  isNameKnownElsewhere: false,
  isAccountPaid: false,
  isPairPaid: false,
  isRoutingPaid: false,
  isAccountPaidToOthers: false,
  largest: null,
};

/** $1 run, $2 whether as approved, $3 account, $4 the time. */
const PAID_BEFORE = `with asked as materialized (
       select name, account, routing, currency, (${WAY})::int as way from (
         select ${NAME_HASH} collate "C" as name, ${ACCOUNT_HASH} collate "C" as account, ${ROUTING_HASH} collate "C" as routing,
           ${CURRENCY} collate "C" as currency, min(row_number) as first_row
         from payments ${BENEFICIARY} where ${REVIEWED('$1', '$2')} group by 1, 2, 3, 4) as ways
       order by first_row
     )
     select way, by_name.is_paid as "isNamePaid", by_name.is_pair_paid as "isPairPaid",
       by_name.is_routing_paid as "isRoutingPaid",
       exists (select from ${KNOWN_UNDER_NAME('asked.name')} where ${EARLIER} and paid.account_hash is distinct from asked.account) as "isNameKnownElsewhere",
       by_name.is_pair_paid or by_account.is_paid as "isAccountPaid", by_account.is_paid_to_others as "isAccountPaidToOthers",
       case when by_name.is_paid then by_name.largest else by_account.largest end as largest
     from asked
     cross join lateral (
       select count(*) > 0 as is_paid, coalesce(bool_or(paid.account_hash = asked.account), false) as is_pair_paid,
         coalesce(bool_or(paid.account_hash = asked.account and paid.routing_hash = asked.routing), false) as is_routing_paid,
         max(amount) filter (where paid.currency = asked.currency and nth <= ${LAST_AMOUNTS})::text as largest
       from (select paid.*, row_number() over (partition by paid.currency order by paid_at desc, payment_id) as nth
         from paid_under_name($3, asked.name) paid where ${EARLIER}) paid
     ) by_name
     cross join lateral (
       select count(*) > 0 as is_paid, coalesce(bool_or(paid.name_hash <> asked.name), false) as is_paid_to_others,
         max(amount) filter (where paid.currency = asked.currency and nth <= ${LAST_AMOUNTS})::text as largest
       from (select paid.*, row_number() over (partition by paid.currency order by paid_at desc, payment_id) as nth
         from paid_to_account($3, asked.account) paid where not by_name.is_pair_paid and ${EARLIER}) paid
     ) by_account`;

/**
 * For each way, by its number. In the order of the file, because earlier payments are mostly stored in the same order; the account is
 * searched for only if the pair is new.
 */
async function readPaidBefore(transaction: Queryable, scope: ReviewScope): Promise<PaidBefore[]> {
  const before: PaidBefore[] = [];
  const shared = new Map<string, PaidBefore>();
  const ways = await openCursor<PaidBefore & { way: number }>(transaction, 'ways', PAID_BEFORE, [
    scope.runId,
    scope.isApproved,
    scope.account,
    scope.asOf,
  ]);
  await ways.forEach(({ way, ...paid }) => {
    const key = JSON.stringify(paid);
    const same = shared.get(key) ?? paid;
    // Most are alike; amounts may be as many as there are ways.
    if (paid.largest === null) shared.set(key, same);
    before[way] = same;
  });
  await ways.close();
  return before;
}
