/**
 * The parts of a regular expression that decide its size: escapes, character classes, group openings and quantifiers
 * are one each, everything else is one character. Joined, they are the expression again.
 */
export function patternTokens(expression: string): string[] {
  return expression.match(TOKENS) ?? [];
}

/** Character classes as RE2 reads them: a leading `]` is one of the characters, and `[:alpha:]` may be inside. */
const TOKENS =
  /\\[xpP]\{[^}]*\}|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\(\?P?<\w+>|\(\?:|\(|\{\d+(?:,\d*)?\}|[^\\]|\\/gsu;

/**
 * The maximum number of instructions of the expression with its repetitions expanded. The cost of compiling it and of
 * every test of a text grows with this number.
 */
export function patternSize(tokens: readonly string[]): number {
  return sizeOfAlternatives({ tokens, next: 0 });
}

/** The numbers of a quantifier in braces; `max` is null when it is unbounded. Null for any other token. */
export function repetitionOf(token: string): { min: number; max: number | null } | null {
  const numbers = /^\{(\d+)(,?)(\d*)\}$/.exec(token);
  if (numbers === null) return null;
  const [, min = '0', comma, max = ''] = numbers;
  if (comma === '') return { min: Number(min), max: Number(min) };
  return { min: Number(min), max: max === '' ? null : Number(max) };
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
    // The start and the end of a group are an instruction each.
    size += copiesOf(token.startsWith('(') ? sizeOfAlternatives(cursor) + 2 : 1, cursor);
  }
  return size;
}

/** Every copy may need one more instruction, which decides whether it is the last. */
function copiesOf(size: number, cursor: Cursor): number {
  const token = cursor.tokens[cursor.next] ?? '';
  const repetition = repetitionOf(token);
  if (repetition === null && !/^[?*+]$/.test(token)) return size;
  cursor.next += 1;
  const copies = repetition === null ? 1 : Math.max(repetition.max ?? repetition.min, 1);
  return copies * (size + 1);
}
