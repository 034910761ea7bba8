import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVER_KINDS, WORKER_KINDS } from '../../store/audit/audit-kinds.ts';
import { readSqlFunctions } from '../../store/database/sql-files.ts';
import { chainAudit } from '../../store/audit/audit-chaining.ts';
import { verifyAudit } from '../../store/audit/audit-verification.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { RunsInApproval } from './runs-in-approval.ts';

/** Audit entries that a login could write and its process never does. */

let testDatabase: TestDatabase;
let runs: RunsInApproval;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
});
afterAll(() => testDatabase.drop());

const LOGINS = [
  ['server', 'serverUrl', SERVER_KINDS],
  ['worker', 'workerUrl', WORKER_KINDS],
] as const;

/** As the login itself, without setting the role. */
async function insertAs(url: string, actor: string, ...kinds: readonly string[]): Promise<void> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  try {
    for (const kind of kinds) {
      await connection.query('insert into audit_entries (actor, kind) values ($1, $2)', [actor, kind]);
    }
  } finally {
    await connection.end();
  }
}

/** Kinds that functions of the database write in the name of users, and similar ones. */
function kindsOfPeople(): string[] {
  const calls = readSqlFunctions().flatMap(({ statement }) => statement.match(/perform note\([^;]*;/g) ?? []);
  const words = calls.flatMap((call) => [...call.matchAll(/'([a-z_]+)'/g)].map(([, word = '']) => word));
  return [...new Set([...words, 'decision_approved', 'decision_rejected', 'run_running', 'run_rejected'])];
}

describe.each(LOGINS)('the audit trail, by the login of the %s', (actor, login, kinds) => {
  const asLogin = () => (actor === 'server' ? testDatabase.asServer : testDatabase.asWorker);

  test('has no entry in the name of a user', async () => {
    for (const kind of [...kinds, 'decision_approved']) {
      const forged = insertAs(testDatabase[login], runs.chris.userId, kind);
      await expect(forged).rejects.toThrow('a process writes down what it did itself');
    }
  });

  test('has no entry of a kind reserved for people', async () => {
    const ofPeople = kindsOfPeople().filter((kind) => !(kinds as readonly string[]).includes(kind));
    expect(ofPeople).toEqual(expect.arrayContaining(['decision_approved', 'stopped', 'run_withdrawn', 'user_added']));
    for (const kind of ofPeople) {
      await expect(insertAs(testDatabase[login], actor, kind)).rejects.toThrow(
        'a process writes down what it did itself',
      );
    }
  });

  test('has no entry in the name of another process or the owner', async () => {
    for (const [other, , otherKinds] of LOGINS.filter(([name]) => name !== actor)) {
      for (const kind of otherKinds) {
        await expect(insertAs(testDatabase[login], other, kind)).rejects.toThrow(
          'a process writes down what it did itself',
        );
      }
    }
    for (const other of ['owner', 'database', 'unknown']) {
      await expect(insertAs(testDatabase[login], other, 'held')).rejects.toThrow(
        'a process writes down what it did itself',
      );
    }
  });

  test('has every kind of entry that the process writes', async () => {
    await insertAs(testDatabase[login], actor, ...kinds);
  });

  test('has no forged links', async () => {
    const forged = asLogin().query(
      `insert into audit_chain (position, entry_id, hash)
       select coalesce((select max(position) from audit_chain), 0) + 1, max(entry_id), '' from audit_entries`,
    );
    await expect(forged).rejects.toThrow('permission denied');
    expect(await chainAudit(asLogin())).toBeGreaterThan(0);
    expect((await verifyAudit(testDatabase.database, null)).broken).toBeNull();
  });

  test('is not chained by predicting earlier entries', async () => {
    const connection = await asLogin().connect();
    try {
      await connection.query('begin isolation level repeatable read');
      await expect(connection.query('select chain_audit(10)')).rejects.toThrow('at read committed');
    } finally {
      await connection.query('rollback');
      connection.release();
    }
  });
});

test('the kinds that the code names are those that the worker may write', () => {
  const root = join(import.meta.dirname, '../../store');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, name), 'utf8'));
  const kinds = sources.flatMap((text) => [...text.matchAll(/(?:select|values) \(?'worker', '([a-z_]+)',/g)]);
  const named = kinds.map(([, kind = '']) => kind);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((kind) => !WORKER_KINDS.includes(kind))).toEqual([]);
});
