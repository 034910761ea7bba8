import { compareAmounts, multiplyAmount, sumAmounts } from '../money.ts';
import type { FindingKind, FoundAmount, FoundRows, RowMark, UnknownReason } from './run-finding.ts';
import { FINDING_KINDS, ROW_MARKS } from './run-finding.ts';

/**
 * What stands out among the rows that a run would pay: rules over facts, in which names and accounts are keys that are
 * equal where they are. "Paid" means money was sent, by another run on the same provider account.
 */

/** One row that would be paid. */
export interface RowFacts {
  rowNumber: number;
  rowRef: string;
  /** Null where it is not known. */
  name: string | null;
  account: string | null;
  /** The way to the account: its holder, its codes and the bank in between. Null where it is not known. */
  routing: string | null;
  /** Of the side that the row fixes. */
  currency: string;
  amount: string;
  /** YYYY-MM-DD. */
  payOn: string | null;
  /** The provider's id of the beneficiary, of a row that names it so. */
  beneficiaryId: string | null;
  /** A suspected duplicate that was released. */
  isReleased: boolean;
  /** Why name and account are not known. */
  unknown: UnknownReason | null;
  before: PaidBefore;
}

/** What was paid before, to the name and to the account of a row. */
export interface PaidBefore {
  isNamePaid: boolean;
  isAccountPaid: boolean;
  /** To just this account under just this name. */
  isPairPaid: boolean;
  /** The same with just this holder, these codes and this bank in between. */
  isRoutingPaid: boolean;
  /** To this account under other names; asked only where the pair was never paid. */
  isAccountPaidToOthers: boolean;
  /** The largest of the last 12 amounts in the row's currency: of the name, or of the account where the name is new. */
  largest: string | null;
}

/** One thing that stands out, and the rows that it is about, in the order of the file. */
export interface Found {
  kind: Exclude<FindingKind, 'pays_later'>;
  rows: readonly [RowFacts, ...RowFacts[]];
}

/** An amount beyond so many times the largest of the last ones is unusual. */
const UNUSUAL_TIMES = 3;

const MOST_LISTED = 100;

/**
 * The name was paid before, and never at this account. An account that was paid under the name before is no change,
 * however many the name has. One finding for each name with each new account.
 */
export function accountChanges(rows: readonly RowFacts[]): Found[] {
  const changed = rows.filter(({ account, before }) => account !== null && before.isNamePaid && !before.isPairPaid);
  return grouped('account_changed', changed, ({ name, account }) => `${name} ${account}`);
}

/**
 * The account was paid under this name, and never with this holder, these codes of the bank and this bank in between. One
 * finding for each name, account and way to it.
 */
export function routingChanges(rows: readonly RowFacts[]): Found[] {
  const changed = rows.filter(({ routing, before }) => routing !== null && before.isPairPaid && !before.isRoutingPaid);
  return grouped('routing_changed', changed, ({ name, account, routing }) => `${name} ${account} ${routing}`);
}

/**
 * One account under several names: in this run, or in this run under a name under which it was never paid while it was
 * under others. One finding for each account.
 */
export function accountsOfOtherNames(rows: readonly RowFacts[]): Found[] {
  const known = rows.filter(({ account, name }) => account !== null && name !== null);
  return grouped('account_of_another_name', known, ({ account }) => account ?? '').filter(
    ({ rows: [first, ...others] }) =>
      others.some(({ name }) => name !== first.name) ||
      [first, ...others].some(({ before }) => before.isAccountPaidToOthers),
  );
}

/** What might be paid a second time, and is to be paid all the same. One finding for each row. */
export function releasedDuplicates(rows: readonly RowFacts[]): Found[] {
  return rows.filter(({ isReleased }) => isReleased).map((row) => ({ kind: 'released_duplicate', rows: [row] }));
}

/** A beneficiary whose bank account nobody can see before it is paid. One finding for each id. */
export function unknownDetails(rows: readonly RowFacts[]): Found[] {
  const hidden = rows.filter(({ unknown }) => unknown !== null);
  return grouped('details_unknown', hidden, ({ beneficiaryId }) => beneficiaryId ?? '');
}

/**
 * More than three times the largest of the last 12 amounts that the beneficiary got in this currency. The first amount
 * in a currency is compared with nothing. One finding for each row.
 */
export function unusualAmounts(rows: readonly RowFacts[]): Found[] {
  return rows
    .filter(
      ({ amount, before: { largest } }) =>
        largest !== null && compareAmounts(amount, multiplyAmount(largest, UNUSUAL_TIMES)) > 0,
    )
    .map((row) => ({ kind: 'unusual_amount', rows: [row] }));
}

/** Neither the name nor the account was ever paid. One finding for each name with each account. */
export function newBeneficiaries(rows: readonly RowFacts[]): Found[] {
  const unpaid = rows.filter(({ account, before }) => account !== null && !before.isNamePaid && !before.isAccountPaid);
  return grouped('new_beneficiary', unpaid, ({ name, account }) => `${name} ${account}`);
}

/** The days after today on which rows are due, the first day first. `today`: YYYY-MM-DD. */
export function laterDays(rows: readonly RowFacts[], today: string): { day: string; rowCount: number }[] {
  const counts = new Map<string, number>();
  for (const { payOn } of rows) if (payOn !== null && payOn > today) counts.set(payOn, (counts.get(payOn) ?? 0) + 1);
  return [...counts].map(([day, rowCount]) => ({ day, rowCount })).sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Everything that stands out but later days, the most alarming kind first. */
export function allFound(rows: readonly RowFacts[]): Found[] {
  return [
    ...accountChanges(rows),
    ...routingChanges(rows),
    ...accountsOfOtherNames(rows),
    ...releasedDuplicates(rows),
    ...unknownDetails(rows),
    ...unusualAmounts(rows),
    ...newBeneficiaries(rows),
  ].sort((a, b) => FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind));
}

/** The numbers of the rows of each mark. */
export function marksOf(found: readonly Found[]): Record<RowMark, number[]> {
  const numbersOf = (mark: RowMark): number[] =>
    found.filter(({ kind }) => kind === mark).flatMap(({ rows }) => rows.map(({ rowNumber }) => rowNumber));
  return Object.fromEntries(ROW_MARKS.map((mark) => [mark, numbersOf(mark)])) as Record<RowMark, number[]>;
}

/** The rows of a finding as they are told: the first of them, how many there are, and their sums. */
export function foundRows(rows: readonly RowFacts[]): FoundRows {
  return { ...listedRows(rows), amounts: sumsOf(rows) };
}

export function listedRows(rows: readonly RowFacts[]): Pick<FoundRows, 'rows' | 'rowCount'> {
  return { rows: listed(rows).map(({ rowRef }) => rowRef), rowCount: rows.length };
}

/** As many of a list as are told of it. */
export function listed<T>(things: readonly T[]): T[] {
  return things.slice(0, MOST_LISTED);
}

function sumsOf(rows: readonly RowFacts[]): FoundAmount[] {
  const amounts = new Map<string, string[]>();
  for (const { currency, amount } of rows) {
    const summands = amounts.get(currency);
    if (summands === undefined) amounts.set(currency, [amount]);
    else summands.push(amount);
  }
  return [...amounts].map(([currency, summands]) => ({ currency, amount: sumAmounts(summands) }));
}

function grouped(kind: Found['kind'], rows: readonly RowFacts[], keyOf: (row: RowFacts) => string): Found[] {
  const groups = new Map<string, [RowFacts, ...RowFacts[]]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].map((members) => ({ kind, rows: members }));
}
