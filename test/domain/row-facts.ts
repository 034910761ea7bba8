import { CollectedFindings, ComparedRows, LaterDays, type RowFinding } from '../../domain/runs/collected-findings.ts';
import { RowGroup } from '../../domain/runs/found-rows.ts';
import { ROW_MARKS, type FoundRows, type RowMark } from '../../domain/runs/run-finding.ts';
import {
  type CellWarning,
  checkWarnings as warned,
  type OtherRows,
  pairOf,
  type PaidBefore,
  type RowFacts,
} from '../../domain/runs/run-findings.ts';

export const NEVER: PaidBefore = {
  isNamePaid: false,
  isNameKnownElsewhere: false,
  isAccountPaid: false,
  isPairPaid: false,
  isRoutingPaid: false,
  isAccountPaidToOthers: false,
  largest: null,
};
export const AS_BEFORE: PaidBefore = {
  ...NEVER,
  isNamePaid: true,
  isAccountPaid: true,
  isPairPaid: true,
  isRoutingPaid: true,
  largest: '100.00',
};

let rowsMade = 0;

/** A row that was paid before in the same way, unless `parts` say otherwise. */
export function aRow(parts: Partial<RowFacts> = {}): RowFacts {
  rowsMade += 1;
  return {
    rowNumber: rowsMade,
    line: rowsMade + 1,
    rowRef: `row-${rowsMade}`,
    name: `name-${rowsMade}`,
    account: `account-${rowsMade}`,
    routing: `routing-${rowsMade}`,
    currency: 'EUR',
    amount: '100.00',
    payOn: null,
    beneficiaryId: null,
    release: null,
    hasFailedBefore: false,
    unknown: null,
    before: AS_BEFORE,
    ...parts,
  };
}

export function refsOf(found: readonly { rows: readonly RowFacts[] }[]): string[][] {
  return found.map(({ rows }) => rows.map(({ rowRef }) => rowRef));
}

/** What other rows have to do with some, by row number. */
export interface Others {
  alike: ReadonlySet<number>;
  notCompared: ReadonlySet<number>;
  sameInvoice: ReadonlyMap<number, number>;
  ofContract: ReadonlySet<number>;
  closeAmount: ReadonlyMap<number, number>;
}

const NO_OTHERS: Others = {
  alike: new Set(),
  notCompared: new Set(),
  sameInvoice: new Map(),
  ofContract: new Set(),
  closeAmount: new Map(),
};

/** What is found in these rows, each given once to what collects findings. */
export function collected(
  rows: readonly RowFacts[],
  {
    warnings = [],
    others = NO_OTHERS,
    maxListed,
  }: { warnings?: readonly CellWarning[]; others?: Others; maxListed?: number } = {},
): CollectedFindings {
  const compared = new ComparedRows();
  for (const row of rows) compared.add(row);
  const known: OtherRows = {
    alike: new Set(rows.filter(({ rowNumber }) => others.alike.has(rowNumber)).map(pairOf)),
    notCompared: new Set(rows.filter(({ rowNumber }) => others.notCompared.has(rowNumber)).map(pairOf)),
    sharedAccounts: compared.sharedAccounts,
    sameInvoice: (row) => others.sameInvoice.get(row) ?? 0,
    isOfContract: (row) => others.ofContract.has(row),
    closeAmount: (row) => others.closeAmount.get(row) ?? 0,
  };
  const findings = new CollectedFindings(known, warnings, maxListed ?? Number.POSITIVE_INFINITY);
  for (const row of rows) findings.add(row);
  return findings;
}

type Found = Pick<RowFinding, 'kind' | 'warnings'> & { rows: readonly RowFacts[] };

export function allRowFindings(
  rows: readonly RowFacts[],
  warnings: readonly CellWarning[] = [],
  others: Others = NO_OTHERS,
): Found[] {
  return collected(rows, { warnings, others })
    .finish()
    .listed.map(({ found, ...finding }) => ({ ...finding, rows: found.rows }));
}

const ofKind =
  (kind: RowMark) =>
  (rows: readonly RowFacts[], others: Partial<Others> = {}): Found[] =>
    allRowFindings(rows, [], { ...NO_OTHERS, ...others }).filter((one) => one.kind === kind);

export const accountChanges = ofKind('account_changed');
export const routingChanges = ofKind('routing_changed');
export const accountsOfOtherNames = ofKind('account_has_other_names');
export const unusualAmounts = ofKind('unusual_amount');
export const failuresBefore = ofKind('failed_before');
export const newBeneficiaries = ofKind('new_beneficiary');
export const unknownDetails = ofKind('details_unknown');
export const lookAlikes = (rows: readonly RowFacts[], alike: ReadonlySet<number>): Found[] =>
  ofKind('look_alike')(rows, { alike });
export const invoicesPaidBefore = ofKind('invoice_paid_before');
export const similarPayments = ofKind('similar_payment');

export function namesToCompare(rows: readonly RowFacts[]): number[] {
  const compared = new ComparedRows();
  for (const row of rows) compared.add(row);
  return [...compared.toCompare.values()];
}

export function checkWarnings(rows: readonly RowFacts[], warnings: readonly CellWarning[]): Found[] {
  return warned(new Map(rows.map((row) => [row.line, row])), warnings).map((one) => ({
    kind: 'check_warning',
    ...one,
  }));
}

export function laterDays(rows: readonly RowFacts[], today: string): { day: string; rows: readonly RowFacts[] }[] {
  const days = new LaterDays(today);
  for (const row of rows) days.add(row);
  return days.all().map(({ day, found }) => ({ day, rows: found.rows }));
}

export function foundRows(id: string, rows: readonly RowFacts[]): FoundRows {
  const found = new RowGroup();
  for (const row of rows) found.add(row);
  return found.shown(id);
}

/** The numbers of these rows that have each mark. */
export function marksIn(rows: readonly RowFacts[], warnings: readonly CellWarning[] = []): Record<RowMark, number[]> {
  const findings = collected(rows, { warnings });
  findings.finish();
  const numbersOf = (mark: RowMark): number[] =>
    rows.map(({ rowNumber }) => rowNumber).filter((row) => findings.marks.of(row).includes(mark));
  return Object.fromEntries(ROW_MARKS.map((mark) => [mark, numbersOf(mark)])) as Record<RowMark, number[]>;
}
