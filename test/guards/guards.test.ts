import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tableUnder } from '../helpers/document-tables.ts';
import { ALL_GUARDS, GUARDS, rowOf } from './guards.ts';
import { LIMIT_GUARDS } from './limit-guards.ts';
import { MONEY_GUARDS } from './money-guards.ts';

/** `npm run mutate` shows that each guard's test fails without it. */

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test('the documents list exactly these guards', () => {
  expect(tableUnder('security.md', 'Guards and their tests')).toEqual(GUARDS.map(rowOf));
  expect(tableUnder('exactly-once.md', 'Guards and their tests')).toEqual(MONEY_GUARDS.map(rowOf));
  expect(tableUnder('exactly-once.md', 'Guards of the limit')).toEqual(LIMIT_GUARDS.map(rowOf));
});

test('each guard has its own id', () => {
  const ids = ALL_GUARDS.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

describe.each(ALL_GUARDS)('$id', ({ file, text, without, test: named }) => {
  test('has its text in the file once, and a different replacement', () => {
    expect(read(file).split(text)).toHaveLength(2);
    expect(without).not.toBe(text);
  });

  test('has a test', () => {
    expect(existsSync(join(ROOT, named.file))).toBe(true);
  });
});
