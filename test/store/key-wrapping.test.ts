import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { DataKey, DataKeys } from '../../domain/personal-data/data-keys.ts';
import {
  caseKeyName,
  DataKeyMissing,
  secretKeyName,
  unwrapKey,
  wrapKey,
} from '../../store/personal-data/key-wrapping.ts';
import { decrypt, DecryptionFailed, encrypt, newKey } from '../../store/personal-data/encryption.ts';

const CASE = '018f2a00-0000-5000-8000-00000000000a';
const OTHER_CASE = '018f2a00-0000-5000-8000-00000000000b';

function aDataKey(): DataKey {
  const bytes = randomBytes(32);
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), bytes };
}

const keysOf = (current: DataKey, ...former: DataKey[]): DataKeys => ({ current, all: [current, ...former] });

/** What another program reads from encrypted bytes: nonce, tag and ciphertext. */
function decryptedElsewhere(key: Uint8Array, context: string, encrypted: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12));
  decipher.setAuthTag(encrypted.subarray(12, 28));
  decipher.setAAD(Buffer.from(context, 'utf8'));
  return decipher.update(encrypted.subarray(28), undefined, 'utf8') + decipher.final('utf8');
}

function encryptedElsewhere(key: Uint8Array, context: string, text: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(context, 'utf8'));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

function flipped(encrypted: Buffer, at: number): Buffer {
  const copy = Buffer.from(encrypted);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

describe('encrypted data', () => {
  const TEXT = 'Ärztin, 中文';

  test('is AES-256-GCM as nonce, tag and ciphertext, with the context as additional data', () => {
    const key = newKey();
    expect(decryptedElsewhere(key, 'case ä', encrypt(key, 'case ä', Buffer.from(TEXT)))).toBe(TEXT);
    expect(decrypt(key, 'case ä', encryptedElsewhere(key, 'case ä', TEXT)).toString()).toBe(TEXT);
  });

  test('shows nothing of the text, and is another one each time', () => {
    const key = newKey();
    const [one, another] = [encrypt(key, 'c', Buffer.alloc(64)), encrypt(key, 'c', Buffer.alloc(64))];
    expect(one.subarray(0, 12).equals(another.subarray(0, 12))).toBe(false);
    expect(one.subarray(28).equals(another.subarray(28))).toBe(false);
    expect(one.includes(Buffer.alloc(16))).toBe(false);
  });

  test('never has a nonce that another one has', () => {
    const key = newKey();
    const nonces = Array.from({ length: 5_000 }, () =>
      encrypt(key, 'c', Buffer.alloc(1)).subarray(0, 12).toString('hex'),
    );
    expect(new Set(nonces).size).toBe(5_000);
  });

  test('may be empty or a megabyte', () => {
    const key = newKey();
    for (const length of [0, 1, 1_048_576]) {
      const bytes = randomBytes(length);
      expect(decrypt(key, 'c', encrypt(key, 'c', bytes)).equals(bytes)).toBe(true);
    }
  });

  test.each([
    ['the nonce', 0],
    ['the nonce’s end', 11],
    ['the tag', 12],
    ['the tag’s end', 27],
    ['the ciphertext', 28],
    ['the ciphertext’s end', -1],
  ])('does not open when a bit of %s was changed', (_, at) => {
    const key = newKey();
    const encrypted = encrypt(key, 'c', Buffer.from(TEXT));
    expect(() => decrypt(key, 'c', flipped(encrypted, at < 0 ? encrypted.length + at : at))).toThrow(DecryptionFailed);
  });

  test('does not open when it was cut, lengthened, or is nothing', () => {
    const key = newKey();
    const encrypted = encrypt(key, 'c', Buffer.from(TEXT));
    for (const wrong of [
      Buffer.alloc(0),
      encrypted.subarray(0, 12),
      encrypted.subarray(0, 27),
      encrypted.subarray(0, 28),
      encrypted.subarray(0, -1),
      Buffer.concat([encrypted, Buffer.alloc(1)]),
    ]) {
      expect(() => decrypt(key, 'c', wrong)).toThrow(DecryptionFailed);
    }
  });

  test('does not open in another place, or with another key, and the error says where alone', () => {
    const key = newKey();
    const encrypted = encrypt(key, 'case a revision 1', Buffer.from(TEXT));
    expect(() => decrypt(key, 'case a revision 2', encrypted)).toThrow(/encrypted as "case a revision 2" is damaged/);
    expect(() => decrypt(newKey(), 'case a revision 1', encrypted)).toThrow(DecryptionFailed);
    expect(() => decrypt(key, '', encrypted)).toThrow(DecryptionFailed);
  });
});

describe('the key of a case', () => {
  test('is encrypted with the current data key, which is named by its id', () => {
    const [current, former] = [aDataKey(), aDataKey()];
    const key = Buffer.from('the key of a case, in 32 letters');
    const { wrapped, wrappedBy } = wrapKey(keysOf(current, former), caseKeyName(CASE), key);
    expect(wrappedBy).toBe(current.id);
    expect(wrapped).toHaveLength(12 + 16 + 32);
    expect(decryptedElsewhere(current.bytes, `case ${CASE}`, wrapped)).toBe(key.toString());
  });

  test('is unwrapped by a former data key as well', () => {
    const [current, former] = [aDataKey(), aDataKey()];
    const key = newKey();
    const stored = wrapKey(keysOf(former), caseKeyName(CASE), key);
    expect(unwrapKey(keysOf(current, former), caseKeyName(CASE), stored).equals(key)).toBe(true);
  });

  test('is not that of another case: two keys that were exchanged are refused', () => {
    const keys = keysOf(aDataKey());
    const [one, another] = [
      wrapKey(keys, caseKeyName(CASE), newKey()),
      wrapKey(keys, caseKeyName(OTHER_CASE), newKey()),
    ];
    expect(() => unwrapKey(keys, caseKeyName(CASE), another)).toThrow(DecryptionFailed);
    expect(() => unwrapKey(keys, caseKeyName(OTHER_CASE), one)).toThrow(DecryptionFailed);
  });

  test('is not a secret of the installation with the same name', () => {
    const keys = keysOf(aDataKey());
    const stored = wrapKey(keys, secretKeyName(CASE), newKey());
    expect(() => unwrapKey(keys, caseKeyName(CASE), stored)).toThrow(DecryptionFailed);
  });

  test('is refused when it is said to be wrapped by another data key', () => {
    const [current, former] = [aDataKey(), aDataKey()];
    const keys = keysOf(current, former);
    const stored = wrapKey(keys, caseKeyName(CASE), newKey());
    expect(() => unwrapKey(keys, caseKeyName(CASE), { ...stored, wrappedBy: former.id })).toThrow(DecryptionFailed);
  });

  test('needs its data key, and the error says which one and what to do', () => {
    const [lost, current] = [aDataKey(), aDataKey()];
    const stored = wrapKey(keysOf(lost), caseKeyName(CASE), newKey());
    const unwrap = () => unwrapKey(keysOf(current), caseKeyName(CASE), stored);
    expect(unwrap).toThrow(DataKeyMissing);
    expect(unwrap).toThrow(expect.objectContaining({ keyId: lost.id }) as Error);
    expect(unwrap).toThrow(new RegExp(`data key ${lost.id} is unknown to this process.*restart.*restore it`));
  });
});
