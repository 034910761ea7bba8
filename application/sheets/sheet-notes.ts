import { columnName } from './column-name.ts';

/** What a person must know of a sheet that was read, and what can be done. */
const NOTES = {
  replacement_characters: {
    problem: 'letters were lost before the file was made: it has the sign � in their place',
    fix: 'export it again from where it comes from, as UTF-8, or correct these cells',
  },
  damaged_letters: {
    problem: 'letters look as if they were read in a wrong encoding, such as "MÃ¼ller"',
    fix: 'choose another encoding, or export the file again; correct these cells',
  },
  control_characters: {
    problem: 'the text has control characters, as when it is read in a wrong encoding',
    fix: 'choose another encoding',
  },
  scientific_notation: {
    problem: 'a long number was replaced by its scientific notation, so its digits are lost',
    fix: 'take it from where it comes from, into a column formatted as text',
  },
  digits_cut: {
    problem: 'a number of more than 15 digits ends in zeros: Excel replaces all digits after the 15th by zeros',
    fix: 'compare it with where it comes from, and keep such numbers in a column formatted as text',
  },
  more_than_15_digits: {
    problem: 'a number is held with more than 15 digits, which a spreadsheet never shows, as calculations leave them',
    fix: 'round it in the sheet, for example =ROUND(A1,2)',
  },
  shown_otherwise: {
    problem: 'the sheet shows another number than it holds, such as a rounded one; the number that it holds is read',
    fix: 'show all of its digits, or round it in the sheet',
  },
  date_not_real: {
    problem: 'a cell has the format of a date, and a number that is no date',
    fix: 'write the date again',
  },
  hidden_rows: {
    problem: 'rows are hidden; they are read as all others',
    fix: 'show them, and delete what is not meant',
  },
  filtered_rows: {
    problem: 'a filter hides rows; they are read as all others',
    fix: 'clear the filter, and delete what is not meant',
  },
  hidden_columns: {
    problem: 'columns are hidden; they are read as all others',
    fix: 'show them, and delete what is not meant',
  },
  formula_without_value: {
    problem: 'a formula has no stored result, so the cell is empty',
    fix: 'open the file in a spreadsheet program, and save it',
  },
  error_value: {
    problem: 'a formula has an error instead of a result',
    fix: 'correct the formula, or write the value',
  },
  merged_cells: {
    problem: 'cells are merged: only the first one of them has a value, all others are empty',
    fix: 'unmerge them, and fill each cell',
  },
  other_sheets: {
    problem: 'other sheets of the workbook have content; they are not read',
    fix: 'submit them separately if they have payments',
  },
  hidden_sheets: {
    problem: 'hidden sheets of the workbook have content; they are not read',
    fix: 'show them, and see whether they have payments',
  },
} as const;

export type SheetNoteCode = keyof typeof NOTES;

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
    const { problem, fix } = NOTES[code];
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
    this.#notes.set(to, { ...note, code: to, ...NOTES[to] });
  }

  list(): SheetNote[] {
    return [...this.#notes.values()].map((note) => ({ ...note }));
  }
}

/** So many are named, the others counted. */
const NAMED = 10;
