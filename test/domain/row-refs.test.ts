import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cells } from '../../domain/payment-file/raw-row.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';
import { RowRefs } from '../../domain/payment-file/row-refs.ts';

const aLine = (rowRef: string | undefined, line: number, cells: Cells = {}) => ({
  ...{ line, unread: [] },
  cells: rowRef === undefined ? cells : { row_ref: rowRef, ...cells },
});

const aProblemOf = (column: string): RowProblem => ({
  ...{ line: 5, rowRef: 'A', column, value: '1,5', problem: 'it is wrong', fix: 'correct it' },
  code: 'decimal_comma',
});

const otherLine = (refs: RowRefs, rowRef: string, line: number) => refs.otherOf(aLine(rowRef, line))?.line ?? null;

const refsOf = (...rowRefs: (string | undefined)[]): RowRefs => {
  const refs = new RowRefs();
  rowRefs.forEach((rowRef, index) => refs.add(aLine(rowRef, index + 2)));
  return refs;
};

describe('the references of the rows of a file', () => {
  test('say of each row which other one has its reference: the first, or of that one the second', () => {
    const refs = refsOf('A', 'B', 'A', 'A');
    expect([2, 4, 5].map((line) => otherLine(refs, 'A', line))).toEqual([4, 2, 2]);
    expect([otherLine(refs, 'B', 3), otherLine(refs, 'C', 9)]).toEqual([null, null]);
  });

  test('are compared as they are checked: without blanks around them, and letters with their marks in one form', () => {
    const refs = refsOf('Rech\u00e9', ' Reche\u0301 ', 'B', 'B\u00a0');
    expect([otherLine(refs, 'Rech\u00e9', 2), otherLine(refs, 'Rech\u00e9', 3)]).toEqual([3, 2]);
    expect(otherLine(refs, 'B', 5)).toBe(4);
  });

  test('that are empty, or could not be read, are repeated by none', () => {
    expect(otherLine(refsOf('', undefined, ' '), '', 2)).toBeNull();
  });

  test('are of the same payment if amount, beneficiary and account are: references to documents may be written in two ways', () => {
    const payment = { amount: '10', buy_currency: 'EUR', beneficiary_company_name: 'Nord', bank_iban: 'DE1' };
    const sameAs = (cells: Cells) => {
      const rows = [aLine('A', 2, payment), aLine('A', 3, { ...payment, ...cells })];
      const refs = new RowRefs();
      for (const row of rows) refs.add(row);
      return rows.map((row) => refs.otherOf(row)?.isSamePayment);
    };
    expect(sameAs({})).toEqual([true, true]);
    expect(sameAs({ payment_reference: 'Invoice 7', bank_iban: 'DE 1' })).toEqual([true, true]);
    for (const other of [{ amount: '11' }, { buy_currency: 'USD' }, { bank_iban: 'DE2' }, { bank_country: 'AT' }]) {
      expect(sameAs(other)).toEqual([false, false]);
    }
  });

  test('say of each later row whether it is the same payment as the first, and of one that could not be read that it is not', () => {
    const unread = { ...aLine('A', 5), unread: [aProblemOf('amount')] };
    const rows = [aLine('A', 2), aLine('A', 3, { amount: '1' }), aLine('A', 4), unread];
    const refs = new RowRefs();
    for (const row of rows) refs.add(row);
    expect(rows.map((row) => refs.otherOf(row)?.isSamePayment)).toEqual([false, false, true, false]);
    const both = new RowRefs();
    for (const line of [2, 3]) both.add({ ...unread, line });
    expect(both.otherOf({ ...unread, line: 3 })).toEqual({ line: 2, isSamePayment: false });
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
            expect(otherLine(refs, each, line)).toBe(lines.find((other) => other !== line) ?? null);
          }
        }
      }),
      { seed: 33, numRuns: 20 },
    );
  });
});
