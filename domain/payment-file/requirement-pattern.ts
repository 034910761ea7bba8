import { RE2JS } from 're2js';
import { counted } from '../counted.ts';
import { patternSize, patternTokens, repetitionOf } from './pattern-size.ts';

/**
 * A validation pattern of the provider. Its syntax is not documented and it is not under our control, so it runs on RE2,
 * whose number of steps grows only with the length of the text. A pattern that RE2 cannot run is not used, and a warning
 * gives the reason.
 */
export type RequirementPattern = { accepts: (text: string) => boolean } | { unusable: string };

/** The maximum length of any text that is sent to the provider. No pattern is tested on a longer one. */
export const MAX_TEXT_LENGTH = 256;
const MAX_PATTERN_LENGTH = 1000;

/** A test of the longest text takes at most 256 steps for each instruction: a few hundredths of a second. */
const MAX_PATTERN_SIZE = 2_000;

/** Tests the whole value, whether or not the pattern is anchored. */
export function compileRequirementPattern(source: string): RequirementPattern {
  if (source.length > MAX_PATTERN_LENGTH) return { unusable: 'it is too long' };
  const tokens = patternTokens(withRe2Escapes(source)).map(withoutUnreachableCount);
  if (patternSize(tokens) > MAX_PATTERN_SIZE) return { unusable: 'it is too large with its repetitions expanded' };
  // Between \Q and \E brackets are plain text, which patternSize does not support.
  const expression = tokens.includes('\\Q') ? null : compileRe2(tokens.join(''));
  if (expression === null) return { unusable: 'it is not a regular expression of the RE2 syntax' };
  return { accepts: (text) => text.length <= MAX_TEXT_LENGTH && expression.testExact(text) };
}

const SHOWN_WORDS = 5;

/** As a person reads it: `one of AK, AL, AZ`, or a pattern that is no list of words, as the provider writes it. */
export function patternInWords(source: string): string {
  const words = /^\^?\(?(?:\?:)?(\w+(?:\|\w+)+)\)?\$?$/.exec(source)?.[1]?.split('|');
  if (words === undefined) return source;
  const others = words.length - SHOWN_WORDS;
  return `one of ${words.slice(0, SHOWN_WORDS).join(', ')}${others > 0 ? ` and ${counted(others, 'other')}` : ''}`;
}

/** Compiles each pattern once for all rows. */
export function patternCache(): (source: string) => RequirementPattern {
  const compiledPatterns = new Map<string, RequirementPattern>();
  return (source) => {
    let pattern = compiledPatterns.get(source);
    if (pattern === undefined) {
      pattern = compileRequirementPattern(source);
      compiledPatterns.set(source, pattern);
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

/** A maximum that no text is long enough to reach makes the pattern larger without effect, so it is dropped. */
function withoutUnreachableCount(token: string): string {
  const { min, max } = repetitionOf(token) ?? { min: 0, max: null };
  if (max === null || max < MAX_TEXT_LENGTH) return token;
  return min < max && min <= MAX_TEXT_LENGTH ? `{${min},}` : token;
}

function compileRe2(expression: string): RE2JS | null {
  try {
    return RE2JS.compile(expression);
  } catch {
    return null;
  }
}
