import { createCipheriv, createDecipheriv, randomBytes, randomFillSync } from 'node:crypto';

/**
 * AES-256-GCM under keys of 32 bytes. Encrypted bytes are a nonce of 12 bytes, a tag of 16 bytes and the ciphertext. The
 * context says where they belong: they are decrypted with the same context alone, so that nobody can exchange them.
 */

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypted bytes are damaged, belong elsewhere, or were encrypted with another key. */
export class DecryptionFailed extends Error {
  override readonly name = 'DecryptionFailed';
}

export function newKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

export function encrypt(key: Uint8Array, context: string, plaintext: Uint8Array): Buffer {
  const encrypted = Buffer.allocUnsafe(NONCE_BYTES + TAG_BYTES + plaintext.length);
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  takeNonce(nonce);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  // A stream cipher: the last call gives no more bytes.
  encrypted.set(cipher.update(plaintext), NONCE_BYTES + TAG_BYTES);
  cipher.final();
  encrypted.set(cipher.getAuthTag(), NONCE_BYTES);
  return encrypted;
}

/** Random bytes for many nonces: asking for each takes longer than encrypting a row. Each thread has its own. */
const nonces = Buffer.alloc(NONCE_BYTES * 1_024);
let noncesTaken = nonces.length;

function takeNonce(into: Uint8Array): void {
  if (noncesTaken === nonces.length) {
    randomFillSync(nonces);
    noncesTaken = 0;
  }
  into.set(nonces.subarray(noncesTaken, noncesTaken + NONCE_BYTES));
  noncesTaken += NONCE_BYTES;
}

/** @throws DecryptionFailed, which names the context */
export function decrypt(key: Uint8Array, context: string, encrypted: Uint8Array): Buffer {
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) throw broken(context);
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  const tag = encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(tag);
  const plaintext = decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch {
    throw broken(context);
  }
}

function broken(context: string): DecryptionFailed {
  return new DecryptionFailed(
    `what is encrypted as "${context}" is damaged, or was exchanged: it cannot be decrypted with its key`,
  );
}
