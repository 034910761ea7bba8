import { RE2JS } from 're2js';
import { patternSize, patternTokens, repetitionOf } from './pattern-size.ts';

/**
 * The provider's validation patterns. Their flavour is not documented and they are not ours, so they run on an engine
 * whose steps grow with the text alone. What it cannot take is not used, and the reader of the run is told why.
 */
export type RequirementPattern = { accepts: (text: string) => boolean } | { unusable: string };

/** Texts longer than this are refused before any pattern sees them. */
const MAX_TEXT_LENGTH = 256;
const MAX_PATTERN_LENGTH = 1000;

/** A test of the longest text takes 256 steps for each instruction at most, which is a few hundredths of a second. */
const MAX_PATTERN_SIZE = 2_000;

/** The pattern as a test of the whole value, whether or not it is anchored itself. */
export function compileRequirementPattern(source: string): RequirementPattern {
  if (source.length > MAX_PATTERN_LENGTH) return { unusable: 'it is too long' };
  const tokens = patternTokens(withRe2Escapes(source)).map(withoutNeedlessCount);
  if (patternSize(tokens) > MAX_PATTERN_SIZE)
    return { unusable: 'it is too large once its repetitions are written out' };
  // Between \Q and \E brackets are plain text, which the size above does not reckon with.
  const expression = tokens.includes('\\Q') ? null : compiled(tokens.join(''));
  if (expression === null) return { unusable: 'it is not a regular expression of the RE2 syntax' };
  return { accepts: (text) => text.length <= MAX_TEXT_LENGTH && expression.testExact(text) };
}

/** Patterns are compiled once, however many rows they test. */
export function patternCache(): (source: string) => RequirementPattern {
  const known = new Map<string, RequirementPattern>();
  return (source) => {
    let pattern = known.get(source);
    if (pattern === undefined) {
      pattern = compileRequirementPattern(source);
      known.set(source, pattern);
    }
    return pattern;
  };
}

/** `\u0041` and `\u{41}`, as JavaScript and Java write a character, are `\x{41}` in RE2. */
function withRe2Escapes(source: string): string {
  return source.replace(
    /\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|.)/gsu,
    (escape: string, braced: string | undefined, four: string | undefined) => {
      const code = braced ?? four;
      return code === undefined ? escape : `\\x{${code}}`;
    },
  );
}

/** No text is long enough to reach a count beyond its longest, so the repetition may as well have no end. */
function withoutNeedlessCount(token: string): string {
  const { least, most } = repetitionOf(token) ?? { least: 0, most: null };
  if (most === null || most < MAX_TEXT_LENGTH) return token;
  return least < most && least <= MAX_TEXT_LENGTH ? `{${least},}` : token;
}

function compiled(expression: string): RE2JS | null {
  try {
    return RE2JS.compile(expression);
  } catch {
    return null;
  }
}
