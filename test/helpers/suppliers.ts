import { iban } from './iban.ts';
import type { RowParts } from './payment-file.ts';
import { newRows } from './run-under-test.ts';

/** Of the supplier whose account changes. */
export const WINKLER = 7;

/** A supplier with an account in Germany; the amount is another one for each. */
export function supplier(n: number, parts: Partial<RowParts> = {}): RowParts {
  const [row] = newRows(1, {
    amount: `${1_000 + n}.00`,
    amount_side: 'buy',
    buy_currency: 'EUR',
    beneficiary_country: 'DE',
    beneficiary_company_name: n === WINKLER ? 'Winkler AG' : `Supplier ${n} GmbH`,
    beneficiary_postcode: '20457',
    bank_country: 'DE',
    bank_iban: iban('DE', String(370_400_440_000_000_000n + BigInt(n))),
    bank_account_number: '',
    bank_sort_code: '',
    ...parts,
  });
  if (row === undefined) throw new Error('there is no row');
  return row;
}

/** The same suppliers once more, for other amounts, so that nothing is taken for a duplicate. */
export function again(n: number, parts: Partial<RowParts> = {}): RowParts {
  return supplier(n, { amount: `${2_000 + n}.00`, ...parts });
}
