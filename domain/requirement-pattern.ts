import { patternEffort } from './pattern-effort.ts';

/**
 * The provider's validation patterns. Their flavour is not documented and they are not ours, so they are compiled
 * defensively: what cannot be compiled, or could take for ever, is not used, and the reader of the run is told.
 */
export type RequirementPattern = { accepts: (text: string) => boolean } | { unusable: string };

/** Texts longer than this are refused before any pattern sees them. */
const MAX_TEXT_LENGTH = 256;
const MAX_PATTERN_LENGTH = 1000;

/**
 * Three repetitions without end in a row fit in, nested ones do not. Some harmless patterns are refused with them;
 * their fields are then only checked for being filled.
 */
const MAX_EFFORT = 20_000_000;

/** The pattern as a test of the whole value, whether or not it is anchored itself. */
export function compileRequirementPattern(source: string): RequirementPattern {
  if (source.length > MAX_PATTERN_LENGTH) return { unusable: 'it is too long' };
  const { body, flags } = withoutInlineFlags(source);
  if (patternEffort(body) > MAX_EFFORT) return { unusable: 'it could take too long to test' };
  const expression = compiled(body, flags);
  if (expression === null) return { unusable: 'it is not a regular expression as known here' };
  return { accepts: (text) => text.length <= MAX_TEXT_LENGTH && expression.test(text) };
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

/** `(?i)` at the start is how other flavours say the flag. */
function withoutInlineFlags(source: string): { body: string; flags: string } {
  return source.startsWith('(?i)') ? { body: source.slice(4), flags: 'i' } : { body: source, flags: '' };
}

/** Unicode mode counts characters as people do, but refuses needless escapes, which other flavours allow. */
function compiled(body: string, flags: string): RegExp | null {
  for (const mode of body.includes('\\p{') ? ['u'] : ['u', '']) {
    try {
      return new RegExp(`^(?:${body})$`, flags + mode);
    } catch {
      // The next mode may take it.
    }
  }
  return null;
}
