import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { appendAudit } from '../../store/audit/audit.ts';
import { chainAudit, startAuditChaining } from '../../store/audit/audit-chaining.ts';
import { type ChainBreak, verifyAudit } from '../../store/audit/audit-verification.ts';
import { inTransaction } from '../../store/database/database.ts';
import { emptyTables } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, onServer, type TestDatabase } from '../helpers/test-database.ts';
import { until } from '../helpers/until.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(() => emptyTables(testDatabase, 'audit_entries', 'audit_chain'));
afterAll(() => testDatabase.drop());

function append(kind: string): Promise<void> {
  return appendAudit(testDatabase.database, { actor: 'worker', kind, detail: { code: kind, note: 'ü "quoted"' } });
}

async function aChainedTrail(entries: number): Promise<void> {
  for (let n = 1; n <= entries; n += 1) await append(`entry-${n}`);
  await chainAudit(testDatabase.database);
}

const verify = (noted: Parameters<typeof verifyAudit>[1] = null) => verifyAudit(testDatabase.database, noted);

/** As a superuser with the triggers disabled. */
function tamper(statements: string): Promise<void> {
  return onServer(testDatabase.url, `set session_replication_role = replica; ${statements}`);
}

describe('the chain over the audit trail', () => {
  test('is unbroken from the first entry, and shows how many entries are unchained and since when', async () => {
    expect(await verify()).toEqual({
      ...{ broken: null, chained: 0, head: null },
      ...{ unchained: 0, unchainedSince: null, afterNotedSince: null },
    });
    await aChainedTrail(3);
    await append('not chained yet');
    const found = await verify();
    expect(found).toMatchObject({ broken: null, chained: 3, head: { position: 3 }, unchained: 1 });
    expect(found.head?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(found.unchainedSince).toBeInstanceOf(Date);
    await chainAudit(testDatabase.database);
    expect(await verify()).toMatchObject({ broken: null, chained: 4, unchained: 0, unchainedSince: null });
  });

  test('continues over any number of transactions and pages', async () => {
    const { database } = testDatabase;
    await database.query(
      `insert into audit_entries (actor, kind) select 'worker', 'entry ' || n from generate_series(1, 12001) as n`,
    );
    expect(await chainAudit(database, 700)).toBe(12_001);
    expect(await verify()).toMatchObject({ broken: null, chained: 12_001, unchained: 0 });
  });

  test('includes entries older than the chain: they are chained first', async () => {
    await tamper(`insert into audit_entries (actor, kind, epoch) values ('worker', 'older than the chain', 0)`);
    await aChainedTrail(1);
    expect(await verify()).toMatchObject({ broken: null, chained: 2 });
  });

  test('waits only for transactions that may still add entries', async () => {
    const { database } = testDatabase;
    await inTransaction(database, async (transaction) => {
      await appendAudit(transaction, { actor: 'worker', kind: 'slow' });
      await append('quick');
      expect(await chainAudit(database)).toBe(0);
      expect(await verify()).toMatchObject({ broken: null, chained: 0, unchained: 1 });
    });
    expect(await chainAudit(database)).toBe(2);
    expect(await verify()).toMatchObject({ broken: null, chained: 2, unchained: 0 });
  });

  test('has no gaps and no late entries, whatever runs at the same time', async () => {
    const { database } = testDatabase;
    let writing = true;
    const chain = async (): Promise<void> => {
      while (writing) await chainAudit(database);
    };
    const write = async (writer: number): Promise<void> => {
      for (let n = 1; n <= 40; n += 1) {
        await inTransaction(database, async (transaction) => {
          await appendAudit(transaction, { actor: 'worker', kind: `writer ${writer}, first of ${n}` });
          // Some transactions last longer than one chaining.
          if ((n + writer) % 5 === 0) await transaction.query('select pg_sleep(0.02)');
          await appendAudit(transaction, { actor: 'worker', kind: `writer ${writer}, second of ${n}` });
          if (n % 7 === 0) throw new Error('undone');
        }).catch(() => undefined);
      }
    };
    const chainings = [chain(), chain()];
    await Promise.all(Array.from({ length: 12 }, (_, writer) => write(writer)));
    writing = false;
    await Promise.all(chainings);
    await chainAudit(database);
    const { rows } = await database.query<{ entries: number }>('select count(*)::int as entries from audit_entries');
    expect(await verify()).toMatchObject({ broken: null, chained: rows[0]?.entries, unchained: 0 });
    expect(rows[0]?.entries).toBe(12 * 35 * 2);
  });

  test('is extended by a running process, and completed when the process stops', async () => {
    const { database } = testDatabase;
    const chaining = startAuditChaining(database, (message) => expect.unreachable(message));
    await append('while it runs');
    await until(async () => (await verify()).chained === 1);
    await append('at the end');
    await chaining.stop();
    expect(await verify()).toMatchObject({ chained: 2, unchained: 0 });
  });

  test('uses up no numbers where nothing is chained, and chains at least one entry', async () => {
    const { database, asServer, asWorker } = testDatabase;
    const numbers = async () =>
      (await database.query<{ last_value: number }>('select last_value from audit_epochs')).rows;
    await aChainedTrail(1);
    await inTransaction(database, async (transaction) => {
      await appendAudit(transaction, { actor: 'worker', kind: 'slow' });
      await append('quick');
      // The epoch of both is left once, and nothing can be chained until the transaction ends.
      await chainAudit(asWorker);
      const before = await numbers();
      for (let n = 1; n <= 3; n += 1) await chainAudit(asWorker);
      for (const limit of ['0', '-1', 'null']) {
        for (const login of [asServer, asWorker]) {
          await expect(login.query(`select chain_audit(${limit})`)).rejects.toMatchObject({ code: '23514' });
        }
      }
      expect(await numbers()).toEqual(before);
    });
    for (const login of [asServer, asWorker]) {
      await expect(login.query(`select nextval('audit_epochs')`)).rejects.toThrow('permission denied');
    }
    expect(await chainAudit(asWorker)).toBe(2);
  });

  test('warns once when it cannot be extended', async () => {
    const ofItsOwn = await createTestDatabase();
    onTestFinished(() => ofItsOwn.drop());
    const warnings: string[] = [];
    const chaining = startAuditChaining(ofItsOwn.database, (message) => warnings.push(message));
    await onServer(ofItsOwn.url, 'drop table audit_chain');
    await until(async () => Promise.resolve(warnings.length > 0));
    await chaining.stop();
    expect(warnings).toEqual(['the audit trail cannot be chained; it is tried again every second']);
  });
});

describe('a broken trail is reported by its first mismatch:', () => {
  const AT = { removed: 'delete from audit_entries where', links: 'delete from audit_chain where' };
  const cases: [what: string, statements: string, broken: ChainBreak][] = [
    ['an entry removed', `${AT.removed} entry_id = 3`, { position: 3, entryId: 3, problem: 'entry_missing' }],
    [
      'an entry removed with its link',
      `${AT.removed} entry_id = 3; ${AT.links} entry_id = 3`,
      { position: 3, entryId: null, problem: 'link_missing' },
    ],
    [
      'an entry removed with its link, and the others moved up',
      `${AT.removed} entry_id = 3; ${AT.links} entry_id = 3;
       update audit_chain set position = position - 1 where position > 3`,
      { position: 3, entryId: 4, problem: 'hash_differs' },
    ],
    ['a link removed', `${AT.links} position = 2`, { position: 2, entryId: null, problem: 'link_missing' }],
    [
      'an entry inserted between',
      `insert into audit_entries (entry_id, epoch, actor, kind) overriding system value
         select 1000, epoch, 'worker', 'forged' from audit_entries where entry_id = 1`,
      { position: 6, entryId: 1000, problem: 'entry_not_chained' },
    ],
    [
      'two entries that changed places',
      `update audit_chain set entry_id = case entry_id when 2 then 103 else 102 end where entry_id in (2, 3);
       update audit_chain set entry_id = entry_id - 100 where entry_id > 100`,
      { position: 2, entryId: 3, problem: 'hash_differs' },
    ],
    [
      'an entry moved to another epoch',
      'update audit_entries set epoch = 0 where entry_id = 4',
      { position: 4, entryId: 4, problem: 'out_of_order' },
    ],
    [
      'a link altered',
      `update audit_chain set hash = sha256(hash) where position = 5`,
      { position: 5, entryId: 5, problem: 'hash_differs' },
    ],
  ];
  const changes = [
    `at = at + interval '1 microsecond'`,
    `actor = 'nobody'`,
    `kind = 'other'`,
    'run_id = gen_random_uuid()',
    'payment_id = gen_random_uuid()',
    `detail = '{"code": "other"}'`,
  ];
  for (const change of changes) {
    cases.push([
      `an entry altered (${change.split(' ')[0] ?? ''})`,
      `update audit_entries set ${change} where entry_id = 4`,
      { position: 4, entryId: 4, problem: 'hash_differs' },
    ]);
  }
  test.each(cases)('%s', async (_what, statements, broken) => {
    await aChainedTrail(5);
    await append('later');
    await chainAudit(testDatabase.database);
    expect((await verify()).broken).toBeNull();
    await tamper(statements);
    expect(await verify()).toMatchObject({ broken, chained: broken.position - 1, head: null });
  });
});

describe('a head that was noted elsewhere', () => {
  test('is still in the chain, however far that has grown', async () => {
    await aChainedTrail(3);
    const { head } = await verify();
    await aChainedTrail(3);
    expect(await verify(head)).toMatchObject({ broken: null, chained: 6 });
  });

  test('shows that the whole trail was rewritten, which nothing else could', async () => {
    await aChainedTrail(3);
    const { head } = await verify();
    await tamper(`update audit_entries set kind = 'other' where entry_id = 2; delete from audit_chain`);
    await chainAudit(testDatabase.database);
    expect((await verify()).broken).toBeNull();
    expect((await verify(head)).broken).toEqual({ position: 3, entryId: 3, problem: 'head_differs' });
  });

  test('shows that the end of the trail was removed', async () => {
    await aChainedTrail(3);
    const { head } = await verify();
    await tamper('delete from audit_chain where position = 3; delete from audit_entries where entry_id = 3');
    expect((await verify()).broken).toBeNull();
    expect((await verify(head)).broken).toEqual({ position: 3, entryId: null, problem: 'head_differs' });
  });
});
