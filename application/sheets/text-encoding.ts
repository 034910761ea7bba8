import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { type FileContent, firstBytesOf } from '../payment-file/file-content.ts';
import { proposeEncoding } from './encoding-proposal.ts';
import { piecesOf } from './file-bytes.ts';
import type { ReadingProposal } from './sheet.ts';

export interface ChosenEncoding {
  /** As TextDecoder names it. */
  encoding: string;
  hasByteOrderMark: boolean;
  /** Null: it was chosen, or the bytes say it. */
  proposal: ReadingProposal | null;
}

/**
 * The encoding of a text: as chosen; else by its byte order mark, UTF-16 by its zero bytes, UTF-8 if all of it is valid; else one that
 * is proposed.
 */
export async function chooseEncoding(content: FileContent, wanted: string | undefined): Promise<ChosenEncoding> {
  const marked = markedEncoding(await firstBytesOf(content, MARK_BYTES));
  if (wanted !== undefined) {
    const encoding = knownEncoding(wanted);
    if (marked !== null && marked !== encoding) throw contradiction(marked, encoding);
    return { encoding, hasByteOrderMark: marked !== null, proposal: null };
  }
  if (marked !== null) return { encoding: marked, hasByteOrderMark: true, proposal: null };
  const utf16 = utf16ByZeros(await firstBytesOf(content, SAMPLE_BYTES));
  if (utf16 !== null) return { encoding: utf16, hasByteOrderMark: false, proposal: null };
  if (await isAllUtf8(content)) return { encoding: 'utf-8', hasByteOrderMark: false, proposal: null };
  const proposal = await proposeEncoding(content);
  return { encoding: proposal.chosen, hasByteOrderMark: false, proposal };
}

const MARK_BYTES = 3;
const SAMPLE_BYTES = 64 * 1024;

/** By the byte order mark. */
export function markedEncoding([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return null;
}

/** In UTF-16 every other byte of digits, delimiters and line ends is zero, and none of the bytes between. */
export function utf16ByZeros(sample: Uint8Array): string | null {
  let even = 0;
  let odd = 0;
  sample.forEach((byte, index) => {
    if (byte !== 0) return;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  });
  const least = Math.max(2, sample.byteLength / LEAST_SHARE_OF_ZEROS);
  if (even === 0 && odd >= least) return 'utf-16le';
  return odd === 0 && even >= least ? 'utf-16be' : null;
}

/** One byte of so many at least. */
const LEAST_SHARE_OF_ZEROS = 10;

async function isAllUtf8(content: FileContent): Promise<boolean> {
  let cut: Uint8Array = new Uint8Array(0);
  for await (const piece of piecesOf(content)) {
    const bytes = cut.byteLength === 0 ? piece : Buffer.concat([cut, piece]);
    const end = wholeCharacters(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return false;
    cut = bytes.subarray(end);
  }
  return isUtf8(cut);
}

/** Where the last character begins if it is cut at the end, else the end. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.byteLength); back++) {
    const byte = bytes[bytes.byteLength - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.byteLength - back : bytes.byteLength;
  }
  return bytes.byteLength;
}

/** The name of an encoding by any of its labels. */
export function knownEncoding(label: string): string {
  try {
    return new TextDecoder(label, { fatal: true }).encoding;
  } catch {
    throw new UnreadableFile(
      { line: 0 },
      'unknown_encoding',
      'the encoding that was chosen does not exist',
      'choose one of those that browsers know, such as utf-8, windows-1252 or utf-16le',
    );
  }
}

function contradiction(marked: string, encoding: string): UnreadableFile {
  return new UnreadableFile(
    { line: 1 },
    'wrong_encoding',
    `the file begins with the mark of ${marked}, but ${encoding} was chosen`,
    `choose ${marked}`,
  );
}
