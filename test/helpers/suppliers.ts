import type { PaymentRow } from '../../fixtures/payment-rows.ts';
import { newRows } from './run-under-test.ts';

/** The supplier whose account changes. */
export const CHANGED_SUPPLIER = 7;

/** A row that pays the n-th supplier, who has an account in Germany. Each n has its own amount. */
export function supplier(n: number, parts: Partial<PaymentRow> = {}): PaymentRow {
  const [row] = newRows(1, {
    amount: `${1_000 + n}.00`,
    amount_side: 'buy',
    buy_currency: 'EUR',
    beneficiary_country: 'DE',
    beneficiary_company_name: n === CHANGED_SUPPLIER ? 'Winkler AG' : `Supplier ${n} GmbH`,
    beneficiary_postcode: '20457',
    bank_country: 'DE',
    bank_iban: iban('DE', String(370_400_440_000_000_000n + BigInt(n))),
    bank_account_number: '',
    bank_sort_code: '',
    ...parts,
  });
  if (row === undefined) throw new Error('no row was created');
  return row;
}

let invoices = 4711;

/** Another payment to the n-th supplier, of another invoice and with another amount, so that it is not a suspected duplicate. */
export function nextPaymentTo(n: number, parts: Partial<PaymentRow> = {}): PaymentRow {
  invoices += 1;
  return supplier(n, { amount: `${2_000 + n}.00`, payment_reference: `Invoice ${invoices}`, ...parts });
}

/** The IBAN of an account, with check digits according to ISO 7064. */
export function iban(country: string, account: string): string {
  const digits = (text: string): string => text.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
  const check = 98n - (BigInt(digits(`${account}${country}00`)) % 97n);
  return `${country}${String(check).padStart(2, '0')}${account}`;
}
