import { detailColumn, namesBeneficiary, type PaymentColumn } from '../payment-file/csv-columns.ts';
import type { Cells } from '../payment-file/raw-row.ts';

/**
 * The row's cells, with constants for the empty ones. A row that only names its beneficiary takes no constants that describe one; one that
 * describes it, none that name one.
 */
export function filledWithConstants(own: Cells, constants: Cells): Cells {
  const constantNames = Object.keys(constants) as PaymentColumn[];
  if (constantNames.length === 0) return own;
  const names = Object.keys(own) as PaymentColumn[];
  const isNamed = names.some(namesBeneficiary);
  const isDescribed = names.some((name) => detailColumn(name) !== null);
  const filled: Cells = {};
  for (const name of constantNames) {
    const isConflict =
      (isNamed && !isDescribed && detailColumn(name) !== null) || ((isNamed || isDescribed) && namesBeneficiary(name));
    if (!isConflict) filled[name] = constants[name];
  }
  return Object.assign(filled, own);
}
