import type { FileProblemCode } from '../../domain/payment-file/file-problem-codes.ts';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import type { PaymentFileLimits } from '../payment-file/payment-file-limits.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The end of a cell or of a line is not in the text so far. */
const NOT_YET = -1;

export interface CsvForm {
  /** One character. */
  delimiter: string;
  /** `cr`: a carriage return alone ends a line, as in files of old Macs. */
  lineEnd: 'lf' | 'cr';
  /** The number of the line that the text begins with. */
  firstLine: number;
}

/**
 * Reads CSV piece by piece: cells exactly as written, quotes doubled inside quotes, blank lines skipped. Holds no more than the
 * record that it is in. Throws UnreadableFile at the first wrong quote, line end or limit, with its line.
 */
export class CsvParser {
  readonly #delimiter: number;
  readonly #lineEnd: CsvForm['lineEnd'];
  readonly #limits: PaymentFileLimits;
  #text = '';
  /** Where the cell begins that is being read. */
  #at = 0;
  #line: number;
  /** Of the record that is being read. */
  #cells: string[] = [];
  #recordLine = 0;
  #count = 0;

  constructor(form: CsvForm, limits: PaymentFileLimits) {
    this.#delimiter = form.delimiter.charCodeAt(0);
    this.#lineEnd = form.lineEnd;
    this.#line = form.firstLine;
    this.#limits = limits;
  }

  /** The records that end in the text so far. */
  push(text: string): SheetRecord[] {
    this.#text = this.#text.slice(this.#at) + text;
    this.#at = 0;
    return this.#read(false);
  }

  /** The last record, if the text does not end with a line end. */
  end(): SheetRecord[] {
    return this.#read(true);
  }

  #read(isLast: boolean): SheetRecord[] {
    const records: SheetRecord[] = [];
    for (;;) {
      if (this.#cells.length === 0) {
        if (!this.#findRecord(isLast)) break;
        this.#recordLine = this.#line;
      }
      const isQuoted = this.#text.charCodeAt(this.#at) === QUOTE;
      const end = isQuoted ? this.#quotedEnd(isLast) : this.#plainEnd(isLast);
      if (end === NOT_YET) {
        // A quoted cell may have its two quotes, and each of its characters doubled.
        this.#refuseLong(this.#text.length - this.#at, isQuoted ? 2 : 1);
        break;
      }
      this.#takeCell(end, isQuoted);
      if (this.#text.charCodeAt(end) === this.#delimiter) {
        this.#at = end + 1;
        continue;
      }
      this.#at = end;
      if (end < this.#text.length) this.#passLineEnd();
      records.push(this.#takeRecord());
    }
    return records;
  }

  /** Whether a record begins in the text so far. */
  #findRecord(isLast: boolean): boolean {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== LINE_FEED && code !== CARRIAGE_RETURN) return this.#at < this.#text.length;
      if (code === CARRIAGE_RETURN && this.#isCut(isLast)) return false;
      this.#passLineEnd();
    }
  }

  /** Whether what follows the character is not known yet. */
  #isCut(isLast: boolean, at = this.#at): boolean {
    return !isLast && at + 1 >= this.#text.length;
  }

  /** The end of a cell without quotes. */
  #plainEnd(isLast: boolean): number {
    const text = this.#text;
    const delimiter = this.#delimiter;
    for (let at = this.#at; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === delimiter || code === LINE_FEED) return at;
      if (code === CARRIAGE_RETURN) return this.#isCut(isLast, at) ? NOT_YET : at;
      if (code === QUOTE) {
        throw this.#problem('quote_inside', 'a quote is inside a cell that does not begin with one', DOUBLE_QUOTES);
      }
    }
    return isLast ? text.length : NOT_YET;
  }

  /** The end of a cell that begins with a quote: after the closing one. */
  #quotedEnd(isLast: boolean): number {
    const text = this.#text;
    let at = text.indexOf('"', this.#at + 1);
    while (at !== -1 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
    if (at !== -1 && !this.#isCut(isLast, at)) return this.#afterQuote(at + 1, isLast);
    if (!isLast) return NOT_YET;
    throw this.#problem(
      'quote_not_closed',
      'a quote is opened on this line and never closed',
      'close it, or double it if it is part of the text',
    );
  }

  #afterQuote(end: number, isLast: boolean): number {
    const code = this.#text.charCodeAt(end);
    if (code === CARRIAGE_RETURN && this.#isCut(isLast, end)) return NOT_YET;
    const isEnd = code === this.#delimiter || code === LINE_FEED || code === CARRIAGE_RETURN;
    if (isEnd || end === this.#text.length) return end;
    const line = this.#line + this.#lineEndsIn(this.#text.slice(this.#at, end));
    throw this.#problem('text_after_quote', 'a cell goes on after its closing quote', DOUBLE_QUOTES, line);
  }

  #takeCell(end: number, isQuoted: boolean): void {
    let cell = isQuoted ? this.#text.slice(this.#at + 1, end - 1) : this.#text.slice(this.#at, end);
    if (isQuoted && cell.includes('"')) cell = cell.replaceAll('""', '"');
    this.#refuseLong(cell.length, 1);
    if (this.#cells.push(cell) > this.#limits.columns) {
      throw this.#problem(
        'too_many_columns',
        `the line has more than ${this.#limits.columns} cells`,
        'remove the columns that are not needed',
        this.#recordLine,
      );
    }
    if (isQuoted) this.#line += this.#lineEndsIn(cell);
  }

  #takeRecord(): SheetRecord {
    const record = { line: this.#recordLine, cells: this.#cells };
    this.#cells = [];
    this.#count += 1;
    if (this.#count > this.#limits.rows + 1) {
      throw this.#problem('too_many_rows', `the file has more than ${this.#limits.rows} rows`, 'split it', record.line);
    }
    return record;
  }

  #lineEndsIn(cell: string): number {
    let count = 0;
    const lineEnd = this.#lineEnd === 'cr' ? '\r' : '\n';
    for (let at = cell.indexOf(lineEnd); at !== -1; at = cell.indexOf(lineEnd, at + 1)) count += 1;
    return count;
  }

  #passLineEnd(): void {
    const code = this.#text.charCodeAt(this.#at);
    const isPair = code === CARRIAGE_RETURN && this.#text.charCodeAt(this.#at + 1) === LINE_FEED;
    if (!isPair && (code === CARRIAGE_RETURN) !== (this.#lineEnd === 'cr')) throw this.#otherLineEnd();
    this.#at += isPair ? 2 : 1;
    this.#line += 1;
  }

  #otherLineEnd(): UnreadableFile {
    return this.#problem(
      'line_ends',
      this.#lineEnd === 'cr'
        ? 'the line ends with a line feed, but the lines above end with a carriage return'
        : 'a carriage return has no line feed after it, as in files of old programs',
      'save the file with Windows or Unix line ends',
    );
  }

  /** `perCharacter`: how many characters of the file one character of the cell may take. */
  #refuseLong(length: number, perCharacter: number): void {
    if (length <= this.#limits.cellCharacters * perCharacter + 2 * (perCharacter - 1)) return;
    throw this.#problem(
      'cell_too_long',
      `a cell that begins on this line is longer than ${this.#limits.cellCharacters} characters`,
      'shorten it; if it is not long, a quote before it is not closed',
    );
  }

  #problem(code: FileProblemCode, problem: string, fix: string, line = this.#line): UnreadableFile {
    return new UnreadableFile({ line }, code, problem, fix);
  }
}

const DOUBLE_QUOTES = 'put the whole cell into quotes, and double every quote inside it';
