import { UnreadableFile } from '../payment-file/file-problem.ts';
import { columnIndex, columnName } from './column-name.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import type { SheetLimits } from './sheet.ts';
import type { SheetNotes } from './sheet-notes.ts';
import { isTrue } from './workbook.ts';
import { KIND_WITHIN, kindOfFormula } from './kind-of-formula.ts';
import type { CellReader, StoredCell } from './worksheet-cell.ts';
import type { XmlEvents } from './xml-reader.ts';
import { damagedWorkbook } from './zip-archive.ts';

/** No sheet has more. */
const MOST_LINES = 1_048_576;
const MOST_COLUMNS = 16_384;

/** How deep they are: parts of the sheet, its rows, their cells, and what a cell has. */
const IN_SHEET = 1;
const IN_DATA = 2;
const IN_ROW = 3;
const IN_CELL = 4;

type NewRecord = Required<Pick<SheetRecord, 'line' | 'cells' | 'values'>> & Pick<SheetRecord, 'formulas'>;

/** Makes records of the part of a workbook that is one sheet. */
export class WorksheetReader implements XmlEvents {
  readonly #reader: CellReader;
  readonly #notes: SheetNotes;
  readonly #limits: SheetLimits;
  #records: SheetRecord[] = [];
  #count = 0;
  #record: NewRecord = { line: 0, cells: [], values: [] };
  #isHiddenRow = false;
  #cell: StoredCell | null = null;
  /** Of the last cell of the row, from 0. */
  #cellColumn = -1;
  #isText = false;
  #isFormula = false;
  /** In a text that the cell itself has. */
  #isInline = false;
  #isSpoken = false;
  /** How many elements are open. */
  #depth = 0;
  /** In the rows, not in what a program has added beside them. */
  #isData = false;
  /** Rows that say nothing of their height. */
  #isHiddenByDefault = false;
  #hiddenColumns: { from: number; to: number }[] = [];
  /** Each column is looked up once. */
  readonly #lookedUp = new Set<number>();

  constructor(reader: CellReader, notes: SheetNotes, limits: SheetLimits) {
    this.#reader = reader;
    this.#notes = notes;
    this.#limits = limits;
  }

  /** Those that were read since it was asked last. */
  take(): SheetRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  open(name: string, attributes: Record<string, string>): void {
    const depth = this.#depth;
    this.#depth += 1;
    // guard: rows-of-sheet-data
    if (depth === IN_SHEET) this.#isData = name === 'sheetData';
    if (!this.#isData) this.#openOutside(name, attributes);
    else if (depth === IN_DATA && name === 'row') this.#beginRow(attributes);
    else if (depth === IN_ROW && name === 'c') this.#beginCell(attributes);
    else if (this.#cell !== null) this.#openInCell(this.#cell, name, depth);
    // Programs would disagree on whether it is one of the rows.
    // guard: rows-in-their-place
    else if (name === 'row' || name === 'c') throw damagedWorkbook(undefined, this.#record.line);
  }

  close(name: string): void {
    this.#depth -= 1;
    if (!this.#isData) return;
    if (this.#depth === IN_ROW && name === 'c') this.#endCell();
    else if (this.#depth === IN_DATA && name === 'row') this.#endRow();
    else if (this.#depth === IN_CELL) this.#isInline = false;
    else if (name === 'rPh') this.#isSpoken = false;
    this.#isText = false;
    this.#isFormula = false;
  }

  text(text: string): void {
    if (this.#isFormula && this.#cell !== null)
      this.#cell.formula = `${this.#cell.formula ?? ''}${text}`.slice(0, KIND_WITHIN);
    if (!this.#isText || this.#cell === null) return;
    this.#cell.text += text;
    if (this.#cell.text.length > this.#limits.cellCharacters) throw this.#tooLong(this.#cell);
  }

  #openOutside(name: string, attributes: Record<string, string>): void {
    if (name === 'col' && (isTrue(attributes['hidden']) || isTooSmall(attributes['width'])))
      this.#hideColumns(attributes);
    if (name === 'sheetFormatPr') {
      this.#isHiddenByDefault = isTrue(attributes['zeroHeight']) || isTooSmall(attributes['defaultRowHeight']);
    }
    if (name === 'mergeCell') this.#noteMerged(attributes['ref'] ?? '');
    if (name === 'filterColumn') this.#notes.rename('hidden_rows', 'filtered_rows');
  }

  #openInCell(cell: StoredCell, name: string, depth: number): void {
    if (depth === IN_CELL) this.#beginContent(cell, name);
    if (name === 'rPh') this.#isSpoken = true;
    this.#isFormula = depth === IN_CELL && name === 'f';
    this.#isText = depth === IN_CELL ? name === 'v' : this.#isInline && name === 't' && !this.#isSpoken;
  }

  #beginContent(cell: StoredCell, name: string): void {
    this.#isInline = name === 'is';
    if (name === 'f') cell.formula = '';
    else if (name === 'v' || name === 'is') {
      // Programs would disagree on which of two is shown.
      // guard: one-value-of-a-cell
      if (cell.hasValue || this.#isInline !== (cell.type === 'inlineStr')) throw damagedWorkbook(undefined, cell.line);
      cell.hasValue = true;
    } else throw damagedWorkbook(undefined, cell.line);
  }

  #beginRow(attributes: Record<string, string>): void {
    const before = this.#record.line;
    const line = attributes['r'] === undefined ? before + 1 : Number(attributes['r']);
    if (!(Number.isInteger(line) && line > before && line <= MOST_LINES)) throw damagedWorkbook();
    this.#record = { line, cells: [], values: [] };
    this.#cellColumn = -1;
    const { hidden, ht: height } = attributes;
    const isDefault = hidden === undefined && height === undefined;
    this.#isHiddenRow = isTrue(hidden) || isTooSmall(height) || (isDefault && this.#isHiddenByDefault);
  }

  #endRow(): void {
    const record = this.#record;
    if (record.cells.length === 0) return;
    if (this.#isHiddenRow) {
      this.#notes.add('hidden_rows', record.line, null, String(record.line));
      this.#records.push({ ...record, hidden: true });
    } else this.#records.push(record);
    this.#count += 1;
    if (this.#count <= this.#limits.rows + 1) return;
    throw new UnreadableFile(
      { line: record.line },
      'too_many_rows',
      `the file has more than ${this.#limits.rows} rows`,
      'split it',
    );
  }

  #beginCell({ r: reference, t: type, s: style }: Record<string, string>): void {
    const { line } = this.#record;
    const before = this.#cellColumn;
    const column = reference === undefined ? before + 1 : columnIndex(reference);
    if (line === 0 || !(column > before && column < MOST_COLUMNS)) throw damagedWorkbook(undefined, line);
    this.#cellColumn = column;
    this.#cell = {
      line,
      column,
      type: type ?? 'n',
      style: Number(style ?? 0),
      formula: null,
      hasValue: false,
      text: '',
    };
  }

  #endCell(): void {
    const cell = this.#cell;
    this.#cell = null;
    if (cell === null) throw damagedWorkbook();
    if (!cell.hasValue && cell.formula === null && cell.text === '') return;
    const { shown, value } = this.#reader.read(cell);
    if (shown === '' && value === null) return;
    if (shown.length > this.#limits.cellCharacters) throw this.#tooLong(cell);
    if (cell.column >= this.#limits.columns) throw this.#tooManyColumns(cell);
    this.#noteHidden(cell);
    const { cells, values } = this.#record;
    while (cells.length < cell.column) {
      cells.push('');
      values.push(null);
    }
    cells.push(shown);
    values.push(value);
    if (cell.formula === null) return;
    const formulas = (this.#record.formulas ??= []);
    while (formulas.length < cell.column) formulas.push(null);
    formulas.push(`${columnName(cell.column)}${cell.line}, ${kindOfFormula(cell.formula)}`);
  }

  #hideColumns({ min, max }: Record<string, string>): void {
    this.#hiddenColumns.push({ from: Number(min) - 1, to: Number(max) - 1 });
    if (this.#hiddenColumns.length > MOST_COLUMNS) throw damagedWorkbook();
  }

  #noteHidden({ line, column }: StoredCell): void {
    if (this.#lookedUp.has(column)) return;
    this.#lookedUp.add(column);
    if (!this.#hiddenColumns.some(({ from, to }) => column >= from && column <= to)) return;
    this.#notes.add('hidden_columns', line, column, columnName(column));
  }

  #noteMerged(range: string): void {
    this.#notes.add('merged_cells', Number(/\d+/.exec(range)?.[0] ?? 0), columnIndex(range), range);
  }

  #tooLong({ line, column }: StoredCell): UnreadableFile {
    return new UnreadableFile(
      { line, column: columnName(column) },
      'cell_too_long',
      `a cell is longer than ${this.#limits.cellCharacters} characters`,
      'shorten it',
    );
  }

  #tooManyColumns({ line }: StoredCell): UnreadableFile {
    return new UnreadableFile(
      { line },
      'too_many_columns',
      `the line has more than ${this.#limits.columns} cells`,
      'remove the columns that are not needed',
    );
  }
}

/** Of a height in points or a width in characters: nobody reads what is in it. */
function isTooSmall(size: string | undefined): boolean {
  // guard: too-small-to-see
  return size !== undefined && Number(size) < 1;
}
