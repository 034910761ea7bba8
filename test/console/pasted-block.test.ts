import { describe, expect, test } from 'vitest';
import { needsLook, pastedBlock } from '../../console/payment-file/pasted-block.ts';

const COLUMNS = ['row_ref', 'amount', 'bank_country'];
const rows = (...numbers: number[]) => numbers.map((row) => ({ row, cells: [`R-${row}`, `${row}.00`, 'GB'] }));

const pasted = (text: string, numbers: readonly number[] = [3, 7], columnIndex = 1) =>
  pastedBlock(text, rows(...numbers), COLUMNS, columnIndex);

describe('a block from a spreadsheet', () => {
  test('goes into the rows that are shown, each cell with what is saved in it', () => {
    expect(pasted('10.00\tFR\r\n20.00\tDE')).toEqual({
      cells: [
        { row: 3, column: 'amount', value: '10.00', saved: '3.00' },
        { row: 3, column: 'bank_country', value: 'FR', saved: 'GB' },
        { row: 7, column: 'amount', value: '20.00', saved: '7.00' },
        { row: 7, column: 'bank_country', value: 'DE', saved: 'GB' },
      ],
      lineCount: 2,
      linesLeft: [],
      cellsLeft: [],
    });
  });

  test('names what does not fit, below and to the right', () => {
    const block = pasted('10\tFR\tmore\n20\tDE\n30\tIT\n40\tES');
    expect(block.linesLeft).toEqual([
      ['30', 'IT'],
      ['40', 'ES'],
    ]);
    expect(block.cellsLeft).toEqual([{ row: 3, values: ['more'] }]);
    expect(block.cells).toHaveLength(4);
  });

  test('keeps a cell of several lines, or with quotes, in one cell', () => {
    const block = pasted('"one\ntwo"\t"say ""yes"""\n5" pipe\tDE');
    expect(block.cells.map(({ value }) => value)).toEqual(['one\ntwo', 'say "yes"', '5" pipe', 'DE']);
    expect(block.lineCount).toBe(2);
  });

  test('leaves nothing out for the way in which its lines end', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(pasted(['10', '20', ''].join(end)).cells.map(({ value }) => value)).toEqual(['10', '20']);
    }
  });

  test('is looked at first where rows are hidden between those that are shown, or something is left over', () => {
    expect(needsLook(pasted('10\n20'), true)).toBe(true);
    expect(needsLook(pasted('10\n20'), false)).toBe(false);
    expect(needsLook(pasted('10\tFR'), true)).toBe(false);
    expect(needsLook(pasted('10\n20\n30'), false)).toBe(true);
    expect(needsLook(pasted('10\tFR\tmore'), false)).toBe(true);
  });
});
