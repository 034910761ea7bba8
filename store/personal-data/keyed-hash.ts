import { createHmac, hash as hashOnce } from 'node:crypto';
import type { TextHash } from '../../domain/runs/row-identity.ts';

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
/** Longer texts are rare. */
const MAX_CHARACTERS = 8_192;
const BYTES_PER_CHARACTER = 3;

/**
 * HMAC-SHA-256, hex: nobody finds an account or a name by trying without the key. A row has a dozen hashes, and Node's object for an HMAC
 * costs more than the hash itself: so the two hashes of which an HMAC consists (RFC 2104) are computed without one.
 */
export function keyedHash(key: Uint8Array): TextHash {
  if (key.length > BLOCK_BYTES) throw new RangeError(`the key of a hash has ${BLOCK_BYTES} bytes at most`);
  const inner = Buffer.alloc(BLOCK_BYTES + BYTES_PER_CHARACTER * MAX_CHARACTERS);
  const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES);
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    inner[at] = 0x36 ^ (key[at] ?? 0);
    outer[at] = 0x5c ^ (key[at] ?? 0);
  }
  return (text) => {
    if (text.length > MAX_CHARACTERS) return createHmac('sha256', key).update(text).digest('hex');
    const written = inner.write(text, BLOCK_BYTES);
    outer.write(hashOnce('sha256', inner.subarray(0, BLOCK_BYTES + written), 'hex'), BLOCK_BYTES, 'hex');
    return hashOnce('sha256', outer, 'hex');
  };
}
