import { latinLookAlike } from '../beneficiaries/look-alike.ts';
import type { PaymentColumn } from './csv-columns.ts';
import { MAX_TEXT_LENGTH } from './requirement-pattern.ts';
import type { CellIssue, RowValidation } from './row-validation.ts';
import { LINE_BREAK, UNSEEN_IN_CELL } from '../unsafe-characters.ts';

/** Never sent to the provider, so that only our storage limits it. */
const MAX_ECHO_LENGTH = 1000;
const MAX_FILE_LIST_LENGTH = 1000;

/** Rules for the text of any cell, whatever the column means. */
export function checkCells(row: RowValidation): void {
  for (const column of row.filledColumns) {
    const issue = issueOf(column, row.text(column));
    if (issue !== null) row.addError(column, issue);
  }
}

function issueOf(column: PaymentColumn, text: string): CellIssue | null {
  const limit = limitOf(column);
  if (text.length > limit) {
    return {
      code: 'too_long',
      problem: `${column} has ${text.length} characters, more than ${limit}`,
      fix: 'shorten it',
    };
  }
  // guard: nothing-unseen-in-cells
  if (UNSEEN_IN_CELL.test(text)) {
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
  // guard: scripts-not-mixed
  if (mixesScripts(text)) {
    return {
      code: 'mixed_scripts',
      problem: `a word of ${column} has letters of another script that look like Latin ones`,
      fix: 'type the word again, with the letters of one script',
    };
  }
  return null;
}

/** Whether a word has Latin letters and such as only look like them, as no language writes them. Signs like Δ or Ω look like none. */
function mixesScripts(text: string): boolean {
  if (/^[ -~]*$/.test(text)) return false;
  return (text.match(/[\p{L}\p{M}]+/gu) ?? []).some(
    (word) =>
      /\p{Script=Latin}/u.test(word) &&
      Array.from(word).some(
        (letter) => !/[\p{Script=Latin}\p{Script=Inherited}]/u.test(letter) && latinLookAlike(letter) !== null,
      ),
  );
}

function limitOf(column: PaymentColumn): number {
  if (column === 'echo') return MAX_ECHO_LENGTH;
  return column === 'supporting_files' ? MAX_FILE_LIST_LENGTH : MAX_TEXT_LENGTH;
}
