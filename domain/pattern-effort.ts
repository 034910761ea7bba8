/** A repetition without an end can go no further than the longest text that is tested. */
const LONGEST_TEXT = 256;

/**
 * In how many ways, at most, a backtracking engine may try to lay a regular expression over a text: an upper bound of
 * its effort, infinite where repetitions are nested without end. Alternatives add up, parts in a row multiply.
 */
export function patternEffort(source: string): number {
  // A back-reference ties parts together that are counted here one by one.
  if (/\\[1-9]|\\k</.test(source)) return Infinity;
  return effortOfAlternatives({ tokens: source.match(TOKENS) ?? [], next: 0 });
}

/** Escapes, character classes, group openings and quantifiers are one token each. */
const TOKENS = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<\w+>))?|\{\d+(?:,\d*)?\}|./gsu;

interface Cursor {
  tokens: readonly string[];
  next: number;
}

function effortOfAlternatives(cursor: Cursor): number {
  let sum = 0;
  let product = 1;
  while (cursor.next < cursor.tokens.length) {
    const token = cursor.tokens[cursor.next++] ?? '';
    if (token === ')') break;
    if (token === '|') {
      sum += product;
      product = 1;
    } else {
      const effort = token.startsWith('(') ? effortOfAlternatives(cursor) : 1;
      product *= repeated(effort, cursor);
    }
  }
  return sum + product;
}

function repeated(effort: number, cursor: Cursor): number {
  const bounds = boundsOf(cursor.tokens[cursor.next] ?? '');
  if (bounds === null) return effort;
  cursor.next += 1;
  // A question mark after a quantifier only changes the order in which the ways are tried.
  if (cursor.tokens[cursor.next] === '?') cursor.next += 1;
  const counts = Math.max(1, bounds.most - bounds.least + 1);
  return effort === 1 ? counts : counts * effort ** bounds.most;
}

function boundsOf(token: string): { least: number; most: number } | null {
  if (token === '?') return { least: 0, most: 1 };
  if (token === '*' || token === '+') return { least: 0, most: LONGEST_TEXT };
  const numbers = /^\{(\d+)(,?)(\d*)\}$/.exec(token);
  if (numbers === null) return null;
  const [, least = '0', comma, most = ''] = numbers;
  if (comma === '') return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? LONGEST_TEXT : Math.min(Number(most), LONGEST_TEXT) };
}
