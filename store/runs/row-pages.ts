import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';
import type { SearchKey } from './row-search-keys.ts';

/** Pages of the rows of a run, which may have a million. Which rows is found in an index alone, then those are read. */

export type RowOrder = 'line' | 'state' | 'amount';

/** What rows are searched for: each field finds rows by an index of its own. */
export interface RowSearch {
  /** Of the words of the name, all of them; none: names are not searched. */
  nameKeys: readonly SearchKey[];
  rowRef: string;
  line: number | null;
  amount: string | null;
}

export interface RowFilter {
  state: PaymentState | null;
  currency: string | null;
  search: RowSearch | null;
  /** Only these rows, by their numbers; null: all. */
  numbers: readonly number[] | null;
  afterLine: number;
}

export interface RowPageQuery extends RowFilter {
  sort: RowOrder;
  isDescending: boolean;
  /** Position of the first row, from 0; without a meaning after a row. */
  from: number;
  /** The line of the last row of the page before, and its state then. */
  after: { line: number; state: string | null } | null;
  limit: number;
}

/** How many rows a search takes into account. */
export const SEARCHED_ROWS = 10_000;

/** What rows are sorted by before their numbers. */
const SORT_COLUMNS: Readonly<Record<RowOrder, string | null>> = {
  line: null,
  state: 'state',
  amount: 'amount',
};

/** The statement's parameters, each with its number. */
export class Parameters {
  readonly values: unknown[];

  constructor(...values: unknown[]) {
    this.values = values;
  }

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** The numbers of the rows of a page, in its order. */
export async function findPage(database: Queryable, runId: string, query: RowPageQuery): Promise<number[]> {
  const parameters = new Parameters(runId);
  const column = SORT_COLUMNS[query.sort];
  const direction = query.isDescending ? 'desc' : 'asc';
  const order = [...(column === null ? [] : [column]), 'row_number'].map((name) => `${name} ${direction}`).join(', ');
  const conditions = [...conditionsOf(query, parameters), ...positionOf(query, parameters)];
  const offset = query.after === null && !isByNumber(query) ? `offset ${parameters.add(query.from)}` : '';
  const { rows } = await database.query<{ n: number }>(
    `${searchOf(query, parameters)}
     select row_number as n from payments where ${conditions.join(' and ')}
     order by ${order} ${offset} limit ${parameters.add(query.limit)}`,
    parameters.values,
  );
  return rows.map(({ n }) => n);
}

/** How many rows fit the filter, counted up to `limit` + 1. */
export async function countFitting(
  database: Queryable,
  runId: string,
  filter: RowFilter,
  limit: number,
): Promise<number> {
  const parameters = new Parameters(runId);
  const conditions = conditionsOf(filter, parameters).join(' and ');
  const { rows } = await database.query<{ n: number }>(
    `${searchOf(filter, parameters)}
     select count(*)::int as n from (select from payments where ${conditions} limit ${parameters.add(limit + 1)}) as counted`,
    parameters.values,
  );
  return rows[0]?.n ?? 0;
}

/** SQL: which rows fit a filter, for a statement whose $1 is the run. `searched` begins it, unless it is empty. */
export function filteredRows(
  filter: RowFilter,
  parameters: Parameters,
): { searched: string; conditions: readonly string[] } {
  return { conditions: conditionsOf(filter, parameters), searched: searchOf(filter, parameters) };
}

function conditionsOf({ state, currency, search, numbers, afterLine }: RowFilter, parameters: Parameters): string[] {
  return [
    'run_id = $1',
    ...(state === null ? [] : [`state = ${parameters.add(state)}`]),
    ...(currency === null ? [] : [`amount_currency = ${parameters.add(currency)}`]),
    ...(numbers === null ? [] : [`row_number = any(${parameters.add(numbers)}::integer[])`]),
    ...(search === null ? [] : ['row_number in (select row_number from found)']),
    ...(afterLine === 0 ? [] : [`row_number > ${numberAt('<=', parameters.add(afterLine))}`]),
  ];
}

/** SQL: the number of the row on a line, or of the last one before it; lines and numbers rise together. */
function numberAt(comparison: '=' | '<=', line: string): string {
  return `coalesce((select row_number from payments where run_id = $1 and line ${comparison} ${line} order by line desc limit 1), 0)`;
}

/** Rows are numbered from 1 without a gap: without a filter, a position is a number. */
function isByNumber(query: RowPageQuery): boolean {
  const { state, currency, search, numbers, afterLine, sort, isDescending } = query;
  const isFiltered = state !== null || currency !== null || search !== null || numbers !== null || afterLine !== 0;
  return sort === 'line' && !isDescending && !isFiltered;
}

function positionOf(query: RowPageQuery, parameters: Parameters): string[] {
  const { after, from, sort, isDescending } = query;
  const sign = isDescending ? '<' : '>';
  if (after === null) return isByNumber(query) ? [`row_number > ${parameters.add(from)}`] : [];
  const line = parameters.add(after.line);
  const column = SORT_COLUMNS[sort];
  if (column === null) return [`row_number ${sign} ${numberAt('=', line)}`];
  // A state may have changed.
  const value =
    sort === 'state'
      ? parameters.add(after.state)
      : `(select ${column} from payments where run_id = $1 and line = ${line})`;
  return [`(${column}, row_number) ${sign} (${value}, ${numberAt('=', line)})`];
}

/** Each part is found by its own index: one condition over all columns would read every row. */
function searchOf({ search }: RowFilter, parameters: Parameters): string {
  if (search === null) return '';
  const limit = parameters.add(SEARCHED_ROWS);
  const parts = [
    ...(search.nameKeys.length === 0
      ? []
      : [
          `(select row_number from payments where run_id = $1
              and search_keys @> ${parameters.add(search.nameKeys)}::bigint[] limit ${limit})`,
        ]),
    `(select row_number from payments where account = (select account from runs where run_id = $1)
        and row_ref = ${parameters.add(search.rowRef)} and run_id = $1 limit ${limit})`,
    ...(search.line === null
      ? []
      : [`(select row_number from payments where run_id = $1 and line = ${parameters.add(search.line)})`]),
    ...(search.amount === null
      ? []
      : [
          `(select row_number from payments where run_id = $1 and amount_currency is not null
              and amount = ${parameters.add(search.amount)}::numeric limit ${limit})`,
        ]),
  ];
  return `with found as materialized (${parts.join(' union ')})`;
}
