import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * AES-256-GCM under keys of 32 bytes. Sealed bytes are a nonce of 12 bytes, a tag of 16 bytes and the ciphertext. The
 * context says where they belong: they open with the same context alone, so that nobody can exchange them.
 */

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Sealed bytes are damaged, belong elsewhere, or were sealed with another key. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

export function newKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

export function seal(key: Uint8Array, context: string, plaintext: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** @throws SealBroken, which names the context */
export function open(key: Uint8Array, context: string, sealed: Uint8Array): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw broken(context);
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(tag);
  const opened = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    throw broken(context);
  }
}

function broken(context: string): SealBroken {
  return new SealBroken(`what is sealed as "${context}" is damaged, or was exchanged: it does not open with its key`);
}
