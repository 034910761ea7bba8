import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonNumber, readJson, writeJson } from '../../provider/calls/exact-json.ts';
import { amount, readTimestamp } from '../../provider/calls/answer-fields.ts';

describe('exact JSON', () => {
  test('any decimal is read with the digits that were written', () => {
    const decimal = fc
      .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.stringMatching(/^\d{0,20}$/))
      .map(([negative, whole, places]) => `${negative ? '-' : ''}${whole}${places === '' ? '' : `.${places}`}`);
    fc.assert(
      fc.property(decimal, (text) => {
        expect(readJson(writeJson({ text: jsonNumber(text) }))).toEqual({ text });
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test('invalid JSON is refused without quoting it', () => {
    expect(() => readJson('{"name": Jane Doe}')).toThrow(new SyntaxError('not readable as JSON'));
    expect(() => readJson('{"amount":1,"amount":2}')).toThrow(SyntaxError);
    expect(() => readJson('['.repeat(200_000))).toThrow(SyntaxError);
  });

  test.each([['1.'], ['.5'], ['01'], ['NaN'], ['0x10'], ['1 '], ['1e400']])('%j is not a decimal number', (text) => {
    expect(() => jsonNumber(text)).toThrow(RangeError);
  });
});

test.each([
  ['1.50', '1.50'],
  ['-2E-3', '-0.002'],
  ['1.5e3', '1500'],
  [' 7 ', '7'],
])('an amount of %j is read as %j', (sent, read) => {
  expect(amount.parse(sent)).toBe(read);
});

test.each([
  ['2026-03-02T08:00:00Z', '2026-03-02T08:00:00Z'],
  ['2026-03-02T08:00:00.5', '2026-03-02T08:00:00.500Z'],
  ['2026-03-02 08:00', '2026-03-02T08:00:00Z'],
  ['2026-03-02', '2026-03-02T00:00:00Z'],
  ['2026-03-02T08:00:00+0530', '2026-03-02T02:30:00Z'],
  ['2026-03-02T08:00:00-03', '2026-03-02T11:00:00Z'],
])('the time %s is read as UTC unless it has a time zone', (raw, instant) => {
  expect(readTimestamp(raw)).toEqual({ raw, epochMs: Date.parse(instant) });
});

test.each([['02-03-2026'], ['soon'], ['2026-13-02T08:00:00Z']])('the time %j is kept, but not interpreted', (raw) => {
  expect(readTimestamp(raw)).toEqual({ raw, epochMs: null });
});
