import { describe, expect, test } from 'vitest';
import {
  afterSaving,
  beforeSubmission,
  type CellEdit,
  type DraftEdits,
  editsOf,
  noEdits,
  rebased,
  typed,
  undone,
} from '../../console/payment-file/draft-edits.ts';

const START = { revision: 1, rowCount: 5 };

const cell = (row: number, value: string, column = 'amount'): CellEdit => ({ row, column, value });

function typedInto(...cells: CellEdit[]): DraftEdits {
  return cells.reduce((edits, one) => typed(edits, [{ ...one, saved: '' }]), noEdits(START));
}

const cellsOf = (edits: DraftEdits): CellEdit[] => [...editsOf(edits).values()];

describe('what is typed into a draft', () => {
  test('is one step for each cell, however many letters it has', () => {
    const edits = typedInto(cell(1, '1'), cell(1, '12'), cell(2, '3'), cell(2, '34'));
    expect(cellsOf(edits)).toEqual([cell(1, '12'), cell(2, '34')]);
    expect(cellsOf(undone(edits))).toEqual([cell(1, '12')]);
    expect(cellsOf(undone(undone(edits)))).toEqual([]);
    expect(undone(undone(undone(edits))).history).toHaveLength(1);
  });

  test('is no edit once it is again what is saved', () => {
    const edits = typed(typedInto(cell(1, '12')), [{ ...cell(1, '10'), saved: '10' }]);
    expect(cellsOf(edits)).toEqual([]);
  });

  test('pasted as a block is one step', () => {
    const block = [cell(1, 'a'), cell(2, 'b')].map((one) => ({ ...one, saved: '' }));
    const edits = typed(typedInto(cell(3, 'c')), block);
    expect(cellsOf(undone(edits))).toEqual([cell(3, 'c')]);
  });
});

describe('after a change of ours', () => {
  test('only what it has saved is no edit any more', () => {
    const sent = [cell(1, '12'), cell(2, '34')];
    const meanwhile = typed(typedInto(...sent), [{ ...cell(2, '345'), saved: '' }]);
    const edits = afterSaving(meanwhile, { cells: sent }, { revision: 2, rowCount: 5 });
    expect(cellsOf(edits)).toEqual([cell(2, '345')]);
    expect(edits).toMatchObject({ revision: 2, rowCount: 5, unplaced: [] });
  });

  test('rows after a removed one have other numbers, and its own cells are gone', () => {
    const before = typedInto(cell(1, 'a'), cell(2, 'b'), cell(4, 'd'));
    const edits = afterSaving(before, { removeRows: [2] }, { revision: 2, rowCount: 4 });
    expect(cellsOf(edits)).toEqual([cell(1, 'a'), cell(3, 'd')]);
  });

  test('a value that was set for many rows leaves what was typed', () => {
    const fill = [{ column: 'beneficiary_country', value: 'DE', code: 'missing' }];
    const edits = afterSaving(typedInto(cell(1, 'a')), { fill }, { revision: 2, rowCount: 5 });
    expect(cellsOf(edits)).toEqual([cell(1, 'a')]);
  });
});

describe('after a change of somebody else', () => {
  test('what was typed stays where it was typed', () => {
    const edits = rebased(typedInto(cell(1, 'a')), { revision: 3, rowCount: 5 });
    expect(cellsOf(edits)).toEqual([cell(1, 'a')]);
    expect(edits.revision).toBe(3);
  });

  test('that has removed rows, it is given to no other row, and is still there to be read', () => {
    const edits = rebased(typedInto(cell(4, 'd')), { revision: 3, rowCount: 4 });
    expect(cellsOf(edits)).toEqual([]);
    expect(edits.unplaced).toEqual([cell(4, 'd')]);
  });

  test('an older state of the draft changes nothing', () => {
    const edits = typedInto(cell(4, 'd'));
    expect(rebased(edits, { revision: 1, rowCount: 9 })).toBe(edits);
  });
});

test('a draft is submitted once everything that was typed is saved, and nothing is wrong', () => {
  expect(beforeSubmission({ problemCount: 0 }, noEdits(START))).toBeNull();
  expect(beforeSubmission({ problemCount: 2 }, noEdits(START))).toBe('2 to correct');
  expect(beforeSubmission({ problemCount: 0 }, typedInto(cell(1, 'a')))).toBe('Save 1 cell first');
  const unplaced = rebased(typedInto(cell(4, 'd')), { revision: 3, rowCount: 4 });
  expect(beforeSubmission({ problemCount: 0 }, unplaced)).not.toBeNull();
});
