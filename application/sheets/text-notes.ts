import type { SheetNoteCode, SheetNotes } from './sheet-notes.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';

/** What a letter of two or three bytes becomes that is read as windows-1252: "Ã¼", "Å‚", "â€™"; none of what ends a quotation. */
const MISREAD =
  /Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|[ÄÅ][\u0080-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ•˜™š›œžŸ]|Â[\u00a0-\u00bf]|â[€‚„][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;
const SCIENTIFIC = /^\s*-?\d(?:[.,]\d+)?E\+\d\d+\s*$/i;
const CUT = /^\s*\d{15}0+\s*$/;

const CELL_NOTES: readonly (readonly [SheetNoteCode, RegExp])[] = [
  ['replacement_characters', /\ufffd/],
  ['damaged_letters', MISREAD],
  ['control_characters', /[\u0080-\u009f]/],
  ['scientific_notation', SCIENTIFIC],
  ['digits_cut', CUT],
];

/** True of every text that has a cell that is noted, and of few others: whole pieces are tried before their cells. */
const MAYBE = /[\u0080-\u009f\u00c2-\u00c5\u00e2\ufffd]|\d[Ee]\+\d|(?<!\w)\d{15}0+(?!\w)/;

/** Of the end of a piece, which may be cut within what is noted: so much is tried again with the beginning of the next one. */
const LONGEST_CUT = 64;

/** Notes what is suspicious of texts that were read in pieces, and costs little where nothing is. */
export class TextNotes {
  readonly #notes: SheetNotes;
  #end = '';
  #wasSuspicious = false;

  constructor(notes: SheetNotes) {
    this.#notes = notes;
  }

  /** A piece of the text, and the records that end in it. */
  look(text: string, records: readonly SheetRecord[]): void {
    const isSuspicious = MAYBE.test(text) || MAYBE.test(this.#end + text.slice(0, LONGEST_CUT));
    // The last cell of a piece may end in the next one.
    if (isSuspicious || this.#wasSuspicious) {
      for (const { line, cells } of records) noteTexts(this.#notes, line, cells);
    }
    this.#wasSuspicious = isSuspicious;
    this.#end = text.slice(-LONGEST_CUT);
  }
}

function noteTexts(notes: SheetNotes, line: number, cells: readonly string[]): void {
  cells.forEach((cell, column) => noteText(notes, line, column, cell));
}

/** Notes what is suspicious of one text. */
export function noteText(notes: SheetNotes, line: number, column: number, text: string): void {
  if (!MAYBE.test(text)) return;
  for (const [code, form] of CELL_NOTES) if (form.test(text)) notes.add(code, line, column);
}
