import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appendAudit } from '../../store/audit/audit.ts';
import { chainAudit, startAuditChaining } from '../../store/audit/audit-chaining.ts';
import { verifyAudit } from '../../store/audit/audit-verification.ts';
import { readOpenMetrics } from '../../store/metrics/stored-metrics.ts';
import { emptyTables } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { until } from '../helpers/until.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(() => emptyTables(testDatabase, 'audit_entries', 'audit_chain'));
afterAll(() => testDatabase.drop());

describe('the chain over the audit trail', () => {
  test.each([
    ['of the chain', `select pg_advisory_lock(hashtextextended('audit-chain', 0))`],
    ['of an epoch', 'select pg_advisory_lock_shared(1885436257, (select last_value::integer from audit_epochs))'],
  ])('that a login holds up by the lock %s is warned of, and measured', async (_which, hold) => {
    const { database, asServer, workerUrl } = testDatabase;
    const holder = new pg.Client({ connectionString: workerUrl });
    await holder.connect();
    try {
      await holder.query(hold);
      await appendAudit(database, { actor: 'worker', kind: 'held up' });
      const warnings: string[] = [];
      const chaining = startAuditChaining(asServer, (message) => warnings.push(message), { warnAfterMs: 50 });
      await until(() => Promise.resolve(warnings.length > 0));
      await until(async () => {
        const stored = await readOpenMetrics(asServer);
        return (stored.find(({ name }) => name === 'unchained_entries')?.oldestSeconds ?? 0) > 0;
      });
      await chaining.stop();
      expect(warnings).toEqual([expect.stringContaining('is not chained since')]);
    } finally {
      await holder.end();
    }
    await until(async () => (await chainAudit(database)) === 1);
    const stored = await readOpenMetrics(asServer);
    expect(stored.find(({ name }) => name === 'unchained_entries')?.oldestSeconds).toBeNull();
  });

  describe.each([
    ['the lock of the chain', `select pg_advisory_lock(hashtextextended('audit-chain', 0))`],
    [
      'an epoch',
      'select pg_advisory_lock_shared(1885436257, (select last_value::integer from audit_epochs)), pg_advisory_lock_shared(1885436257, 0)',
    ],
  ])('that a login holds up by %s', (_which, hold) => {
    /** A session that holds it up, of a login that may do so, and an entry that waits for so long. */
    async function held(
      url: string,
      minutes: number,
    ): Promise<{ ended: Promise<unknown>; close: () => Promise<void> }> {
      const holder = new pg.Client({ connectionString: url });
      const ended = new Promise((resolve) => holder.on('error', resolve));
      await holder.connect();
      await holder.query(hold);
      await testDatabase.database.query(
        `insert into audit_entries (actor, kind, at) values ('worker', 'held up', clock_timestamp() - $1 * interval '1 minute')`,
        [minutes],
      );
      return { ended, close: () => holder.end().catch(() => undefined) };
    }

    test('is chained again after ten minutes: the session is ended, which is in the trail', async () => {
      const { database, asServer, workerUrl } = testDatabase;
      const { ended, close } = await held(workerUrl, 11);
      const warnings: string[] = [];
      const chaining = startAuditChaining(asServer, (message) => warnings.push(message), { heldUpMs: 50 });
      await ended;
      await until(async () => (await verifyAudit(database, null)).unchained === 0);
      await chaining.stop();
      await close();
      expect(warnings).toEqual([
        expect.stringContaining('is not chained since'),
        expect.stringContaining(`were ended, of the logins: ${new URL(workerUrl).username}`),
      ]);
      const { rows } = await database.query(`select detail from audit_entries where kind = 'chain_holders_ended'`);
      expect(rows).toMatchObject([{ detail: { logins: [new URL(workerUrl).username] } }]);
    });

    test.each([
      ['before ten minutes have passed', 9, 'workerUrl', 'as it is'],
      ['when something was chained meanwhile', 11, 'workerUrl', 'of before'],
      ['where it is a session of the owner', 11, 'url', 'as it is'],
    ] as const)('is not ended %s', async (_when, minutes, login, seen) => {
      const { asWorker } = testDatabase;
      const { close } = await held(testDatabase[login], minutes);
      const { rows } = await asWorker.query(
        `select end_chain_holders(unchained_since() - $1 * interval '1 second') as answer`,
        [seen === 'of before' ? 1 : 0],
      );
      expect(rows).toEqual([{ answer: { ended: [], left: 0 } }]);
      await close();
    });
  });

  test('is said not to be ended where the owner of the database may not end sessions', async () => {
    const { database, asServer, workerUrl } = testDatabase;
    const holder = new pg.Client({ connectionString: workerUrl });
    await holder.connect();
    await holder.query(`select pg_advisory_lock(hashtextextended('audit-chain', 0))`);
    await database.query(
      `insert into audit_entries (actor, kind, at) values ('worker', 'held up', clock_timestamp() - interval '11 minutes')`,
    );
    // As an owner of the database who is no superuser.
    const owner = `weak_${randomUUID().replaceAll('-', '')}`;
    await database.query(`create role ${owner}; grant create, usage on schema public to ${owner};
      grant select on audit_entries, audit_chain to ${owner};
      grant execute on all functions in schema public to ${owner};
      alter function end_chain_holders(timestamptz) owner to ${owner}`);
    const warnings: string[] = [];
    const chaining = startAuditChaining(asServer, (message) => warnings.push(message), { heldUpMs: 50 });
    await until(() => Promise.resolve(warnings.length > 1));
    await chaining.stop();
    expect(warnings[1]).toContain('grant pg_signal_backend');
    await holder.end();
    await database.query(
      `alter function end_chain_holders(timestamptz) owner to current_user; drop owned by ${owner}; drop role ${owner}`,
    );
  });
});
