import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { patternSize, patternTokens } from '../../domain/payment-file/pattern-size.ts';

const { pattern } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  pattern: fc
    .array(
      fc
        .tuple(
          fc.oneof(
            { depthSize: 'small' },
            fc.constantFrom(
              'a',
              '😀',
              '.',
              '\\d',
              '\\pL',
              '\\p{Greek}',
              '\\x{61}',
              '[]a]',
              '[^]{2}]',
              '[[:alpha:]]',
              '\\b',
            ),
            tie('atom'),
          ),
          fc.constantFrom('', '', '', '?', '*', '+', '*?', '{3}', '{2,}', '{0,4}', '{2,5}?'),
        )
        .map(([atom, quantifier]) => atom + quantifier),
      { maxLength: 4 },
    )
    .map((parts) => parts.join('')),
  atom: fc
    .tuple(fc.constantFrom('(', '(?:', '(?<n>', '(?i:'), tie('pattern'), tie('pattern'))
    .map(([opening, one, other]) => `${opening}${one}|${other})`),
}));

test('the size of a pattern is never less than that of its program', () => {
  let compiled = 0;
  fc.assert(
    fc.property(pattern, (source) => {
      expect(patternTokens(source).join('')).toBe(source);
      const program = programSize(source);
      if (program === null) return;
      compiled += 1;
      // A program has an end, and an instruction that fails, of its own.
      expect(patternSize(patternTokens(source)) + 2).toBeGreaterThanOrEqual(program);
    }),
    { seed: 47, numRuns: 2_000 },
  );
  expect(compiled).toBeGreaterThan(1_000);
});

/** Null for what does not compile: repetitions of nothing, a group's name given twice. */
function programSize(source: string): number | null {
  try {
    return RE2JS.compile(source).programSize();
  } catch {
    return null;
  }
}
