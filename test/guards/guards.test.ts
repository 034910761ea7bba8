import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tableUnder } from '../helpers/document-tables.ts';
import { readMarks } from './guard.ts';
import { ALL_GUARDS, GUARD_TABLES, rowOf } from './guards.ts';

/** `npm run mutate` shows that each guard's test fails without it. */

const ROOT = join(import.meta.dirname, '../..');

test.each(GUARD_TABLES)('docs/$document is as `npm run docs` writes it ($heading)', ({ document, heading, guards }) => {
  expect(tableUnder(document, heading)).toEqual(guards.map(rowOf));
});

test('each guard has its own id', () => {
  const ids = ALL_GUARDS.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

const MARKS = readMarks();

test('the marks in the sources are of these guards', () => {
  expect([...MARKS.keys()].sort()).toEqual(ALL_GUARDS.map(({ id }) => id).sort());
});

describe.each(ALL_GUARDS)('$id', ({ id, without, test: named }) => {
  test('has lines that are different without it', () => {
    const marked = MARKS.get(id);
    const indentation = /^\s*/.exec(marked?.text ?? '')?.[0] ?? '';
    const lines = marked?.text.split('\n').map((line) => line.replace(indentation, ''));
    expect(lines?.join('\n').trim()).not.toBe('');
    expect(lines?.join('\n')).not.toBe(without);
  });

  test('has a test', () => {
    expect(existsSync(join(ROOT, named.file))).toBe(true);
  });
});
