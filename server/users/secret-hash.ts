import { createHash, timingSafeEqual } from 'node:crypto';

/** Secrets are compared by their hashes, which all have the same length. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** In constant time. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(one, other);
}
