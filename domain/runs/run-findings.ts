import type { RowProblem } from '../payment-file/row-problem.ts';
import { compareAmounts, multiplyAmount } from '../money.ts';
import type { FindingKind, RowMark, UnknownReason } from './run-finding.ts';
import { FINDING_KINDS, ROW_MARKS } from './run-finding.ts';

/**
 * The rules that find unusual rows among those that a run would pay. Names and accounts are opaque keys, equal for equal
 * names and accounts. "Paid" means that another run on the same provider account sent money.
 */

/** One row that would be paid. */
export interface RowFacts {
  rowNumber: number;
  /** Of the file. */
  line: number;
  rowRef: string;
  /** Null if unknown. */
  name: string | null;
  account: string | null;
  /** The route to the account: its holder, codes and intermediary bank. Null if unknown. */
  routing: string | null;
  /** Of the fixed side. */
  currency: string;
  amount: string;
  /** YYYY-MM-DD. */
  payOn: string | null;
  /** Null for a row that describes its beneficiary. */
  beneficiaryId: string | null;
  /** Names the release, if it is a suspected duplicate that was released; else null. */
  release: string | null;
  /** Whether the same row, unchanged, failed or was rejected in another run. */
  hasFailedBefore: boolean;
  /** Why name and account are unknown; null if they are known. */
  unknown: UnknownReason | null;
  before: PaidBefore;
}

/** What was paid before to the name and the account of a row. */
export interface PaidBefore {
  isNamePaid: boolean;
  /** The name was paid, or approved to be paid, to another account. */
  isNameKnownElsewhere: boolean;
  isAccountPaid: boolean;
  /** To this account under this name. */
  isPairPaid: boolean;
  /** To this account under this name by the same route. */
  isRoutingPaid: boolean;
  /** To this account under other names; read only if the pair was never paid. */
  isAccountPaidToOthers: boolean;
  /** The largest of the last 12 amounts in the row's currency: of the name, or of the account if the name is new. */
  largest: string | null;
}

/** One finding, and the rows that it is about, in the order of the file. */
export interface RowFinding {
  kind: RowMark;
  rows: readonly [RowFacts, ...RowFacts[]];
  /** What the check of the file said about them: of the kind `check_warning` only. */
  warnings?: readonly [CellWarning, ...CellWarning[]];
}

/** A warning as the check of the file gave it, and as it was stored. */
export type CellWarning = Omit<RowProblem, 'code'> & { code: string };

/** A day after today on which rows are due. */
export interface LaterDay {
  /** YYYY-MM-DD. */
  day: string;
  rows: readonly [RowFacts, ...RowFacts[]];
}

/** An amount of more than this many times the largest of the last ones is unusual. */
const UNUSUAL_FACTOR = 3;

/** The name was paid before, or approved to be paid, but this account never was. One finding for each pair of name and account. */
export function accountChanges(rows: readonly RowFacts[]): RowFinding[] {
  const changed = rows.filter(
    ({ account, before }) => account !== null && before.isNameKnownElsewhere && !before.isPairPaid,
  );
  return grouped('account_changed', changed, ({ name, account }) => `${name} ${account}`);
}

/** The first row of each name that was never paid with its account: names of theirs may look like others. */
export function namesToCompare(rows: readonly RowFacts[]): number[] {
  const unpaid = rows.filter(({ name, account, before }) => name !== null && account !== null && !before.isNamePaid);
  return grouped('look_alike', unpaid, pairOf).map(({ rows: [{ rowNumber }] }) => rowNumber);
}

/** The name looks like another one with another account. One finding for each pair of name and account. `alike`: numbers of their first rows. */
export function lookAlikes(rows: readonly RowFacts[], alike: ReadonlySet<number>): RowFinding[] {
  const pairs = new Set(rows.filter(({ rowNumber }) => alike.has(rowNumber)).map(pairOf));
  return grouped(
    'look_alike',
    rows.filter((row) => pairs.has(pairOf(row))),
    pairOf,
  );
}

function pairOf({ name, account }: RowFacts): string {
  return `${name} ${account}`;
}

/** The account was paid under this name, but never by this route. One finding for each name, account and route. */
export function routingChanges(rows: readonly RowFacts[]): RowFinding[] {
  const changed = rows.filter(({ routing, before }) => routing !== null && before.isPairPaid && !before.isRoutingPaid);
  return grouped('routing_changed', changed, ({ name, account, routing }) => `${name} ${account} ${routing}`);
}

/** An account with several names in this run, or paid before only under other names. One finding for each account. */
export function accountsOfOtherNames(rows: readonly RowFacts[]): RowFinding[] {
  const known = rows.filter(({ account, name }) => account !== null && name !== null);
  return grouped('account_has_other_names', known, ({ account }) => account ?? '').filter(
    ({ rows: [first, ...others] }) =>
      others.some(({ name }) => name !== first.name) ||
      [first, ...others].some(({ before }) => before.isAccountPaidToOthers),
  );
}

/**
 * Rows whose invoice was paid before, or is paid by another row: `counts` by row number. A reference that was used several times is that of
 * a contract or a customer, and no alarm; nor is a row that was released beside what it may repeat. One finding for each row.
 */
export function invoicesPaidBefore(rows: readonly RowFacts[], counts: ReadonlyMap<number, number>): RowFinding[] {
  return rows
    .filter(({ rowNumber, release }) => counts.get(rowNumber) === 1 && release === null)
    .map((row) => ({ kind: 'invoice_paid_before', rows: [row] }));
}

/** Rows that are like others, and pay another invoice as far as it is known. One finding for each row. */
export function similarPayments(
  rows: readonly RowFacts[],
  { sameInvoice, closeAmount }: Pick<OtherPayments, 'sameInvoice' | 'closeAmount'>,
): RowFinding[] {
  const isLikeOthers = (row: number): boolean =>
    (sameInvoice.get(row) ?? 0) > 1 || (closeAmount.has(row) && !sameInvoice.has(row));
  return rows
    .filter(({ rowNumber, release }) => isLikeOthers(rowNumber) && release === null)
    .map((row) => ({ kind: 'similar_payment', rows: [row] }));
}

/** What other rows have to do with those of a run, by row number. */
export interface OtherPayments {
  /** Rows whose names look like others. */
  alike: ReadonlySet<number>;
  /** How many rows have the invoice of a row. */
  sameInvoice: ReadonlyMap<number, number>;
  /** How many rows paid nearly the same amount to the account of a row. */
  closeAmount: ReadonlyMap<number, number>;
}

const NO_OTHERS: OtherPayments = { alike: new Set(), sameInvoice: new Map(), closeAmount: new Map() };

/** Rows that may pay something a second time. One finding for each release. */
export function releasedDuplicates(rows: readonly RowFacts[]): RowFinding[] {
  const released = rows.filter(({ release }) => release !== null);
  return grouped('released_duplicate', released, ({ release }) => release ?? '');
}

/** Beneficiaries whose bank account is not visible before the payment. One finding for each id. */
export function unknownDetails(rows: readonly RowFacts[]): RowFinding[] {
  const hidden = rows.filter(({ unknown }) => unknown !== null);
  return grouped('details_unknown', hidden, ({ beneficiaryId }) => beneficiaryId ?? '');
}

/**
 * More than three times the largest of the last 12 amounts paid to the beneficiary in this currency. The first amount in
 * a currency is never unusual. One finding for each row.
 */
export function unusualAmounts(rows: readonly RowFacts[]): RowFinding[] {
  return rows
    .filter(
      ({ amount, before: { largest } }) =>
        largest !== null && compareAmounts(amount, multiplyAmount(largest, UNUSUAL_FACTOR)) > 0,
    )
    .map((row) => ({ kind: 'unusual_amount', rows: [row] }));
}

/** Rows that failed or were rejected before, and were submitted again unchanged. One finding for all. */
export function failuresBefore(rows: readonly RowFacts[]): RowFinding[] {
  return grouped(
    'failed_before',
    rows.filter(({ hasFailedBefore }) => hasFailedBefore),
    () => '',
  );
}

/** Rows that are damaged. Nothing else is found in them: whom they pay could not be shown. One finding for all. */
export function unreadableRows(rows: readonly RowFacts[]): RowFinding[] {
  return grouped('row_unreadable', rows, () => '');
}

/** Neither the name nor the account was ever paid. One finding for each pair of name and account. */
export function newBeneficiaries(rows: readonly RowFacts[]): RowFinding[] {
  const unpaid = rows.filter(({ account, before }) => account !== null && !before.isNamePaid && !before.isAccountPaid);
  return grouped('new_beneficiary', unpaid, ({ name, account }) => `${name} ${account}`);
}

/** Warnings of the file check about rows that would be paid. One finding for all rows with the same warning. */
export function checkWarnings(rows: readonly RowFacts[], warnings: readonly CellWarning[]): RowFinding[] {
  const byLine = new Map(warnings.length === 0 ? [] : rows.map((row) => [row.line, row]));
  const groups = new Map<string, { rows: Set<RowFacts>; warnings: CellWarning[] }>();
  for (const warning of warnings) {
    const row = byLine.get(warning.line);
    if (row === undefined) continue;
    const key = JSON.stringify([warning.code, warning.column, warning.problem, warning.fix]);
    const group = groups.get(key) ?? { rows: new Set(), warnings: [] };
    groups.set(key, group);
    group.rows.add(row);
    group.warnings.push(warning);
  }
  return [...groups.values()].map((group) => ({
    kind: 'check_warning',
    rows: [...group.rows] as [RowFacts, ...RowFacts[]],
    warnings: group.warnings as [CellWarning, ...CellWarning[]],
  }));
}

/** The days after today on which rows are due, the first day first. `today`: YYYY-MM-DD. */
export function laterDays(rows: readonly RowFacts[], today: string): LaterDay[] {
  const byDay = new Map<string, [RowFacts, ...RowFacts[]]>();
  for (const row of rows) {
    if (row.payOn === null || row.payOn <= today) continue;
    const ofDay = byDay.get(row.payOn);
    if (ofDay === undefined) byDay.set(row.payOn, [row]);
    else ofDay.push(row);
  }
  return [...byDay].map(([day, due]) => ({ day, rows: due })).sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** All findings about rows, the most alarming kind first. */
export function allRowFindings(
  rows: readonly RowFacts[],
  warnings: readonly CellWarning[] = [],
  others: OtherPayments = NO_OTHERS,
): RowFinding[] {
  return [
    ...accountChanges(rows),
    // guard: look-alikes-alarm
    ...lookAlikes(rows, others.alike),
    // guard: invoices-paid-once
    ...invoicesPaidBefore(rows, others.sameInvoice),
    ...similarPayments(rows, others),
    ...routingChanges(rows),
    ...accountsOfOtherNames(rows),
    ...releasedDuplicates(rows),
    ...unknownDetails(rows),
    ...unusualAmounts(rows),
    ...checkWarnings(rows, warnings),
    ...failuresBefore(rows),
    ...newBeneficiaries(rows),
  ].sort((a, b) => FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind));
}

/** The numbers of the rows that have each mark. */
export function marksOf(found: readonly RowFinding[]): Record<RowMark, number[]> {
  const numbersOf = (mark: RowMark): number[] =>
    // A row may have several warnings.
    [
      ...new Set(
        found.filter(({ kind }) => kind === mark).flatMap(({ rows }) => rows.map(({ rowNumber }) => rowNumber)),
      ),
    ];
  return Object.fromEntries(ROW_MARKS.map((mark) => [mark, numbersOf(mark)])) as Record<RowMark, number[]>;
}

/**
 * A name for each finding, in their order: its kind and the line of its first row, `account_changed:12`. Several warnings of one row are
 * numbered: `check_warning:12:2`. It holds while the finding does, whatever others come or go.
 */
export function findingIds(
  found: readonly { kind: FindingKind; rows: readonly [RowFacts, ...RowFacts[]] }[],
): string[] {
  const counts = new Map<string, number>();
  return found.map(({ kind, rows: [{ line }] }) => {
    const id = `${kind}:${line}`;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}:${count}`;
  });
}

function grouped(kind: RowFinding['kind'], rows: readonly RowFacts[], keyOf: (row: RowFacts) => string): RowFinding[] {
  const groups = new Map<string, [RowFacts, ...RowFacts[]]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].map((members) => ({ kind, rows: members }));
}
