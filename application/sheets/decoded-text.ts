import { TextDecoder } from 'node:util';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import type { FileContent } from '../payment-file/file-content.ts';
import { piecesOf } from './file-bytes.ts';

/**
 * The text of a file, piece by piece, without its byte order mark. Throws UnreadableFile, with the line, for bytes that mean
 * nothing in the encoding: no letter is ever replaced.
 */
export async function* decodedText(content: FileContent, encoding: string): AsyncGenerator<string, void, undefined> {
  // Only a strict decoder reads windows-1252 rightly in every version of Node.
  // guard: strict-decoding
  const decoder = new TextDecoder(encoding, { fatal: true });
  let line = 1;
  let index = 0;
  for await (const piece of piecesOf(content)) {
    const text = decoded(decoder, piece);
    if (text === null) throw await wrongEncoding(content, encoding, index);
    index += 1;
    if (text.includes('\0')) throw zeroByte(line + lineFeedsIn(text.slice(0, text.indexOf('\0'))));
    line += lineFeedsIn(text);
    if (text !== '') yield text;
  }
  if (decoded(decoder, null) === null) throw await wrongEncoding(content, encoding, index);
}

/** Null: the bytes mean nothing. `piece` null: the file has ended. */
function decoded(decoder: TextDecoder, piece: Uint8Array | null): string | null {
  try {
    return piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch {
    return null;
  }
}

function lineFeedsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** `piece`: the number of the one that could not be decoded. */
async function wrongEncoding(content: FileContent, encoding: string, piece: number): Promise<UnreadableFile> {
  return new UnreadableFile(
    { line: await lineOfFailure(content, encoding, piece) },
    'wrong_encoding',
    `from this line on the file is not ${encoding}`,
    'choose the encoding that it was saved in, or save it as "CSV UTF-8"',
  );
}

/** Decodes once more, and byte by byte where it failed, since a decoder does not say where. */
async function lineOfFailure(content: FileContent, encoding: string, failing: number): Promise<number> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let line = 1;
  let index = 0;
  for await (const piece of piecesOf(content)) {
    const steps = index === failing ? Array.from(piece, (byte) => Uint8Array.of(byte)) : [piece];
    for (const step of steps) {
      const text = decoded(decoder, step);
      if (text === null) return line;
      line += lineFeedsIn(text);
    }
    index += 1;
  }
  return line;
}

function zeroByte(line: number): UnreadableFile {
  return new UnreadableFile(
    { line },
    'zero_byte',
    'the file has a zero byte, so it is damaged or not text',
    'export it again',
  );
}
