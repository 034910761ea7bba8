import type { Draft, DraftChangeRequest } from '../../api/payment-file/draft.ts';
import { counted, formatCount } from '../elements/formats.ts';

/** What was typed into a draft and is not saved: it lasts over other pages of rows, other filters, and other changes. */

export interface CellEdit {
  row: number;
  column: string;
  value: string;
}

/** By row and column. */
export type Edits = ReadonlyMap<string, CellEdit>;

export interface DraftEdits {
  /** The state of the draft that the numbers of the rows are of. */
  revision: number;
  rowCount: number;
  /** What was typed after each step, the latest last: undo takes one back. */
  history: readonly Edits[];
  /** Cells whose row cannot be told any more, as somebody else has removed rows. They are saved nowhere. */
  unplaced: readonly CellEdit[];
}

type Basis = Pick<Draft, 'revision' | 'rowCount'>;
type Change = Omit<DraftChangeRequest, 'revision'>;

export const keyOf = (row: number, column: string): string => `${row}/${column}`;

export function noEdits({ revision, rowCount }: Basis): DraftEdits {
  return { revision, rowCount, history: [new Map()], unplaced: [] };
}

export function editsOf({ history }: DraftEdits): Edits {
  return history.at(-1) ?? new Map();
}

/** What was typed; typing on in one cell is one step. A cell that says again what is saved is not edited. */
export function typed(edits: DraftEdits, cells: readonly (CellEdit & { saved: string })[]): DraftEdits {
  const next = new Map(editsOf(edits));
  for (const { saved, ...cell } of cells) {
    const key = keyOf(cell.row, cell.column);
    if (cell.value === saved) next.delete(key);
    else next.set(key, cell);
  }
  const [only] = cells;
  const goesOn = cells.length === 1 && only !== undefined && lastTypedIn(edits) === keyOf(only.row, only.column);
  return { ...edits, history: [...(goesOn ? edits.history.slice(0, -1) : edits.history), next] };
}

export function undone(edits: DraftEdits): DraftEdits {
  return edits.history.length < 2 ? edits : { ...edits, history: edits.history.slice(0, -1) };
}

/** The draft as somebody has changed it elsewhere. Rows only ever go: as long as none has, their numbers are the same. */
export function rebased(edits: DraftEdits, { revision, rowCount }: Basis): DraftEdits {
  if (revision <= edits.revision) return edits;
  if (rowCount === edits.rowCount) return { ...edits, revision };
  const unplaced = [...edits.unplaced, ...editsOf(edits).values()];
  return { revision, rowCount, history: [new Map()], unplaced };
}

/** After a change of ours: what it has saved is no edit any more, and rows after removed ones have other numbers. */
export function afterSaving(edits: DraftEdits, { cells = [], removeRows = [] }: Change, saved: Basis): DraftEdits {
  const rest = [...editsOf(edits)].filter(
    ([key, { value }]) => !cells.some((cell) => keyOf(cell.row, cell.column) === key && cell.value === value),
  );
  const moved = rest.flatMap(([, cell]) => {
    if (removeRows.includes(cell.row)) return [];
    return [{ ...cell, row: cell.row - removeRows.filter((row) => row < cell.row).length }];
  });
  const next = new Map(moved.map((cell) => [keyOf(cell.row, cell.column), cell] as const));
  return { revision: saved.revision, rowCount: saved.rowCount, history: [next], unplaced: edits.unplaced };
}

/** What is to be done before the draft is submitted: what is submitted is what is saved. Null: nothing. */
export function beforeSubmission(draft: Pick<Draft, 'problemCount'>, edits: DraftEdits): string | null {
  const unsaved = editsOf(edits).size;
  if (unsaved > 0) return `Save ${counted(unsaved, 'cell')} first`;
  if (edits.unplaced.length > 0) return 'Look at what could not be kept first';
  return draft.problemCount > 0 ? `${formatCount(draft.problemCount)} to correct` : null;
}

/** The only cell in which the last step differs from the one before. */
function lastTypedIn({ history }: DraftEdits): string | null {
  const [now, before] = [history.at(-1), history.at(-2)];
  if (now === undefined || before === undefined) return null;
  const keys = [...new Set([...now.keys(), ...before.keys()])].filter(
    (key) => now.get(key)?.value !== before.get(key)?.value,
  );
  return keys.length === 1 ? (keys[0] ?? null) : null;
}
