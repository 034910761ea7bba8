import { describe, expect, test } from 'vitest';
import {
  afterSaving,
  beforeSubmission,
  canUndo,
  changeOf,
  type DraftEdits,
  type KnownCellEdit,
  noEdits,
  partsOf,
  pendingOf,
  rebased,
  typed,
  undone,
  withStep,
} from '../../console/payment-file/draft-edits.ts';

const START = { revision: 1, removedRows: [] };

const cell = (row: number, value: string, saved = ''): KnownCellEdit => ({ row, column: 'amount', value, saved });
const plain = (row: number, value: string) => ({ row, column: 'amount', value });

function typedInto(...cells: KnownCellEdit[]): DraftEdits {
  return cells.reduce((edits, one) => typed(edits, [one]), noEdits(START));
}

const cellsOf = (edits: DraftEdits) => changeOf(pendingOf(edits)).cells;

function saved(edits: DraftEdits, revision: number): DraftEdits {
  return afterSaving(edits, pendingOf(edits), { revision });
}

describe('what is typed into a draft', () => {
  test('is one step for each cell, however many letters it has', () => {
    const edits = typedInto(cell(1, '1'), cell(1, '12'), cell(2, '3'), cell(2, '34'));
    expect(cellsOf(edits)).toEqual([plain(1, '12'), plain(2, '34')]);
    expect(cellsOf(undone(edits))).toEqual([plain(1, '12')]);
    expect(cellsOf(undone(undone(edits)))).toEqual([]);
    expect(canUndo(undone(undone(edits)))).toBe(false);
  });

  test('is no edit once it is again what is saved', () => {
    expect(cellsOf(typed(typedInto(cell(1, '12', '10')), [cell(1, '10', '10')]))).toEqual([]);
  });

  test('pasted as a block is one step', () => {
    const edits = typed(typedInto(cell(3, 'c')), [cell(1, 'a'), cell(2, 'b')]);
    expect(cellsOf(undone(edits))).toEqual([plain(3, 'c')]);
  });
});

describe('a removed row', () => {
  test('is a step like any other: taken back, or put back, nothing of it is sent', () => {
    const edits = withStep(typedInto(cell(2, 'b')), { removed: [2] });
    expect(changeOf(pendingOf(edits))).toEqual({ cells: [], removeRows: [2], restoreRows: [] });
    for (const back of [undone(edits), withStep(edits, { restored: [2] })]) {
      expect(changeOf(pendingOf(back))).toEqual({ cells: [plain(2, 'b')], removeRows: [], restoreRows: [] });
    }
  });

  test('that was saved is put back by the next undo, which is saved like any other change', () => {
    const edits = saved(withStep(noEdits(START), { removed: [2] }), 2);
    expect(changeOf(pendingOf(edits))).toEqual({ cells: [], removeRows: [], restoreRows: [] });
    expect(changeOf(pendingOf(undone(edits)))).toEqual({ cells: [], removeRows: [], restoreRows: [2] });
  });
});

describe('after a change of ours', () => {
  test('undo brings the former values back, one saved change after the other', () => {
    const once = saved(typedInto(cell(1, 'b', 'a'), cell(2, 'y', 'x')), 2);
    const twice = saved(typed(once, [cell(1, 'c', 'b')]), 3);
    expect(cellsOf(twice)).toEqual([]);
    expect(cellsOf(undone(twice))).toEqual([plain(1, 'b')]);
    expect(cellsOf(undone(undone(twice)))).toEqual([plain(1, 'a'), plain(2, 'x')]);
    expect(canUndo(undone(undone(twice)))).toBe(false);
  });

  test('only what it has saved is no edit any more', () => {
    const sent = typedInto(cell(1, '12'), cell(2, '34'));
    const meanwhile = typed(sent, [cell(2, '345')]);
    const edits = afterSaving(meanwhile, pendingOf(sent), { revision: 2 });
    expect(cellsOf(edits)).toEqual([plain(2, '345')]);
    expect(edits).toMatchObject({ revision: 2, unplaced: [] });
    expect(cellsOf(typed(edits, [cell(2, '34', '34')]))).toEqual([]);
  });

  test('what was taken back while it was being saved is to be saved as it was', () => {
    const sent = withStep(typedInto(cell(1, 'b', 'a')), { removed: [5] });
    const meanwhile = undone(undone(sent));
    expect(changeOf(pendingOf(afterSaving(meanwhile, pendingOf(sent), { revision: 2 })))).toEqual({
      cells: [plain(1, 'a')],
      removeRows: [],
      restoreRows: [5],
    });
  });
});

describe('after a change of somebody else', () => {
  test('what was typed stays where it was typed, also if other rows were removed', () => {
    const edits = rebased(typedInto(cell(4, 'd')), { revision: 3, removedRows: [1, 2] });
    expect(cellsOf(edits)).toEqual([plain(4, 'd')]);
    expect(edits).toMatchObject({ revision: 3, unplaced: [] });
  });

  test('that has removed its row, it is still there to be read', () => {
    const edits = rebased(typedInto(cell(4, 'd')), { revision: 3, removedRows: [4] });
    expect(cellsOf(edits)).toEqual([]);
    expect(edits.unplaced).toEqual([plain(4, 'd')]);
  });

  test('what they have done already is not sent again', () => {
    const removing = withStep(noEdits(START), { removed: [4, 5] });
    expect(changeOf(pendingOf(rebased(removing, { revision: 3, removedRows: [4] }))).removeRows).toEqual([5]);
    const restoring = withStep(noEdits(START), { restored: [4, 5] });
    expect(changeOf(pendingOf(rebased(restoring, { revision: 3, removedRows: [4] }))).restoreRows).toEqual([4]);
  });

  test('what was saved here before is taken back no more', () => {
    const edits = rebased(saved(typedInto(cell(1, 'b', 'a')), 2), { revision: 3, removedRows: [] });
    expect(canUndo(edits)).toBe(false);
  });

  test('an older state of the draft changes nothing', () => {
    const edits = typedInto(cell(4, 'd'));
    expect(rebased(edits, { revision: 1, removedRows: [4] })).toBe(edits);
  });
});

test('a draft is submitted once everything that was changed is saved, and nothing is wrong', () => {
  expect(beforeSubmission({ problemCount: 0 }, noEdits(START))).toBeNull();
  expect(beforeSubmission({ problemCount: 2 }, noEdits(START))).toBe('2 to correct');
  const changed = withStep(typedInto(cell(1, 'a')), { removed: [2] });
  expect(beforeSubmission({ problemCount: 0 }, changed)).toBe('Save 2 changes first');
  const unplaced = rebased(typedInto(cell(4, 'd')), { revision: 3, removedRows: [4] });
  expect(beforeSubmission({ problemCount: 0 }, unplaced)).not.toBeNull();
});

describe('what is saved at once', () => {
  test('is as much as the server takes: rows first, without cells of rows that go, and nothing is left to save', () => {
    const many = Array.from({ length: 20_001 }, (_, index) => cell(index + 1, '1.00'));
    const edits = withStep(typed(noEdits({ revision: 1 }), many), {
      removed: [20_001],
      restored: [30_000],
    });
    const parts = partsOf(pendingOf(edits));
    expect(
      parts.map((part) => [changeOf(part).cells.length, changeOf(part).removeRows, changeOf(part).restoreRows]),
    ).toEqual([
      [10_000, [20_001], [30_000]],
      [10_000, [], []],
    ]);
    const after = parts.reduce((so, part, index) => afterSaving(so, part, { revision: index + 2 }), edits);
    expect(after.revision).toBe(3);
    expect(changeOf(pendingOf(after))).toEqual({ cells: [], removeRows: [], restoreRows: [] });
  });
});
