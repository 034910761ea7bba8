import { readSync } from 'node:fs';

export interface Line {
  /** 1 is the first. */
  readonly number: number;
  readonly text: string;
  /** The place behind its newline, in bytes. */
  readonly endsAt: number;
}

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 10;

/**
 * The complete lines of an open file, a piece at a time, as a file may be larger than any text in memory. What follows
 * the last newline is left out.
 */
export function* linesOf(descriptor: number): Generator<Line, void> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let begun: Buffer[] = [];
  let number = 0;
  let readBytes = 0;
  for (;;) {
    const bytes = readSync(descriptor, chunk, 0, CHUNK_BYTES, readBytes);
    if (bytes === 0) return;
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0 && end < bytes; end = chunk.indexOf(NEWLINE, from)) {
      const text = Buffer.concat([...begun, chunk.subarray(from, end)]).toString('utf8');
      begun = [];
      number += 1;
      from = end + 1;
      yield { number, text, endsAt: readBytes + from };
    }
    if (from < bytes) begun.push(Buffer.from(chunk.subarray(from, bytes)));
    readBytes += bytes;
  }
}
