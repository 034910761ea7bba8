import { detailColumn, type PaymentColumn } from '../payment-file/csv-columns.ts';
import type { Cells } from '../payment-file/raw-row.ts';

/**
 * The row's cells, with constants for the empty ones. A row that names its beneficiary by id takes no constants that
 * describe one, and the other way round.
 */
export function filledWithConstants(own: Cells, constants: Cells): Cells {
  const constantNames = Object.keys(constants) as PaymentColumn[];
  if (constantNames.length === 0) return own;
  const names = Object.keys(own) as PaymentColumn[];
  const namesBeneficiary = own.beneficiary_id !== undefined;
  const describesBeneficiary = !namesBeneficiary && names.some((name) => detailColumn(name) !== null);
  const filled: Cells = {};
  for (const name of constantNames) {
    const isConflict =
      (namesBeneficiary && detailColumn(name) !== null) || (describesBeneficiary && name === 'beneficiary_id');
    if (!isConflict) filled[name] = constants[name];
  }
  return Object.assign(filled, own);
}
