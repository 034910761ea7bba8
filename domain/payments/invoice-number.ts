import { withoutMarks } from '../without-marks.ts';

/** Words before the number of an invoice, in the languages of invoices. */
const WORDS = new Set([
  ...['invoice', 'inv', 'bill', 'number', 'no', 'nr', 'num', 'n', 'ref', 'reference', 'our', 'your'],
  ...[
    'rechnung',
    'rechnungsnummer',
    'rechnungsnr',
    'rechn',
    'rg',
    'rgnr',
    'rnr',
    're',
    'nummer',
    'beleg',
    'ihre',
    'unsere',
  ],
  ...['facture', 'fact', 'fac', 'fa', 'numero', 'factura', 'fra', 'fattura', 'fatt', 'ft', 'fatura', 'fat'],
  ...['faktura', 'faktur', 'fak', 'fv', 'numer', 'factuur', 'lasku'],
]);

/**
 * The number of an invoice as it is compared: letters and digits alone, without the words before it, leading zeros and case. Null: the
 * reference has no number that tells an invoice from others, as "Rent" or "Retainer 2026".
 */
export function invoiceNumberOf(reference: string): string | null {
  const words = withoutMarks(reference)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const first = words.findIndex((word) => !WORDS.has(word));
  const number = words
    .slice(Math.max(0, first))
    .map((word, index) => (index === 0 ? withoutWord(word) : word).replace(/(?<!\d)0+(?=\d)/g, ''))
    .join('');
  const digits = number.replace(/\D/g, '');
  return digits.length < 3 || /^20\d\d$/.test(digits) ? null : number;
}

/** `INV4711` */
function withoutWord(text: string): string {
  const [, word = '', number = text] = /^(\p{L}+)(\d.*)$/u.exec(text) ?? [];
  return WORDS.has(word) ? number : text;
}
