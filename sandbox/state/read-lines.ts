import { readSync } from 'node:fs';

export interface Line {
  /** 1 is the first. */
  readonly number: number;
  readonly text: string;
  /** The offset after its newline, in bytes. */
  readonly endsAt: number;
}

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 10;

/**
 * Reads the complete lines of an open file in chunks, since a file may be larger than the longest string. Bytes after
 * the last newline are ignored.
 */
export function* readLines(descriptor: number): Generator<Line, void> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let lineStart: Buffer[] = [];
  let number = 0;
  let readBytes = 0;
  for (;;) {
    const bytes = readSync(descriptor, chunk, 0, CHUNK_BYTES, readBytes);
    if (bytes === 0) return;
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0 && end < bytes; end = chunk.indexOf(NEWLINE, from)) {
      const text = Buffer.concat([...lineStart, chunk.subarray(from, end)]).toString('utf8');
      lineStart = [];
      number += 1;
      from = end + 1;
      yield { number, text, endsAt: readBytes + from };
    }
    if (from < bytes) lineStart.push(Buffer.from(chunk.subarray(from, bytes)));
    readBytes += bytes;
  }
}
