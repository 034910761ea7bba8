import { SHEET_NOTES, type SheetNoteCode } from '../../domain/payment-file/sheet-note-codes.ts';
import { columnName } from './column-name.ts';

export interface SheetNote {
  code: SheetNoteCode;
  problem: string;
  fix: string;
  /** Where it is first; 0 and null: not in a cell. */
  line: number;
  /** As spreadsheets name it: "A". */
  column: string | null;
  /** How many cells, rows, columns or sheets it is true of. */
  count: number;
}

/** Counts what is noted of a sheet, and keeps the first place of each. */
export class SheetNotes {
  readonly #notes = new Map<SheetNoteCode, SheetNote>();

  /** Line and column from 1 and 0. `of`: what is named beside the problem, such as the name of a sheet. */
  add(code: SheetNoteCode, line: number, column: number | null, of: string | null = null): void {
    const known = this.#notes.get(code);
    if (known !== undefined) {
      known.count += 1;
      if (of !== null && known.count <= NAMED) known.problem += `, ${of}`;
      return;
    }
    const { cause: problem, fix } = SHEET_NOTES[code];
    this.#notes.set(code, {
      code,
      problem: of === null ? problem : `${problem}: ${of}`,
      fix,
      line,
      column: column === null ? null : columnName(column),
      count: 1,
    });
  }

  /** What was hidden turns out to be hidden by a filter. */
  rename(from: SheetNoteCode, to: SheetNoteCode): void {
    const note = this.#notes.get(from);
    if (note === undefined) return;
    this.#notes.delete(from);
    const { cause: problem, fix } = SHEET_NOTES[to];
    this.#notes.set(to, { ...note, code: to, problem, fix });
  }

  list(): SheetNote[] {
    return [...this.#notes.values()].map((note) => ({ ...note }));
  }
}

/** So many are named, the others counted. */
const NAMED = 10;
