import type { RowProblem } from '../payment-file/row-problem.ts';
import { compareAmounts, multiplyAmount } from '../money.ts';
import type { RowMark, UnknownReason } from './run-finding.ts';

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

/** A warning as the check of the file gave it, and as it was stored. */
export type CellWarning = Omit<RowProblem, 'code'> & { code: string };

/** What other rows have to do with those of a run. */
export interface OtherRows {
  /** Names with their accounts that look like others: `pairOf` a row. */
  alike: ReadonlySet<string>;
  /** Those that were not compared with all names that may be like theirs. */
  notCompared: ReadonlySet<string>;
  /** Accounts with several names in this run, or paid before only under other names. */
  sharedAccounts: ReadonlySet<string>;
  /** How many rows have the invoice of a row, by row number; 0: none. */
  sameInvoice: (rowNumber: number) => number;
  /** Whether its reference is that of a contract or a customer: rows of several runs that were approved have it. */
  isOfContract: (rowNumber: number) => boolean;
  /** How many rows paid nearly the same amount to the account of a row. */
  closeAmount: (rowNumber: number) => number;
}

/** Which rows a kind of finding is about. */
export interface RowRule {
  kind: RowMark;
  isAbout(row: RowFacts, others: OtherRows): boolean;
  /** Rows with the same text are one finding. Absent: one finding for each row. */
  groupOf?(row: RowFacts): string;
}

/** An amount of more than this many times the largest of the last ones is unusual. */
const UNUSUAL_FACTOR = 3;

/** The name with its account. */
export function pairOf({ name, account }: RowFacts): string {
  return `${name} ${account}`;
}

/** Whether names of others that look like the name of the row are to be looked for: it was never paid, with whatever account. */
export function isToCompare({ name, account, before }: RowFacts): boolean {
  return name !== null && account !== null && !before.isNamePaid;
}

/** Rows that are damaged. Nothing else is found in them: whom they pay could not be shown. One finding for all. */
export const UNREADABLE_ROWS: RowRule = { kind: 'row_unreadable', isAbout: () => true, groupOf: () => '' };

/** The rules for rows that can be read. */
export const ROW_RULES: readonly RowRule[] = [
  {
    // The name was paid before, or approved to be paid, but this account never was.
    kind: 'account_changed',
    isAbout: ({ account, before }) => account !== null && before.isNameKnownElsewhere && !before.isPairPaid,
    groupOf: pairOf,
  },
  // guard: look-alikes-alarm
  { kind: 'look_alike', isAbout: (row, { alike }) => alike.has(pairOf(row)), groupOf: pairOf },
  { kind: 'names_not_compared', isAbout: (row, { notCompared }) => notCompared.has(pairOf(row)), groupOf: () => '' },
  {
    // The account was paid under this name, but never by this route.
    kind: 'routing_changed',
    isAbout: ({ routing, before }) => routing !== null && before.isPairPaid && !before.isRoutingPaid,
    groupOf: (row) => `${pairOf(row)} ${row.routing}`,
  },
  {
    kind: 'account_has_other_names',
    isAbout: ({ account, name }, { sharedAccounts }) =>
      account !== null && name !== null && sharedAccounts.has(account),
    groupOf: ({ account }) => account ?? '',
  },
  {
    // The invoice was paid before, or is paid by another row. The reference of a contract is no alarm, nor is a row that was released
    // beside what it may repeat.
    kind: 'invoice_paid_before',
    isAbout: ({ rowNumber, release }, { sameInvoice, isOfContract }) =>
      // guard: invoices-paid-once
      sameInvoice(rowNumber) > 0 && !isOfContract(rowNumber) && release === null,
  },
  {
    // Rows that may pay something a second time. One finding for each release.
    kind: 'released_duplicate',
    isAbout: ({ release }) => release !== null,
    groupOf: ({ release }) => release ?? '',
  },
  {
    // Beneficiaries whose bank account is not visible before the payment. One finding for each id.
    kind: 'details_unknown',
    isAbout: ({ unknown }) => unknown !== null,
    groupOf: ({ beneficiaryId }) => beneficiaryId ?? '',
  },
  {
    // More than three times the largest of the last 12 amounts paid to the beneficiary in this currency. The first amount in a currency
    // is never unusual.
    kind: 'unusual_amount',
    isAbout: ({ amount, before: { largest } }) =>
      largest !== null && compareAmounts(amount, multiplyAmount(largest, UNUSUAL_FACTOR)) > 0,
  },
  {
    // Rows that are like others, and pay another invoice as far as it is known.
    kind: 'similar_payment',
    isAbout: ({ rowNumber, release }, { sameInvoice, isOfContract, closeAmount }) =>
      release === null && (isOfContract(rowNumber) || (closeAmount(rowNumber) > 0 && sameInvoice(rowNumber) === 0)),
  },
  // Rows that failed or were rejected before, and were submitted again unchanged. One finding for all.
  { kind: 'failed_before', isAbout: ({ hasFailedBefore }) => hasFailedBefore, groupOf: () => '' },
  {
    // Neither the name nor the account was ever paid.
    kind: 'new_beneficiary',
    isAbout: ({ account, before }) => account !== null && !before.isNamePaid && !before.isAccountPaid,
    groupOf: pairOf,
  },
];

/** A warning of the file check, and the rows that would be paid of those that have it. */
export interface WarnedRows {
  warnings: readonly [CellWarning, ...CellWarning[]];
  rows: readonly RowFacts[];
}

/** Warnings of the file check about rows that would be paid: one finding for all rows with the same warning. `byLine`: rows by their lines. */
export function checkWarnings(byLine: ReadonlyMap<number, RowFacts>, warnings: readonly CellWarning[]): WarnedRows[] {
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
    rows: [...group.rows],
    warnings: group.warnings as [CellWarning, ...CellWarning[]],
  }));
}

/**
 * A name for each finding, in their order: its kind and the line of its first row, `account_changed:12`. Several warnings of one row are
 * numbered: `check_warning:12:2`. It holds while the finding does, whatever others come or go.
 */
export function findingIds(found: readonly { kind: RowMark | 'pays_later'; rows: readonly RowFacts[] }[]): string[] {
  const counts = new Map<string, number>();
  return found.map(({ kind, rows: [first] }) => {
    const id = `${kind}:${first?.line}`;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}:${count}`;
  });
}
