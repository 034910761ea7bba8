import { detailColumn, namesBeneficiary, type PaymentColumn } from '../payment-file/csv-columns.ts';
import type { Cells } from '../payment-file/raw-row.ts';

/**
 * The row's cells, with constants for the empty ones. A row that names its beneficiary by id takes no constants that
 * describe one, and the other way round.
 */
export function filledWithConstants(own: Cells, constants: Cells): Cells {
  const constantNames = Object.keys(constants) as PaymentColumn[];
  if (constantNames.length === 0) return own;
  const names = Object.keys(own) as PaymentColumn[];
  const isNamed = names.some(namesBeneficiary);
  const describesBeneficiary = !isNamed && names.some((name) => detailColumn(name) !== null);
  const filled: Cells = {};
  for (const name of constantNames) {
    const isConflict =
      (isNamed && (detailColumn(name) !== null || namesBeneficiary(name))) ||
      (describesBeneficiary && namesBeneficiary(name));
    if (!isConflict) filled[name] = constants[name];
  }
  return Object.assign(filled, own);
}
