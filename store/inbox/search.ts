import type { SearchedRow } from '../../domain/runs/row-search.ts';
import type { Queryable } from '../database/database.ts';
import type { PayeeData } from '../personal-data/payee-data.ts';
import { CONTENT_COLUMNS, payeeOf, type StoredContent } from '../runs/row-content.ts';
import { accountEndKey, nameKeys, referenceKey } from '../runs/row-search-keys.ts';

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

/** Amounts are looked for in the newest runs. */
const SEARCHED_RUNS = 200;

const RUN = `'run' as kind, run_id::text as id, file_name as title, runs.state, runs.account, submitted_at as at,
  run_id as "runId", null::integer as line, null::text as currency, null::text as amount`;
const ROW = `'row' as kind, row_ref as title, payments.state, submitted_at as at, line, amount_currency as currency,
  amount::text, payments.account, ${CONTENT_COLUMNS}`;
const ORDER = `'order' as kind, order_id::text as id, sell_currency || ' → ' || buy_currency as title, state, account, placed_at as at,
  null::uuid as "runId", null::integer as line, case fixed_side when 'sell' then sell_currency else buy_currency end as currency, amount::text`;
const CASE = `'case' as kind, case_id::text as id, applicant_ref as title, state, account, submitted_at as at, null::uuid as "runId",
  null::integer as line, null::text as currency, null::text as amount`;

const RECENT = `select run_id from runs where account = any($1) order by submitted_at desc limit ${SEARCHED_RUNS}`;
/** So many rows with a payment reference or a name are looked at, since all of a payroll may have the same one. */
const SEARCHED_ROWS = 10_000;
const BY_KEYS = `select ${ROW} from (
    select * from payments where search_keys @> $3::bigint[] and account = any($1) limit ${SEARCHED_ROWS}) as payments
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

type StoredFound = Omit<Found, 'matched' | 'id' | 'runId'> & StoredContent;

/**
 * Rows by their ids, `row_ref` and amount and, for those who may read instructions, by all words of the name, the payment reference and
 * the end of the account number. `payees` null: for others.
 */
export async function searchRows(
  database: Queryable,
  { accounts, limit }: SearchScope,
  { name, reference, amount, accountEnd }: SearchedRow,
  payees: PayeeData | null,
): Promise<Found[]> {
  const findRows = async (matched: Found['matched'], statement: string, value: unknown): Promise<Found[]> => {
    const { rows } = await database.query<StoredFound>(`${statement} order by at desc limit $2`, [
      accounts,
      limit,
      value,
    ]);
    return rows.map((row) => ({ ...foundRow(row, payees), matched }));
  };
  const rows = (where: string) =>
    `select ${ROW} from payments join runs using (run_id) where payments.account = any($1) and ${where}`;
  const withAmount = `select ${ROW} from (${RECENT}) as recent cross join lateral (
       select payments.* from payments where payments.run_id = recent.run_id
         and amount_currency is not null and amount = $3::numeric limit $2) as payments
     join runs on runs.run_id = payments.run_id`;
  const words = payees === null || name.length < 2 ? [] : nameKeys(payees.hash, name);
  return [
    ...(isId(name) ? await findRows('id', rows('payment_id = $3::uuid'), name) : []),
    ...(await findRows('id', rows('provider_payment_id = $3'), reference)),
    ...(await findRows('reference', rows('row_ref = $3'), reference)),
    ...(payees === null ? [] : await findRows('reference', BY_KEYS, [referenceKey(payees.hash, reference)])),
    ...(words.length === 0 ? [] : await findRows('name', BY_KEYS, words)),
    ...(amount === null ? [] : await findRows('amount', withAmount, amount)),
    ...(accountEnd === null || payees === null
      ? []
      : await findRows('account', BY_KEYS, [accountEndKey(payees.hash, accountEnd)])),
  ];
}

/** Whoever may read instructions is shown who is paid. */
function foundRow(stored: StoredFound, payees: PayeeData | null): Omit<Found, 'matched'> {
  const { runId, paymentId, kind, state, account, at, line, currency, amount, title } = stored;
  const payee = payees === null ? null : payeeOf(payees, stored);
  return {
    ...{ kind, id: paymentId, title: payee === null ? title : `${title} · ${payee}` },
    ...{ state, account, at, runId, line, currency, amount },
  };
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
