import { createReadStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { FileContent } from '../payment-file/file-content.ts';

/** Large enough to read fast, small enough to hold many at once. */
const PIECE_BYTES = 256 * 1024;

/** The bytes of a file, piece by piece. */
export async function* piecesOf(content: FileContent): AsyncGenerator<Uint8Array, void, undefined> {
  if (content instanceof Uint8Array) {
    for (let at = 0; at < content.byteLength; at += PIECE_BYTES) {
      yield content.subarray(at, at + PIECE_BYTES);
      // So that others are answered meanwhile, as they are while a file is read from disk.
      await setImmediate();
    }
    return;
  }
  for await (const piece of createReadStream(content.path, { highWaterMark: PIECE_BYTES })) yield piece as Buffer;
}
