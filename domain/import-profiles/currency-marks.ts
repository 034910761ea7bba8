/**
 * What people write beside an amount, and the currencies that it may mean. Besides, every code means itself.
 * Source: symbols of the Unicode CLDR, and the forms that the tables of currencies of the ISO 4217 countries use.
 */
const CURRENCY_SIGNS: Readonly<Record<string, readonly string[]>> = {
  '€': ['EUR'],
  '£': ['GBP'],
  $: ['USD', 'AUD', 'CAD', 'NZD', 'SGD', 'HKD', 'MXN', 'TWD', 'CLP', 'COP', 'ARS'],
  us$: ['USD'],
  a$: ['AUD'],
  au$: ['AUD'],
  c$: ['CAD'],
  ca$: ['CAD'],
  nz$: ['NZD'],
  s$: ['SGD'],
  hk$: ['HKD'],
  mx$: ['MXN'],
  nt$: ['TWD'],
  r$: ['BRL'],
  '¥': ['JPY', 'CNY'],
  'cn¥': ['CNY'],
  元: ['CNY'],
  円: ['JPY'],
  '₹': ['INR'],
  rs: ['INR', 'PKR', 'LKR', 'NPR'],
  rp: ['IDR'],
  rm: ['MYR'],
  r: ['ZAR'],
  '฿': ['THB'],
  '₫': ['VND'],
  đ: ['VND'],
  '₱': ['PHP'],
  '₩': ['KRW'],
  '₺': ['TRY'],
  '₪': ['ILS'],
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  zł: ['PLN'],
  kč: ['CZK'],
  ft: ['HUF'],
  lei: ['RON'],
  лв: ['BGN'],
  fr: ['CHF'],
  sfr: ['CHF'],
};

export function meansCurrency(mark: string, currency: string): boolean {
  const written = mark.normalize('NFKC').replace(/\.$/, '').toLowerCase();
  return written === currency.toLowerCase() || (CURRENCY_SIGNS[written]?.includes(currency) ?? false);
}

const MARK = String.raw`[\p{L}\p{M}\p{Sc}]{1,5}\.?`;
const BEFORE = new RegExp(String.raw`^(${MARK})\s*(?=[\d.,(+\-−])`, 'u');
const AFTER = new RegExp(String.raw`(?<=[\d)\-−])\s*(${MARK})$`, 'u');

/** No amount is longer, with its currency. */
const LONGEST = 60;

/** The text without the signs and codes of currencies before and after it, and these. */
export function withoutCurrencyMarks(text: string): { text: string; marks: string[] } {
  if (text.length > LONGEST) return { text, marks: [] };
  const marks: string[] = [];
  const taken = (_: string, mark: string) => {
    marks.push(mark);
    return '';
  };
  return { text: text.replace(BEFORE, taken).replace(AFTER, taken), marks };
}
