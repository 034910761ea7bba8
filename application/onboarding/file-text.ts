import { UnreadableFile } from '../payment-file/file-problem.ts';
import { decodedText } from '../sheets/decoded-text.ts';
import type { ReadingProposal } from '../sheets/sheet.ts';
import { chooseEncoding } from '../sheets/text-encoding.ts';

/** The text of a file that says its encoding, as UTF-8 does. Throws UnreadableFile. */
export async function fileText(content: Uint8Array): Promise<string> {
  const { encoding, proposal } = await chooseEncoding(content, undefined);
  refuseGuess(proposal);
  let text = '';
  for await (const piece of decodedText(content, encoding)) text += piece;
  return text;
}

/** Nobody compares names here, so no encoding is guessed. */
export function refuseGuess(encoding: ReadingProposal | null): void {
  if (encoding === null) return;
  throw new UnreadableFile(
    { line: 0 },
    'encoding_not_chosen',
    `the file is not UTF-8, and does not say its encoding: perhaps ${encoding.chosen}`,
    'save it as UTF-8, or a sheet as .xlsx',
  );
}
