/** Control characters (among them those that move the cursor or change colours), and invisible ones that reorder text. */
const UNSAFE = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Text from data as it may go to a terminal on one line: what could act on the terminal is shown by its number. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A whole file as it may go to a terminal: its line ends and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(UNSAFE, (character) => (/[\r\n\t]/.test(character) ? character : printable(character)));
}
