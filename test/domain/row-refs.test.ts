import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RowRefs } from '../../domain/payment-file/row-refs.ts';

const refsOf = (...rowRefs: (string | undefined)[]): RowRefs => {
  const refs = new RowRefs();
  rowRefs.forEach((rowRef, index) =>
    refs.add({ line: index + 2, cells: rowRef === undefined ? {} : { row_ref: rowRef } }),
  );
  return refs;
};

describe('the references of the rows of a file', () => {
  test('say of each row which other one has its reference: the first, or of that one the second', () => {
    const refs = refsOf('A', 'B', 'A', 'A');
    expect([2, 4, 5].map((line) => refs.otherLine('A', line))).toEqual([4, 2, 2]);
    expect([refs.otherLine('B', 3), refs.otherLine('C', 9)]).toEqual([null, null]);
  });

  test('are compared as they are checked: without blanks around them, and letters with their marks in one form', () => {
    const refs = refsOf('Rech\u00e9', ' Reche\u0301 ', 'B', 'B\u00a0');
    expect([refs.otherLine('Rech\u00e9', 2), refs.otherLine('Rech\u00e9', 3)]).toEqual([3, 2]);
    expect(refs.otherLine('B', 5)).toBe(4);
  });

  test('that are empty, or could not be read, are repeated by none', () => {
    expect(refsOf('', undefined, ' ').otherLine('', 2)).toBeNull();
  });

  test('are those of a list that keeps all texts, however many there are', () => {
    const rowRef = fc.nat(3_000).map((n) => `R${n}`);
    fc.assert(
      fc.property(fc.array(rowRef, { minLength: 1, maxLength: 5_000, size: 'max' }), (rowRefs) => {
        const refs = refsOf(...rowRefs);
        const linesOf = new Map<string, number[]>();
        rowRefs.forEach((each, index) => linesOf.set(each, [...(linesOf.get(each) ?? []), index + 2]));
        for (const [each, lines] of linesOf) {
          for (const line of lines.slice(0, 3)) {
            expect(refs.otherLine(each, line)).toBe(lines.find((other) => other !== line) ?? null);
          }
        }
      }),
      { seed: 33, numRuns: 20 },
    );
  });
});
