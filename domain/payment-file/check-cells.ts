import type { PaymentColumn } from './csv-columns.ts';
import type { Remark, RowUnderCheck } from './row-validation.ts';

/** Longest text that any field of a payment may have; provider's patterns are tested on no more than this. */
const MAX_CELL_LENGTH = 256;

/** Not sent to anyone, so only its storage counts. */
const MAX_ECHO_LENGTH = 1000;
const MAX_FILE_LIST_LENGTH = 1000;

/** Control characters, and those that hide or reorder what a person reads in an approval. */
const UNSAFE = /[\p{Cc}\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u;
const LINE_BREAK = /[\r\n\u2028\u2029]/;

/** Rules for the text of any cell, before what it means. */
export function checkCells(check: RowUnderCheck): void {
  for (const column of check.filledColumns) {
    const remark = remarkOn(column, check.text(column));
    if (remark !== null) check.refuse(column, remark);
  }
}

function remarkOn(column: PaymentColumn, text: string): Remark | null {
  const limit = limitOf(column);
  if (text.length > limit) {
    return {
      code: 'too_long',
      problem: `${column} has ${text.length} characters, more than ${limit}`,
      fix: 'shorten it',
    };
  }
  if (UNSAFE.test(text)) {
    return LINE_BREAK.test(text)
      ? { code: 'line_break', problem: `${column} has a line break`, fix: 'write it on one line' }
      : {
          code: 'control_character',
          problem: `${column} has an invisible or control character`,
          fix: 'type the cell again instead of pasting it',
        };
  }
  if (text.includes('\ufffd')) {
    return {
      code: 'lost_character',
      problem: `${column} has a character that was lost in an earlier conversion`,
      fix: 'type the cell again and save the file as UTF-8',
    };
  }
  return null;
}

function limitOf(column: PaymentColumn): number {
  if (column === 'echo') return MAX_ECHO_LENGTH;
  return column === 'supporting_files' ? MAX_FILE_LIST_LENGTH : MAX_CELL_LENGTH;
}
