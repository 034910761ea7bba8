import { isUtf8 } from 'node:buffer';
import { UnreadableFile } from '../payment-file/file-problem.ts';

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const LINE_FEED = 0x0a;

/** Bytes looked at when guessing what a file is that is not UTF-8. */
const SAMPLE_BYTES = 256;

const SAVE_AS = 'save it as "CSV UTF-8" and submit that file';

/** The text's bytes without a byte order mark. Throws UnreadableFile for anything but UTF-8 text. */
export function textBytes(bytes: Uint8Array): { body: Buffer; hasByteOrderMark: boolean } {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  refuseOtherKinds(all);
  const hasByteOrderMark = BYTE_ORDER_MARK.every((byte, index) => all[index] === byte);
  const body = hasByteOrderMark ? all.subarray(BYTE_ORDER_MARK.length) : all;
  const zero = body.indexOf(0);
  if (zero !== -1) {
    throw new UnreadableFile(
      { line: lineOf(body, zero) },
      'zero_byte',
      'the file has a zero byte, so it is damaged or not text',
      'export it again',
    );
  }
  if (!isUtf8(body)) {
    throw new UnreadableFile(
      { line: firstLineNotUtf8(body) },
      'not_utf8',
      'the file is not UTF-8 from this line on; names with accents would be corrupted',
      SAVE_AS,
    );
  }
  return { body, hasByteOrderMark };
}

function refuseOtherKinds(bytes: Buffer): void {
  if (looksLikeUtf16(bytes)) {
    throw new UnreadableFile({ line: 1 }, 'utf16', 'the file is UTF-16 ("Unicode text")', SAVE_AS);
  }
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))) {
    throw new UnreadableFile({ line: 1 }, 'workbook', 'the file is a spreadsheet or an archive, not a CSV', SAVE_AS);
  }
}

/** By its byte order mark, or by every other byte of plain text being zero. */
function looksLikeUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  let zeros = 0;
  for (const byte of sample) if (byte === 0) zeros += 1;
  return sample.length >= 4 && zeros * 3 >= sample.length;
}

function lineOf(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1 && at < offset; at = bytes.indexOf(LINE_FEED, at + 1)) line += 1;
  return line;
}

/** No character of UTF-8 spans a line feed, so each line is valid or not by itself. */
function firstLineNotUtf8(bytes: Buffer): number {
  let line = 1;
  let from = 0;
  while (from < bytes.length) {
    const end = bytes.indexOf(LINE_FEED, from);
    const to = end === -1 ? bytes.length : end;
    if (!isUtf8(bytes.subarray(from, to))) return line;
    line += 1;
    from = to + 1;
  }
  return line;
}
