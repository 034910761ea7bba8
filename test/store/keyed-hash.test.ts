import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keyedHash } from '../../store/personal-data/keyed-hash.ts';

const key = Buffer.alloc(32, 7);
const hmac = (text: string): string => createHmac('sha256', key).update(text).digest('hex');

describe('the keyed hash of a text', () => {
  const hash = keyedHash(key);

  test.each([
    ['empty', ''],
    ['short', 'account-end 3000'],
    ['of letters that take several bytes', 'Müller Łódź 株式会社 😀'],
    ['with half of a pair', `before ${'😀'.slice(0, 1)} after`],
    ['as long as fits', '株'.repeat(8_192)],
    ['longer', 'x'.repeat(8_193)],
    ['short after a long one', 'word ltd'],
  ])('is its HMAC-SHA-256: %s', (_which, text) => {
    expect(hash(text)).toBe(hmac(text));
  });

  test('differs with the key', () => {
    expect(keyedHash(Buffer.alloc(32, 8))('word ltd')).not.toBe(hash('word ltd'));
  });

  test('takes no key that HMAC would shorten', () => {
    expect(() => keyedHash(Buffer.alloc(65))).toThrow('64 bytes');
  });
});
