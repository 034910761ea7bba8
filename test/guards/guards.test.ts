import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tableUnder } from '../helpers/document-tables.ts';
import { MIGRATIONS } from './guard.ts';
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

/** Each function of the database, and the migration with its last version. What was renamed is in force under its new name. */
const LAST_VERSIONS = new Map<string, { file: string; asName: string }>();
for (const name of readdirSync(join(ROOT, MIGRATIONS)).sort()) {
  const file = `${MIGRATIONS}/${name}`;
  const sql = read(file);
  for (const [, from = '', to = ''] of sql.matchAll(/^alter function (\w+)\([^)]*\) rename to (\w+);/gm)) {
    const renamed = LAST_VERSIONS.get(from);
    if (renamed !== undefined) LAST_VERSIONS.set(to, renamed);
    LAST_VERSIONS.delete(from);
  }
  for (const made of functionsIn(sql)) LAST_VERSIONS.set(made.name, { file, asName: made.name });
}

function functionsIn(sql: string): { name: string; text: string }[] {
  const functions = sql.matchAll(/^create (?:or replace )?function (\w+)[\s\S]*?\$\$[\s\S]*?\$\$/gm);
  return [...functions].map(([text, name = '']) => ({ name, text }));
}

test('no guard is in a version of a function that a later migration replaces', () => {
  const replaced = ALL_GUARDS.filter(({ file, text }) => {
    if (!file.startsWith(MIGRATIONS)) return false;
    const around = functionsIn(read(file)).find((made) => made.text.includes(text));
    const last = [...LAST_VERSIONS.values()];
    return around !== undefined && !last.some((version) => version.file === file && version.asName === around.name);
  });
  expect(replaced.map(({ id }) => id)).toEqual([]);
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
