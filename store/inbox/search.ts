import type { SearchedRow } from '../../domain/runs/row-search.ts';
import type { Queryable } from '../database/database.ts';

/** What a search finds, each way by an index. Amounts are decimal strings. */

export interface Found {
  kind: 'run' | 'row' | 'order' | 'case';
  id: string;
  title: string;
  matched: 'id' | 'reference' | 'name' | 'amount' | 'account';
  state: string;
  account: string;
  at: Date;
  runId: string | null;
  line: number | null;
  currency: string | null;
  amount: string | null;
}

export interface SearchScope {
  /** The accounts to search in. */
  accounts: readonly string[];
  limit: number;
}

/** Names and amounts are looked for in the newest runs. */
const SEARCHED_RUNS = 200;

const RUN = `'run' as kind, run_id::text as id, file_name as title, runs.state, runs.account, submitted_at as at,
  run_id as "runId", null::integer as line, null::text as currency, null::text as amount`;
const NAMED = `concat_ws(' · ', row_ref, coalesce(instruction #>> '{beneficiary,details,bankAccount,bankAccountHolderName}',
    instruction #>> '{beneficiary,beneficiaryId}'))`;
const rowWith = (title: string): string => `'row' as kind, payment_id::text as id, ${title} as title,
  payments.state, payments.account, submitted_at as at, payments.run_id as "runId", line, amount_currency as currency, amount::text`;
const ORDER = `'order' as kind, order_id::text as id, sell_currency || ' → ' || buy_currency as title, state, account, placed_at as at,
  null::uuid as "runId", null::integer as line, case fixed_side when 'sell' then sell_currency else buy_currency end as currency, amount::text`;
const CASE = `'case' as kind, case_id::text as id, applicant_ref as title, state, account, submitted_at as at, null::uuid as "runId",
  null::integer as line, null::text as currency, null::text as amount`;

const RECENT = `select run_id from runs where account = any($1) order by submitted_at desc limit ${SEARCHED_RUNS}`;
const ACCOUNT_END = `right(coalesce(instruction #>> '{beneficiary,details,bankAccount,iban}',
  instruction #>> '{beneficiary,details,bankAccount,accountNumber}'), 4)`;

/** So many rows with a payment reference are looked at, since all of a payroll may have the same one. */
const SEARCHED_ROWS = 10_000;
const BY_PAYMENT_REFERENCE = `select ${rowWith(NAMED)} from (
    select * from payments where account = any($1) and lower(instruction ->> 'paymentReference') = lower($3) limit ${SEARCHED_ROWS}) as payments
  join runs using (run_id)`;

/** $1 accounts, $2 maximum, $3 what is searched. */
async function find(
  database: Queryable,
  { accounts, limit }: SearchScope,
  matched: Found['matched'],
  statement: string,
  value: string,
): Promise<Found[]> {
  const { rows } = await database.query<Omit<Found, 'matched'>>(`${statement} order by at desc limit $2`, [
    accounts,
    limit,
    value,
  ]);
  return rows.map((row) => ({ ...row, matched }));
}

/** Runs by the beginning of their id, or a part of their file's name. */
export async function searchRuns(database: Queryable, scope: SearchScope, text: string): Promise<Found[]> {
  const byId = `select ${RUN} from runs where account = any($1) and starts_with(run_id::text, $3)`;
  const byName = `select ${RUN} from runs where account = any($1) and strpos(lower(file_name), $3) > 0`;
  const lower = text.toLowerCase();
  return [
    ...(isBeginningOfId(lower) ? await find(database, scope, 'id', byId, lower) : []),
    ...(await find(database, scope, 'name', byName, lower)),
  ];
}

/**
 * Rows by their ids, `row_ref` and amount and, for those who may read instructions, by the name, the payment reference and the
 * end of the account number.
 */
export async function searchRows(
  database: Queryable,
  scope: SearchScope,
  { name, reference, amount, accountEnd }: SearchedRow,
  withInstructions: boolean,
): Promise<Found[]> {
  const row = rowWith(withInstructions ? NAMED : 'row_ref');
  const rows = (where: string) =>
    `select ${row} from payments join runs using (run_id) where payments.account = any($1) and ${where}`;
  const inRecentRuns = (where: string) =>
    `select ${row} from (${RECENT}) as recent cross join lateral (
       select payments.* from payments where payments.run_id = recent.run_id and ${where} limit $2) as payments
     join runs on runs.run_id = payments.run_id`;
  const prefix = `${name.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return [
    ...(isId(name) ? await find(database, scope, 'id', rows('payment_id = $3::uuid'), name) : []),
    ...(await find(database, scope, 'id', rows('provider_payment_id = $3'), reference)),
    ...(await find(database, scope, 'reference', rows('row_ref = $3'), reference)),
    ...(withInstructions ? await find(database, scope, 'reference', BY_PAYMENT_REFERENCE, reference) : []),
    ...(name.length < 2 || !withInstructions
      ? []
      : await find(database, scope, 'name', inRecentRuns('sort_name like folded_name($3)'), prefix)),
    ...(amount === null
      ? []
      : await find(
          database,
          scope,
          'amount',
          inRecentRuns('amount_currency is not null and amount = $3::numeric'),
          amount,
        )),
    ...(accountEnd === null || !withInstructions
      ? []
      : await find(database, scope, 'account', rows(`${ACCOUNT_END} = $3`), accountEnd)),
  ];
}

export async function searchOrders(
  database: Queryable,
  scope: SearchScope,
  { name, amount }: SearchedRow,
): Promise<Found[]> {
  const orders = `select ${ORDER} from conversion_orders where account = any($1)`;
  return [
    ...(isBeginningOfId(name)
      ? await find(database, scope, 'id', `${orders} and starts_with(order_id::text, $3)`, name)
      : []),
    ...(amount === null ? [] : await find(database, scope, 'amount', `${orders} and amount = $3::numeric`, amount)),
  ];
}

/** Cases by the beginning of their id, or by the team's reference. */
export async function searchCases(
  database: Queryable,
  scope: SearchScope,
  { name, reference }: SearchedRow,
): Promise<Found[]> {
  const cases = `select ${CASE} from cases where account = any($1)`;
  return [
    ...(isBeginningOfId(name)
      ? await find(database, scope, 'id', `${cases} and starts_with(case_id::text, $3)`, name)
      : []),
    ...(await find(database, scope, 'reference', `${cases} and applicant_ref = $3`, reference)),
  ];
}

function isBeginningOfId(text: string): boolean {
  return /^[0-9a-f][0-9a-f-]{3,35}$/.test(text);
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
