import type { FileProblemCode } from '../../domain/payment-file/file-problem-codes.ts';
import { UnreadableFile } from './file-problem.ts';
import type { PaymentFileLimits } from './payment-file-limits.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A character takes at most this many bytes in UTF-8. */
const BYTES_PER_CHARACTER = 4;

/**
 * Walks over the bytes once, before anything is parsed: counts rows and cells within the limits and finds wrong quotes
 * and ragged rows with their lines, so that the parser only ever sees a well-formed file of a bounded size.
 * Returns the line that each row begins on (blank lines are no rows), the header's first.
 * Throws UnreadableFile at the first problem.
 */
export function rowLines(bytes: Buffer, limits: PaymentFileLimits): number[] {
  return new ShapeWalk(bytes, limits).walk();
}

class ShapeWalk {
  readonly #bytes: Buffer;
  readonly #limits: PaymentFileLimits;
  readonly #lines: number[] = [];
  #at = 0;
  #line = 1;
  #columns = 0;

  constructor(bytes: Buffer, limits: PaymentFileLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  walk(): number[] {
    while (this.#at < this.#bytes.length) {
      if (this.#skipLineEnd()) continue;
      this.#row();
    }
    return this.#lines;
  }

  /** One row: cells up to the line's end that is not inside quotes. */
  #row(): void {
    const line = this.#line;
    let cells = 0;
    for (;;) {
      cells += 1;
      if (cells > this.#limits.columns) {
        throw this.#problem(
          'too_many_columns',
          `the line has more than ${this.#limits.columns} cells`,
          REMOVE_COLUMNS,
          line,
        );
      }
      this.#cell();
      if (this.#bytes[this.#at] !== COMMA) break;
      this.#at += 1;
    }
    if (this.#at < this.#bytes.length && !this.#skipLineEnd()) throw this.#loneReturn();
    if (this.#lines.length === 0) this.#columns = cells;
    else if (cells !== this.#columns) throw this.#ragged(cells, line);
    if (this.#lines.push(line) > this.#limits.rows + 1) {
      throw this.#problem('too_many_rows', `the file has more than ${this.#limits.rows} rows`, 'split it', line);
    }
  }

  #cell(): void {
    const start = this.#at;
    const line = this.#line;
    const longest = this.#limits.cellCharacters * BYTES_PER_CHARACTER;
    if (this.#bytes[this.#at] === QUOTE) this.#quotedCell(longest);
    for (; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte === COMMA || byte === LINE_FEED || byte === CARRIAGE_RETURN) break;
      if (start !== this.#at && this.#bytes[start] === QUOTE) {
        throw this.#problem('text_after_quote', 'a cell goes on after its closing quote', DOUBLE_QUOTES);
      }
      if (byte === QUOTE) {
        throw this.#problem('quote_inside', 'a quote is inside a cell that does not begin with one', DOUBLE_QUOTES);
      }
      if (this.#at - start > longest) throw this.#cellTooLong(line);
    }
  }

  /** Leaves the position after the closing quote. */
  #quotedCell(longest: number): void {
    const start = this.#at;
    const line = this.#line;
    for (this.#at += 1; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte === LINE_FEED) this.#line += 1;
      if (this.#at - start > longest * 2) throw this.#cellTooLong(line);
      if (byte !== QUOTE) continue;
      this.#at += 1;
      if (this.#bytes[this.#at] !== QUOTE) return;
    }
    throw this.#problem(
      'quote_not_closed',
      'a quote is opened on this line and never closed',
      'close it, or double it if it is part of the text',
      line,
    );
  }

  #skipLineEnd(): boolean {
    const byte = this.#bytes[this.#at];
    const width = byte === LINE_FEED ? 1 : byte === CARRIAGE_RETURN && this.#bytes[this.#at + 1] === LINE_FEED ? 2 : 0;
    if (width === 0) return false;
    this.#at += width;
    this.#line += 1;
    return true;
  }

  #ragged(cells: number, line: number): UnreadableFile {
    return this.#problem(
      'ragged_row',
      `the line has ${cells} cells, but the header has ${this.#columns}`,
      cells > this.#columns
        ? 'put cells that have a comma into quotes, and remove cells after the last column'
        : 'give every line as many cells as the header, including empty ones',
      line,
    );
  }

  #loneReturn(): UnreadableFile {
    return this.#problem(
      'line_ends',
      'a carriage return has no line feed after it, as in files of old programs',
      'save the file with Windows or Unix line ends',
    );
  }

  #cellTooLong(line: number): UnreadableFile {
    return this.#problem(
      'cell_too_long',
      `a cell that begins on this line is longer than ${this.#limits.cellCharacters} characters`,
      'shorten it; if it is not long, a quote before it is not closed',
      line,
    );
  }

  #problem(code: FileProblemCode, problem: string, fix: string, line = this.#line): UnreadableFile {
    return new UnreadableFile({ line }, code, problem, fix);
  }
}

const REMOVE_COLUMNS = 'remove the columns that are not needed';
const DOUBLE_QUOTES = 'put the whole cell into quotes, and double every quote inside it';
