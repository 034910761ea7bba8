const LETTERS = 26;
const FIRST_LETTER = 'A'.charCodeAt(0);

/** The name that spreadsheets show for a column, by its index from 0: A … Z, AA … */
export function columnName(index: number): string {
  let name = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / LETTERS)) {
    name = String.fromCharCode(FIRST_LETTER + ((rest - 1) % LETTERS)) + name;
  }
  return name;
}

/** The index from 0 of the column of a reference such as "AB12"; -1: it has no letters. */
export function columnIndex(reference: string): number {
  let index = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = (reference.charCodeAt(at) & ~0x20) - FIRST_LETTER;
    if (letter < 0 || letter >= LETTERS) break;
    index = index * LETTERS + letter + 1;
  }
  return index - 1;
}
