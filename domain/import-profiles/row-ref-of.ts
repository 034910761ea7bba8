import { withoutMarks } from '../without-marks.ts';
import { UNSAFE_CHARACTER } from '../unsafe-characters.ts';

/**
 * A `row_ref` of an ordinary invoice number: marks of letters are dropped, blanks become -, and every other letter that it may
 * not have becomes _. `Rechnung Nr. 4/26 (2)` is `Rechnung-Nr.-4/26-_2_`. Two numbers can become the same: then both rows are
 * refused, as every two rows with one `row_ref`. It is never cut.
 * What hides or was lost stays, so that the check of the row names it.
 */
export function rowRefOf(invoiceNumber: string): string {
  if (UNSAFE_CHARACTER.test(invoiceNumber) || invoiceNumber.includes('\ufffd')) return invoiceNumber;
  return withoutMarks(invoiceNumber)
    .replaceAll('ß', 'ss')
    .replace(/\s+/gu, '-')
    .replace(/[^A-Za-z0-9._\-/]/gu, '_');
}
