import { type CellFormat, cellFormat, EXACT_DIGITS, exactDecimal, GENERAL } from './cell-format.ts';
import { dateOfSerial } from './date-serial.ts';
import { type SharedStrings, unescaped } from './shared-strings.ts';
import type { SheetNotes } from './sheet-notes.ts';
import type { Workbook } from './workbook.ts';
import { damagedWorkbook } from './zip-archive.ts';

/** A cell as a part of a workbook has it. */
export interface StoredCell {
  line: number;
  /** From 0. */
  column: number;
  /** `t`: what kind of value it is. */
  type: string;
  style: number;
  /** The beginning of its formula, perhaps empty; null: it has none. */
  formula: string | null;
  hasValue: boolean;
  /** What is stored: a text, or the number of one. */
  text: string;
}

export interface ReadCell {
  /** As the sheet shows it. */
  shown: string;
  /** The exact number or date; null: text. */
  value: string | null;
}

const EMPTY: ReadCell = { shown: '', value: null };

/** Reads the cells of a workbook. Throws UnreadableFile for one that means nothing. */
export class CellReader {
  readonly #workbook: Workbook;
  readonly #strings: SharedStrings;
  readonly #notes: SheetNotes;

  constructor(workbook: Workbook, strings: SharedStrings, notes: SheetNotes) {
    this.#workbook = workbook;
    this.#strings = strings;
    this.#notes = notes;
  }

  read(cell: StoredCell): ReadCell {
    if (cell.text === '' && cell.type !== 'inlineStr' && !(cell.type === 'str' && cell.hasValue)) {
      if (cell.formula !== null) this.#notes.add('formula_without_value', cell.line, cell.column);
      return EMPTY;
    }
    switch (cell.type) {
      case 's':
        return this.#text(cell, this.#strings.get(wholeNumber(cell)));
      case 'inlineStr':
      case 'str':
        return this.#text(cell, cell.text);
      case 'b':
        return { shown: ['1', 'true'].includes(cell.text) ? 'TRUE' : 'FALSE', value: null };
      case 'e':
        this.#notes.add('error_value', cell.line, cell.column);
        return { shown: cell.text, value: null };
      case 'd':
        return { shown: cell.text, value: ISO_DATE.test(cell.text) ? cell.text : null };
      default:
        return this.#number(cell);
    }
  }

  #text(cell: StoredCell, text: string | undefined): ReadCell {
    if (text === undefined) throw damagedCell(cell);
    const shown = unescaped(text);
    return { shown, value: null };
  }

  #number(cell: StoredCell): ReadCell {
    const value = NUMBER.test(cell.text) ? Number(cell.text) : Number.NaN;
    if (!Number.isFinite(value)) throw damagedCell(cell);
    const format = this.#workbook.formats[cell.style] ?? NO_FORMAT;
    if (format.isDate) return this.#date(cell, format, value);
    const shown = format.show(value) ?? exactDecimal(value);
    this.#noteNumber(cell, format, value, shown);
    return { shown, value: exactDecimal(rounded(value)) };
  }

  #date(cell: StoredCell, format: CellFormat, value: number): ReadCell {
    const date = dateOfSerial(value, this.#workbook.is1904);
    if (date === null && !(value >= 0 && value < 1)) {
      this.#notes.add('date_not_real', cell.line, cell.column);
      // A number, so that its digits are never read as those of a day.
      return { shown: exactDecimal(value), value: exactDecimal(value) };
    }
    return { shown: format.show(value + (this.#workbook.is1904 ? FROM_1900_TO_1904 : 0)) ?? cell.text, value: date };
  }

  #noteNumber(cell: StoredCell, format: CellFormat, value: number, shown: string): void {
    // Digits of account numbers and the like, of which the sixteenth and all after it were replaced.
    if (Math.abs(value) >= 10 ** EXACT_DIGITS) this.#notes.add('number_cut', cell.line, cell.column);
    // guard: shown-otherwise
    if (format.isOther(value, shown)) this.#notes.add('shown_otherwise', cell.line, cell.column);
  }
}

/** What calculations leave beyond these digits, no spreadsheet shows: 119.30000000000001 is 119.3. */
function rounded(value: number): number {
  return Math.abs(value) < 10 ** EXACT_DIGITS ? Number(value.toPrecision(EXACT_DIGITS)) : value;
}

const NO_FORMAT = cellFormat(GENERAL);
const FROM_1900_TO_1904 = 1_462;
const NUMBER = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[Ee][-+]?\d+)?\s*$/;
const ISO_DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?$/;

function wholeNumber(cell: StoredCell): number {
  const index = Number(cell.text);
  return Number.isInteger(index) ? index : -1;
}

function damagedCell({ line }: StoredCell): Error {
  return damagedWorkbook('the workbook has a cell that cannot be read', line);
}
