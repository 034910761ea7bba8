import type { PaymentColumn } from './csv-columns.ts';

/** Codes that people write in groups, and that have one form all the same. The account number is none: its form is the bank's own. */
const CODES: ReadonlySet<PaymentColumn> = new Set([
  'bank_iban',
  'bank_bic_swift',
  'bank_aba',
  'bank_sort_code',
  'bank_bsb_code',
  'bank_ifsc_code',
  'bank_clabe',
  'bank_cnaps',
  'intermediary_bic_swift',
]);

/**
 * The one form of a cell in which it is checked, approved and sent: letters and their marks as one character each (Unicode's NFC),
 * every blank as an ordinary one and none around it, and codes in capitals without the blanks and dashes between their groups.
 */
export function canonicalText(column: PaymentColumn, cell: string): string {
  // Most cells have only letters of ASCII, which have one form.
  const text = (/^[ -~]*$/.test(cell) ? cell : cell.normalize('NFC').replace(/\p{Zs}/gu, ' ')).trim();
  return CODES.has(column) ? withoutSeparators(text).toUpperCase() : text;
}

/** A code without the blanks and dashes that people write between its groups. */
export function withoutSeparators(code: string): string {
  return code.replace(/[\p{Zs}\t\-\u2010-\u2015]/gu, '');
}
