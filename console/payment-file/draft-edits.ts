import type { Draft, DraftChangeRequest } from '../../api/payment-file/draft.ts';
import { counted, formatCount } from '../elements/formats.ts';

/**
 * What was changed in a draft and is not saved: it lasts over other pages of rows, other filters, and other changes. Rows keep
 * their numbers whatever is removed.
 */

export interface CellEdit {
  row: number;
  column: string;
  value: string;
}

/** With what is saved in the cell, which takes it back. */
export interface KnownCellEdit extends CellEdit {
  saved: string;
}

export interface Pending {
  /** By row and column. */
  cells: ReadonlyMap<string, KnownCellEdit>;
  /** Rows that are to be removed. */
  removed: ReadonlySet<number>;
  /** Rows that were removed before, and are to be put back. */
  restored: ReadonlySet<number>;
}

/** What one step changes. */
export interface Step {
  cells?: readonly KnownCellEdit[];
  removed?: readonly number[];
  restored?: readonly number[];
}

export interface DraftEdits {
  /** The state of the draft that the changes are made on. */
  revision: number;
  /** What is to be saved after each step, the latest last: undo takes one back. */
  history: readonly Pending[];
  /** What takes back each change that was saved here, the latest last. */
  saved: readonly Step[];
  /** Cells of rows that were removed elsewhere meanwhile. They are saved nowhere. */
  unplaced: readonly CellEdit[];
}

type Basis = Pick<Draft, 'revision' | 'removedRows'>;
type Change = Pick<DraftChangeRequest, 'cells' | 'removeRows' | 'restoreRows'>;

const NOTHING: Pending = { cells: new Map(), removed: new Set(), restored: new Set() };

export const keyOf = (row: number, column: string): string => `${row}/${column}`;

export function noEdits({ revision }: Pick<Basis, 'revision'>): DraftEdits {
  return { revision, history: [NOTHING], saved: [], unplaced: [] };
}

export function pendingOf({ history }: Pick<DraftEdits, 'history'>): Pending {
  return history.at(-1) ?? NOTHING;
}

/** How many things are to be saved. */
export function countOf({ cells, removed, restored }: Pending): number {
  return cells.size + removed.size + restored.size;
}

/** Typing on in one cell is one step. A cell that says again what is saved is not edited. */
export function typed(edits: DraftEdits, cells: readonly KnownCellEdit[]): DraftEdits {
  const next = combined(pendingOf(edits), { cells });
  const [only] = cells;
  const goesOn = cells.length === 1 && only !== undefined && lastTypedIn(edits) === keyOf(only.row, only.column);
  return { ...edits, history: [...(goesOn ? edits.history.slice(0, -1) : edits.history), next] };
}

/** A row is to be removed, or put back: by the other one of them it stays as it is. */
export function withStep(edits: DraftEdits, step: Step): DraftEdits {
  return { ...edits, history: [...edits.history, combined(pendingOf(edits), step)] };
}

export function canUndo({ history, saved }: DraftEdits): boolean {
  return history.length > 1 || saved.length > 0;
}

/** Takes back the last step. Once there is none, what was saved last is taken back, by a change that is not saved yet. */
export function undone(edits: DraftEdits): DraftEdits {
  const { history, saved } = edits;
  if (history.length > 1) return { ...edits, history: history.slice(0, -1) };
  const last = saved.at(-1);
  if (last === undefined) return edits;
  return { ...edits, history: [combined(pendingOf(edits), last)], saved: saved.slice(0, -1) };
}

function combined({ cells, removed, restored }: Pending, step: Step): Pending {
  const next = new Map(cells);
  for (const cell of step.cells ?? []) {
    const key = keyOf(cell.row, cell.column);
    const saved = cells.get(key)?.saved ?? cell.saved;
    if (cell.value === saved) next.delete(key);
    else next.set(key, { ...cell, saved });
  }
  const [gone, back] = [new Set(removed), new Set(restored)];
  for (const row of step.removed ?? []) if (!back.delete(row)) gone.add(row);
  for (const row of step.restored ?? []) if (!gone.delete(row)) back.add(row);
  return { cells: next, removed: gone, restored: back };
}

/** What is sent. Cells of rows that are removed with it are of no use. */
export function changeOf({ cells, removed, restored }: Pending): Required<Change> {
  return {
    cells: [...cells.values()]
      .filter(({ row }) => !removed.has(row))
      .map(({ row, column, value }) => ({ row, column, value })),
    removeRows: [...removed],
    restoreRows: [...restored],
  };
}

/** Cells that the server takes at once. */
const CELLS_AT_ONCE = 10_000;

/** What is to be saved, in as many parts as it takes: rows first, as cells may be of rows that are put back. */
export function partsOf(pending: Pending): Pending[] {
  const cells = [...pending.cells].filter(([, { row }]) => !pending.removed.has(row));
  const first: Pending = { ...pending, cells: new Map(cells.slice(0, CELLS_AT_ONCE)) };
  const parts = [first];
  for (let from = CELLS_AT_ONCE; from < cells.length; from += CELLS_AT_ONCE) {
    parts.push({ ...NOTHING, cells: new Map(cells.slice(from, from + CELLS_AT_ONCE)) });
  }
  return parts;
}

/** The draft as somebody has changed it elsewhere: what was saved here before is taken back no more. */
export function rebased(edits: DraftEdits, { revision, removedRows }: Basis): DraftEdits {
  if (revision <= edits.revision) return edits;
  const gone = new Set(removedRows);
  const lost = [...pendingOf(edits).cells.values()].filter(
    ({ row }) => gone.has(row) && !pendingOf(edits).restored.has(row),
  );
  const history = edits.history.map((pending) => ({
    cells: new Map([...pending.cells].filter(([, { row }]) => !gone.has(row) || pending.restored.has(row))),
    removed: new Set([...pending.removed].filter((row) => !gone.has(row))),
    restored: new Set([...pending.restored].filter((row) => gone.has(row))),
  }));
  return { revision, history, saved: [], unplaced: [...edits.unplaced, ...lost.map(withoutSaved)] };
}

/** After a change of ours: what it has saved is no edit any more, unless it was changed again or taken back meanwhile. */
export function afterSaving(edits: DraftEdits, sent: Pending, { revision }: Pick<Basis, 'revision'>): DraftEdits {
  const latest = pendingOf(edits);
  const cells = [...sent.cells.values()].filter(({ row }) => !sent.removed.has(row));
  const basis: Pending = {
    ...NOTHING,
    cells: new Map(cells.map((cell) => [keyOf(cell.row, cell.column), { ...cell, saved: cell.value }])),
  };
  // From what was saved to what is wanted now.
  const wanted = [...latest.cells.values(), ...cells.filter((cell) => !latest.cells.has(keyOf(cell.row, cell.column)))];
  const next = combined(basis, {
    cells: wanted.map((cell) =>
      latest.cells.has(keyOf(cell.row, cell.column)) ? cell : { ...cell, value: cell.saved },
    ),
    removed: [...without(latest.removed, sent.removed), ...without(sent.restored, latest.restored)],
    restored: [...without(latest.restored, sent.restored), ...without(sent.removed, latest.removed)],
  });
  const takenBack: Step = {
    cells: cells.map(({ value, saved, ...at }) => ({ ...at, value: saved, saved: value })),
    removed: [...sent.restored],
    restored: [...sent.removed],
  };
  const rest = new Map([...next.cells].filter(([, { row }]) => !sent.removed.has(row)));
  return {
    revision,
    history: [{ ...next, cells: rest }],
    saved: [...edits.saved, takenBack],
    unplaced: edits.unplaced,
  };
}

function without(rows: ReadonlySet<number>, others: ReadonlySet<number>): number[] {
  return [...rows].filter((row) => !others.has(row));
}

function withoutSaved({ row, column, value }: KnownCellEdit): CellEdit {
  return { row, column, value };
}

/** What is to be done before the draft is submitted: what is submitted is what is saved. Null: nothing. */
export function beforeSubmission(draft: Pick<Draft, 'problemCount'>, edits: DraftEdits): string | null {
  const unsaved = countOf(pendingOf(edits));
  if (unsaved > 0) return `Save ${counted(unsaved, 'change')} first`;
  if (edits.unplaced.length > 0) return 'Look at what could not be kept first';
  return draft.problemCount > 0 ? `${formatCount(draft.problemCount)} to correct` : null;
}

/** The only cell in which the last step differs from the one before. */
function lastTypedIn({ history }: DraftEdits): string | null {
  const [now, before] = [history.at(-1), history.at(-2)];
  if (now === undefined || before === undefined) return null;
  if (now.removed.size !== before.removed.size || now.restored.size !== before.restored.size) return null;
  const keys = [...new Set([...now.cells.keys(), ...before.cells.keys()])].filter(
    (key) => now.cells.get(key)?.value !== before.cells.get(key)?.value,
  );
  return keys.length === 1 ? (keys[0] ?? null) : null;
}
