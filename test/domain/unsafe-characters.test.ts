import { describe, expect, it } from 'vitest';
import { plainText, remark } from '../../api/fields.ts';
import { printable } from '../../client/cli/printable.ts';
import { UNSAFE_CHARACTER } from '../../domain/unsafe-characters.ts';

/** Texts that people write, and that others read before they decide. */

const UNSAFE = {
  "the end of a terminal's colour": '\u001b',
  'the bell': '\u0007',
  'a control character beyond ASCII': '\u009b',
  'a mark of Arabic letters': '\u061c',
  'a space without width': '\u200b',
  'a mark from left to right': '\u200e',
  'a mark from right to left': '\u200f',
  'an embedding': '\u202a',
  'an override from right to left': '\u202e',
  'a word joiner': '\u2060',
  'an invisible plus': '\u2064',
  'an isolate': '\u2066',
  'a byte order mark': '\ufeff',
  'a tag': '\u{e0041}',
};

describe.each(Object.entries(UNSAFE))('%s', (_name, character) => {
  const text = `Acme ${character} Ltd`;

  it('is refused in names, labels and remarks, and in cells', () => {
    expect(plainText(100).safeParse(text).success).toBe(false);
    expect(remark.safeParse(text).success).toBe(false);
    expect(UNSAFE_CHARACTER.test(text)).toBe(true);
  });

  it('is shown by its number on a terminal', () => {
    expect(printable(text)).not.toContain(character);
  });
});

describe('a text', () => {
  it.each(['Ærøskøbing Byg', 'علی‌رضا', 'क्‍ष', '田中\u{e0100}', 'Zoë 👩‍💻', 'a-b_c.d'])('like %s is a name', (text) => {
    expect(plainText(100).parse(text)).toBe(text);
    expect(remark.parse(text)).toBe(text);
  });

  it('has several lines only as a remark', () => {
    expect(remark.parse('one\r\ntwo\n\tthree')).toBe('one\r\ntwo\n\tthree');
    expect(plainText(100).safeParse('one\ntwo').success).toBe(false);
  });
});
