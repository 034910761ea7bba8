import { describe, expect, test } from 'vitest';
import { compileRequirementPattern, patternInWords } from '../../domain/payment-file/requirement-pattern.ts';

const accepts = (source: string, text: string): boolean | 'unusable' => {
  const pattern = compileRequirementPattern(source);
  return 'accepts' in pattern ? pattern.accepts(text) : 'unusable';
};

const unusable = (source: string): string | null => {
  const pattern = compileRequirementPattern(source);
  return 'unusable' in pattern ? pattern.unusable : null;
};

describe('a pattern of the provider', () => {
  test.each([
    ['^[A-Z]{4}0[A-Z0-9]{6}$', 'HDFC0000123'],
    ['^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$', 'DE89370400440532013000'],
    ['^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$', 'COBADEFF'],
    ['(?i)^[a-z ]+$', 'Kohler'],
    ['^[\\w\\-\\.\\@ ]{1,35}$', 'a-b.c@d'],
    ['^\\p{L}+$', 'Łukasz'],
    ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 'a@b.example'],
    ['^(\\d{6}|\\d{2}-\\d{2}-\\d{2})$', '20-00-00'],
    ['^\\d{5}(-\\d{4})?$', '60642-1000'],
    ['^(?:\\d{2}-?){3}$', '200000'],
    ['^[A-Za-z\\u00C0-\\u024F]+$', 'Łukasz'],
    ['^\\u{1F600}$', '😀'],
    ['^(?<bank>\\d{3})-(?P<branch>\\d{4})$', '123-4567'],
    ['^.{1,2000}$', 'a text within the limit'],
  ])('%s accepts %s', (source, text) => {
    expect(accepts(source, text)).toBe(true);
    expect(accepts(source, `${text}\n`)).toBe(false);
  });

  test.each(['[0-9]{4}|[0-9]{6}', '^[0-9]{4}|[0-9]{6}$', '^([0-9]{4}|[0-9]{6})$'])(
    '%s applies to the whole value, anchored or not',
    (source) => {
      expect(accepts(source, '123456')).toBe(true);
      expect(accepts(source, '12345')).toBe(false);
      expect(accepts(source, '1234567')).toBe(false);
    },
  );

  test.each([
    ['^.{3}$', '漢字😀', true],
    ['^.{4}$', '漢字😀', false],
    ['^[😀]$', '😀', true],
    ['(?i)^łódź$', 'ŁÓDŹ', true],
  ])('%s counts the characters of %s as people do', (source, text, expected) => {
    expect(accepts(source, text)).toBe(expected);
  });

  test.each(['(', '[a', '\\p{Nope}', '(?<n>a', 'a{2,1}', '\\h+', '\\Q[\\E((a{900}))'])(
    '%s cannot be used',
    (source) => {
      expect(unusable(source)).toContain('not a regular expression');
    },
  );

  test.each(['^(?=.*\\d).+$', '^(?!0)\\d+$', '(?<=a)b', '^(a)\\1$', '(?<n>a)\\k<n>'])(
    '%s would need backtracking and cannot be used',
    (source) => {
      expect(unusable(source)).toContain('not a regular expression');
    },
  );

  test('a long text is refused before the pattern is tested', () => {
    expect(accepts('.+', 'x'.repeat(256))).toBe(true);
    expect(accepts('.+', 'x'.repeat(257))).toBe(false);
    expect(accepts('x{1,256}', 'x'.repeat(256))).toBe(true);
    expect(accepts('(x|xx){2,999}', 'x'.repeat(256))).toBe(true);
    expect(accepts('(x|xx){2,999}', 'x')).toBe(false);
    expect(accepts('x{257,}', 'x'.repeat(256))).toBe(false);
  });
});

describe('a hostile pattern', () => {
  // With backtracking, each of these would run practically for ever.
  test.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(\\w+\\s?)*$',
    '^((ab)*c*)*$',
    '^(a?){40}$',
    '^.*.*.*.*.*=$',
    `^${'\\u{61}*'.repeat(20)}$`,
    `^${'\\x61*'.repeat(20)}$`,
    `^${'[a-z]*'.repeat(20)}$`,
    '^(?:a|\\u0061|[a])*$',
    '^(?:(?:a*)*)*$',
    '^(?:.*.*)*=$',
    '^(?:a?){100}a{100}=$',
  ])('%s runs in time linear in the length of the text', (source) => {
    for (const text of [`${'a'.repeat(255)}!`, `${'ab'.repeat(127)}!`, `${'a'.repeat(100)}!`]) {
      expect(accepts(source, text)).toBe(false);
    }
  });

  test.each([
    '((a{1000}){1000}){1000}',
    '((a{30}){30}){30}',
    `(?:${'a?'.repeat(490)}){1000}`,
    `(?:${'\\pL'.repeat(300)}){1000}`,
    '(\\pL{200})'.repeat(80),
    '(?:a{0,99}){99}',
    '[a-z]{200}'.repeat(50),
    '((((((a{9}){9}){9}){9}){9}){9})',
    '[]]((a{30}){30}){30}',
    '[^]](?:[a]{99}){99}',
  ])('%s is refused for its size, before it is compiled', (source) => {
    expect(unusable(source)).toContain('too large');
  });

  test('of more than 1,000 characters is too long', () => {
    expect(unusable('a'.repeat(1_001))).toContain('too long');
  });

  test('nested as deep as its length allows is no problem', () => {
    expect(accepts(`${'('.repeat(300)}a${')'.repeat(300)}`, 'a')).toBe(true);
    expect(unusable('('.repeat(1_000))).not.toBeNull();
    expect(unusable('(?:'.repeat(333))).not.toBeNull();
  });
});

test.each([
  ['^(AL|AK|AZ|AR|CA|CO|CT)$', 'one of AL, AK, AZ, AR, CA and 2 others'],
  ['(?:NSW|VIC)', 'one of NSW, VIC'],
  ['^[A-Z]{2}$', '^[A-Z]{2}$'],
  ['^(AL|A.)$', '^(AL|A.)$'],
])('%s is said as %s', (source, words) => {
  expect(patternInWords(source)).toBe(words);
});
