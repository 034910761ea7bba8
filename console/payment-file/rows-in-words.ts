import { formatCount } from '../elements/formats.ts';

const MOST_NAMED = 20;

/** `rows 4, 9 and 12`; only the first of many. */
export function rowsInWords(rows: readonly number[]): string {
  const named = rows.slice(0, MOST_NAMED).map(String);
  const rest = rows.length - named.length;
  const last = rest > 0 ? `${formatCount(rest)} more` : named.pop();
  return `${rows.length === 1 ? 'row' : 'rows'} ${[named.join(', '), last].filter(Boolean).join(' and ')}`;
}
