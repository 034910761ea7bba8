/** The first row of a file is on this line, unless empty ones come before it. */
const FIRST_LINE = 2;

/**
 * Where the row on this line is, from 0, or the first one after it, among rows in the order of their lines. Cells with line ends
 * and empty lines make a line further than its row; mostly the first guess is right.
 */
export async function positionOfLine(
  line: number,
  rowCount: number,
  lineAt: (position: number) => Promise<number>,
): Promise<number> {
  let [low, high] = [0, rowCount - 1];
  let guess = Math.max(0, Math.min(line - FIRST_LINE, high));
  while (low < high) {
    const found = await lineAt(guess);
    if (found === line) return guess;
    if (found < line) low = guess + 1;
    else high = guess;
    guess = Math.floor((low + high) / 2);
  }
  return Math.min(low, rowCount - 1);
}
