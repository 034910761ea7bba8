import { LINE_BREAK, UNSAFE_CHARACTER } from '../unsafe-characters.ts';
import type { ValueIssue } from './applicant-validation.ts';

/** An apostrophe before what a spreadsheet would compute. Names such as 't Hooft begin with one as well. */
const MARKED_TEXT = /^['\u2019][\d+\-=@]/;

/** As Excel writes long numbers; postal codes such as E1 have no sign. */
const SCIENTIFIC_NOTATION = /^\d(?:[.,]\d+)?E\+\d+$/i;

/** What is wrong with any text, whatever it means, or null. `text` is trimmed and `name` that of its field. */
export function textIssue(name: string, text: string, maxLength: number): ValueIssue | null {
  if (text.length > maxLength) {
    return {
      code: 'too_long',
      problem: `${name} has ${text.length} characters, more than ${maxLength}`,
      fix: 'shorten it',
    };
  }
  if (LINE_BREAK.test(text)) {
    return { code: 'line_break', problem: `${name} has a line break`, fix: 'write it on one line' };
  }
  if (UNSAFE_CHARACTER.test(text)) {
    return {
      code: 'control_character',
      problem: `${name} has an invisible or control character`,
      fix: 'type it again instead of pasting it',
    };
  }
  if (text.includes('\ufffd')) {
    return {
      code: 'lost_character',
      problem: `${name} has a character that was lost in an earlier conversion`,
      fix: 'type it again and save the file as UTF-8',
    };
  }
  if (MARKED_TEXT.test(text)) {
    return {
      code: 'leading_apostrophe',
      problem: `${name} begins with the apostrophe by which spreadsheets mark a text`,
      fix: 'remove the apostrophe',
    };
  }
  if (SCIENTIFIC_NOTATION.test(text)) {
    return {
      code: 'scientific_notation',
      problem: `${name} is in scientific notation, so digits may be lost`,
      fix: 'format the column as text, and enter the number again from its document',
    };
  }
  return null;
}
