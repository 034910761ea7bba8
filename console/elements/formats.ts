/** How numbers, times and names are written. Amounts stay decimal strings: a JavaScript number is not exact. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const formatters = new Map<number, Intl.NumberFormat>();

/** No currency has more decimals than three: zeros behind them are how an amount was calculated. */
const ZEROS_BEHIND = /^(-?\d+\.\d{2}(?:\d*[1-9])?)0+$/;

/** `1234567.50` as `1,234,567.50`: all decimals that it has, by the browser's language, exactly. */
export function formatAmount(given: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(given)) return given;
  const amount = (given.split('.')[1] ?? '').length > 3 ? given.replace(ZEROS_BEHIND, '$1') : given;
  const decimals = (amount.split('.')[1] ?? '').length;
  const known = formatters.get(decimals);
  const formatter =
    known ?? new Intl.NumberFormat(undefined, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  if (known === undefined) formatters.set(decimals, formatter);
  return formatter.format(amount as Intl.StringNumericLiteral);
}

/** How many decimals amounts of a currency have; 2 where the browser does not know the currency. */
export function decimalsOfCurrency(currency: string): number {
  try {
    const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
    }).resolvedOptions();
    return maximumFractionDigits;
  } catch {
    return 2;
  }
}

const counts = new Intl.NumberFormat();

export function formatCount(count: number): string {
  return counts.format(count);
}

/** `1 row`, `2 rows`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** Two units at most: `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.ceil(whole / MINUTE)} min`;
  if (whole < DAY) return inTwoUnits(Math.ceil(whole / MINUTE), MINUTE, 'h', 'min');
  return inTwoUnits(Math.ceil(whole / HOUR), 24, 'd', 'h');
}

function inTwoUnits(units: number, perLarger: number, larger: string, smaller: string): string {
  const rest = units % perLarger;
  const first = `${Math.floor(units / perLarger)} ${larger}`;
  return rest === 0 ? first : `${first} ${rest} ${smaller}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A name of the API as words: `in_approval` is `in approval`. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Enough of an id or a hash to compare by eye. */
export function shortId(id: string): string {
  return id.length > 12 ? id.slice(0, 8) : id;
}

/** A sentence as the title of a notice. */
export function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
