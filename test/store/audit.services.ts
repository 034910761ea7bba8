import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendAudit } from '../../store/audit/audit.ts';
import { createTestDatabase, onServer, type TestDatabase } from '../helpers/test-database.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await appendAudit(testDatabase.database, { actor: 'worker', kind: 'first', detail: { code: 'a' } });
  await appendAudit(testDatabase.database, { actor: 'worker', kind: 'second' });
});
afterAll(() => testDatabase.drop());

describe('the audit trail', () => {
  test.each([
    ['changed', `update audit_entries set kind = 'other' where kind = 'first'`],
    ['changed where nothing matches', `update audit_entries set kind = 'other' where false`],
    ['deleted', 'delete from audit_entries'],
    ['emptied', 'truncate audit_entries, audit_chain'],
    ['chained again', `update audit_chain set hash = ''`],
    ['freed of its links', 'delete from audit_chain'],
  ])('cannot be %s, not even by the owner of the tables', async (_what, statement) => {
    await expect(onServer(testDatabase.url, statement)).rejects.toThrow('the audit trail is append-only');
  });

  test('keeps its entries in the order in which they were added', async () => {
    const { rows } = await testDatabase.database.query(
      'select actor, kind, detail, run_id from audit_entries order by entry_id',
    );
    expect(rows).toEqual([
      { actor: 'worker', kind: 'first', detail: { code: 'a' }, run_id: null },
      { actor: 'worker', kind: 'second', detail: {}, run_id: null },
    ]);
  });
});
