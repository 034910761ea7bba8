export type BankForm = 'nacha' | 'aba' | 'mt101' | 'mt940';

/** Files of banks that are no tables, by the forms of their first records; null: none of them. */
export function fixedForm(text: string): BankForm | null {
  const [first = '', second = ''] = text.split(/\r\n|\n|\r/, 2);
  if (NACHA_HEADER.test(first)) return 'nacha';
  if (ABA_HEADER.test(first) && /^(?:1|$)/.test(second)) return 'aba';
  if (/^\{1:[A-Z]\d\d/.test(text)) return /\{2:[IO]101/.test(text) || TAG_28D.test(text) ? 'mt101' : 'mt940';
  if (/^:20:/.test(text)) return TAG_28D.test(text) ? 'mt101' : 'mt940';
  return null;
}

/** A file header: both ends, the date and time, and the size of records, blocks and the format. */
const NACHA_HEADER = /^101[ \d]\d{9}[ \dA-Z]{10}\d{6}[ \d]{4}[A-Z\d]094101/;

/** A descriptive record: its type, blanks, the number of the reel, and the bank. */
const ABA_HEADER = /^0 {17}\d\d[A-Z]{3} {7}.{26}\d{6}/;

/** The number of a request for transfer; statements have none. */
const TAG_28D = /(?:^|[\r\n]):28D:/;
