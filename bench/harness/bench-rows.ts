import { aRow, type PaymentRow } from '../../fixtures/payment-rows.ts';

/**
 * Few, so that creating them takes little of a run; more for a large file, since the check for duplicates compares each
 * row with all others of its beneficiary.
 */
const MIN_BENEFICIARIES = 10;
const PAYMENTS_PER_BENEFICIARY = 100;

/**
 * Rows that the sandbox pays. They share a few beneficiaries, and each has its own amount, so that none is a suspected
 * duplicate. A second file on the same stack needs another `minAmount`.
 */
export function benchRows(
  count: number,
  name: string,
  minAmount = 100,
  beneficiaryCount = Math.max(MIN_BENEFICIARIES, Math.ceil(count / PAYMENTS_PER_BENEFICIARY)),
): PaymentRow[] {
  return Array.from({ length: count }, (_, index) => benchRow(index, name, minAmount, beneficiaryCount));
}

/** One of them, from 0: many are never there at once. */
export function benchRow(index: number, name: string, minAmount: number, beneficiaryCount: number): PaymentRow {
  const beneficiary = index % beneficiaryCount;
  return aRow(beneficiary, {
    row_ref: `${name}-${index + 1}`,
    amount: `${minAmount + index}.00`,
    beneficiary_company_name: `Bench Supplier ${beneficiary} Ltd`,
  });
}
