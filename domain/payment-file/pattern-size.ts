/**
 * The parts of a regular expression that decide its size: escapes, character classes, group openings and quantifiers
 * are one each, everything else is one character. Joined, they are the expression again.
 */
export function patternTokens(expression: string): string[] {
  return expression.match(TOKENS) ?? [];
}

/** A class as RE2 reads it: a closing bracket that comes first is one of its characters, `[:alpha:]` stands inside. */
const TOKENS =
  /\\[xpP]\{[^}]*\}|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\(\?P?<\w+>|\(\?:|\(|\{\d+(?:,\d*)?\}|[^\\]|\\/gsu;

/**
 * How many instructions the expression has once its repetitions are written out, at most. What compiling and every
 * test of a text cost grows with it.
 */
export function patternSize(tokens: readonly string[]): number {
  return sizeOfAlternatives({ tokens, next: 0 });
}

/** The numbers of a quantifier in braces; `most` is null when it has no end. Null for any other token. */
export function repetitionOf(token: string): { least: number; most: number | null } | null {
  const numbers = /^\{(\d+)(,?)(\d*)\}$/.exec(token);
  if (numbers === null) return null;
  const [, least = '0', comma, most = ''] = numbers;
  if (comma === '') return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? null : Number(most) };
}

interface Cursor {
  tokens: readonly string[];
  next: number;
}

function sizeOfAlternatives(cursor: Cursor): number {
  let size = 1;
  while (cursor.next < cursor.tokens.length) {
    const token = cursor.tokens[cursor.next++] ?? '';
    if (token === ')') break;
    // A group stands for its two ends as well.
    size += copiesOf(token.startsWith('(') ? sizeOfAlternatives(cursor) + 2 : 1, cursor);
  }
  return size;
}

/** Every copy may need an instruction of its own that decides whether it is the last. */
function copiesOf(size: number, cursor: Cursor): number {
  const token = cursor.tokens[cursor.next] ?? '';
  const repetition = repetitionOf(token);
  if (repetition === null && !/^[?*+]$/.test(token)) return size;
  cursor.next += 1;
  const copies = repetition === null ? 1 : Math.max(repetition.most ?? repetition.least, 1);
  return copies * (size + 1);
}
