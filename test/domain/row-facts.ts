import type { PaidBefore, RowFacts } from '../../domain/runs/run-findings.ts';

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
