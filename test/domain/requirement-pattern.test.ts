import { describe, expect, test } from 'vitest';
import { compileRequirementPattern } from '../../domain/requirement-pattern.ts';

const accepts = (source: string, text: string): boolean | 'unusable' => {
  const pattern = compileRequirementPattern(source);
  return 'accepts' in pattern ? pattern.accepts(text) : 'unusable';
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
  ])('%s accepts %s', (source, text) => {
    expect(accepts(source, text)).toBe(true);
    expect(accepts(source, `${text}\n`)).toBe(false);
  });

  test.each(['(', '[a', '\\p{Nope}', '(?<n>a', 'a{2,1}'])('%s does not compile', (source) => {
    expect(accepts(source, 'a')).toBe('unusable');
  });

  test.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(\\w+\\s?)*$',
    '^(a?){40}$',
    '^((ab)*c*)*$',
    '^.*.*.*.*.*=$',
    '^(a{1,50}){1,50}$',
    '^(?=(a+)+$)a$',
    '^(a)\\1$',
  ])('%s could take for ever and is not run', (source) => {
    expect(accepts(source, `${'a'.repeat(100)}!`)).toBe('unusable');
  });

  test('a long text is refused before the pattern sees it', () => {
    expect(accepts('.+', 'x'.repeat(256))).toBe(true);
    expect(accepts('.+', 'x'.repeat(257))).toBe(false);
  });
});
