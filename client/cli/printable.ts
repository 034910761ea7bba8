/** Control characters, which can move the cursor or change colours, and invisible ones that reorder text. */
const UNSAFE = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Makes text from data safe for one line of a terminal: each control character is shown by its number. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same for a whole file: line ends and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(UNSAFE, (character) => (/[\r\n\t]/.test(character) ? character : printable(character)));
}
