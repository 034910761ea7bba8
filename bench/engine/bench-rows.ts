import { stringify } from 'csv-stringify/sync';

/**
 * Few, so that making them known takes little of a run; more for a large file, since the check for duplicates compares
 * each row with all others of its beneficiary.
 */
const MIN_BENEFICIARIES = 10;
const PAYMENTS_PER_BENEFICIARY = 100;

const COMMON = {
  amount_side: 'sell',
  sell_currency: 'USD',
  buy_currency: 'GBP',
  payment_reference: 'Invoice 4711',
  purpose_of_transfer: 'SUPP',
  funding_source: 'COMPANY_BANK_ACCOUNT',
  funding_method: 'PAYNOW',
  beneficiary_entity_type: 'company',
  beneficiary_country: 'GB',
  beneficiary_business_registration: '01234567',
  beneficiary_address: '1 Test Street',
  beneficiary_city: 'London',
  beneficiary_postcode: 'EC1A 1BB',
  bank_country: 'GB',
  bank_name: 'Test Bank',
  bank_sort_code: '200000',
};

/** One row of a benchmark's file: column to text. */
export type BenchRow = typeof COMMON & {
  readonly row_ref: string;
  readonly amount: string;
  readonly beneficiary_company_name: string;
  readonly bank_account_number: string;
  readonly bank_account_holder_name: string;
};

/**
 * Rows that the sandbox pays, of a few beneficiaries and each of another amount, so that none is taken for a duplicate. A second
 * file on the same stack begins at another amount.
 */
export function benchRows(
  count: number,
  name: string,
  leastAmount = 100,
  beneficiaries = Math.max(MIN_BENEFICIARIES, Math.ceil(count / PAYMENTS_PER_BENEFICIARY)),
): BenchRow[] {
  return Array.from({ length: count }, (_, index) => {
    const beneficiary = `Bench Supplier ${index % beneficiaries} Ltd`;
    return {
      ...COMMON,
      row_ref: `${name}-${index + 1}`,
      amount: `${leastAmount + index}.00`,
      beneficiary_company_name: beneficiary,
      bank_account_number: String(10_000_000 + (index % beneficiaries)),
      bank_account_holder_name: beneficiary,
    };
  });
}

/** The rows as a payment file. */
export const csvOf = (rows: readonly BenchRow[]): string => stringify([...rows], { header: true });
