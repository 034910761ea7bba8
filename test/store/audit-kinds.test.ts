import { expect, test } from 'vitest';
import { GLOBAL_AUDIT_KINDS } from '../../api/audit/audit-kinds.ts';
import { SERVER_KINDS } from '../../store/audit/audit-kinds.ts';
import { readSqlFunctions } from '../../store/database/sql-files.ts';

/** `note(actor, 'kind', null, …`: what functions of the database write of no run. Kinds that are put together are not found. */
const NOTE = /\bnote\((?:coalesce\([^)]*\)|[^,(]*),\s*'([a-z_]+)',\s*null\s*,/g;

test('the kinds to choose from have each that is written of no run', () => {
  const written = readSqlFunctions().flatMap(({ statement }) =>
    [...statement.matchAll(NOTE)].map(([, kind = '']) => kind),
  );
  expect(written.length).toBeGreaterThan(50);
  const known: readonly string[] = GLOBAL_AUDIT_KINDS;
  expect([...new Set([...written, ...SERVER_KINDS])].filter((kind) => !known.includes(kind))).toEqual([]);
});
