import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { appendAudit } from '../../store/audit/audit.ts';
import { chainAudit } from '../../store/audit/audit-chaining.ts';
import { openDatabase } from '../../store/database/database.ts';
import { migrate, prepareDatabase } from '../../store/database/migrate.ts';
import { readRoleProtection } from '../../store/database/role-protection.ts';
import { createTestDatabase, onServer, type TestDatabase } from '../helpers/test-database.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await appendAudit(testDatabase.database, { actor: 'worker', kind: 'first' });
  await chainAudit(testDatabase.database);
});
afterAll(() => testDatabase.drop());

const TABLES = ['audit_entries', 'audit_chain'];
const CHANGES = [
  ['update', (table: string) => `update ${table} set ${table === 'audit_chain' ? `hash = ''` : `kind = 'other'`}`],
  ['delete', (table: string) => `delete from ${table}`],
  ['truncate', (table: string) => `truncate ${table} cascade`],
  ['alter', (table: string) => `alter table ${table} add column more text`],
  ['drop', (table: string) => `drop table ${table} cascade`],
  ['disable the triggers of', (table: string) => `alter table ${table} disable trigger all`],
  ['add a trigger to', (table: string) => `create trigger t before insert on ${table} execute function audit_epoch()`],
] as const;

describe.each(['serverUrl', 'workerUrl'] as const)('the login behind %s', (login) => {
  const cases = TABLES.flatMap((table) =>
    CHANGES.map(([what, statement]) => ({ what, table, statement: statement(table) })),
  );
  test.each(cases)('cannot $what $table', async ({ statement }) => {
    await expect(onServer(testDatabase[login], statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  test.each([
    ['the time of an entry', `insert into audit_entries (at, actor, kind) values ('epoch', 'worker', 'held')`],
    ['its place in the chain', `insert into audit_entries (epoch, actor, kind) values (0, 'worker', 'early')`],
    [
      'its number',
      `insert into audit_entries (entry_id, actor, kind) overriding system value values (1, 'worker', 'early')`,
    ],
    ['the function that numbers epochs', 'create or replace function audit_epoch() returns integer return 1'],
    ['the numbers of epochs', `select setval('audit_epochs', 1)`],
    ['when triggers fire', `set session_replication_role = replica`],
  ])('cannot set %s', async (_what, statement) => {
    await expect(onServer(testDatabase[login], statement)).rejects.toThrow(/permission denied/);
  });

  test('starts on a database that is up to date, and otherwise says what to do', async () => {
    const urls = { databaseUrl: testDatabase[login], ownerUrl: undefined };
    await prepareDatabase(urls);
    const own = await createTestDatabase();
    await onServer(own.url, `delete from schema_migrations where name = '0001_users'`);
    await expect(prepareDatabase({ ...urls, databaseUrl: own[login] })).rejects.toThrow(
      "the database lacks 0001_users, and the role of DATABASE_URL may not run migrations: run 'payrun migrate'",
    );
    await own.drop();
  });
});

describe('a payrun with only the owner’s login', () => {
  test('gives up its rights on every connection', async () => {
    const database = openDatabase(testDatabase.url, {
      role: 'payrun_worker',
      maxConnections: 2,
      applicationName: 'payrun-test',
    });
    try {
      expect(await readRoleProtection(database, 'payrun_worker')).toBe('role_taken');
      await expect(database.query('delete from audit_entries')).rejects.toThrow('permission denied');
    } finally {
      await database.end();
    }
  });

  test('does so without being a superuser, if it was granted the runtime role', async () => {
    const { url, drop } = await aDatabaseOfItsOwn();
    const database = openDatabase(url, { role: 'payrun_worker', maxConnections: 1, applicationName: 'payrun-test' });
    try {
      await onServer(
        inject('databaseUrl'),
        `grant payrun_worker to ${new URL(url).username} with inherit false, set true`,
      );
      await prepareDatabase({ databaseUrl: url, ownerUrl: undefined });
      expect(await readRoleProtection(database, 'payrun_worker')).toBe('role_taken');
      await appendAudit(database, { actor: 'worker', kind: 'held' });
      expect(await chainAudit(database)).toBe(1);
    } finally {
      await database.end();
      await drop();
    }
  });

  test('runs with only the triggers if it may neither create nor set the role', async () => {
    const { url, drop } = await aDatabaseOfItsOwn();
    const database = openDatabase(url, { role: 'payrun_worker', maxConnections: 1, applicationName: 'payrun-test' });
    try {
      await prepareDatabase({ databaseUrl: url, ownerUrl: undefined });
      expect(await readRoleProtection(database, 'payrun_worker')).toBe('triggers');
      await expect(database.query('delete from audit_entries')).rejects.toThrow('the audit trail is append-only');
    } finally {
      await database.end();
      await drop();
    }
  });
});

test('the roles and rights are created once, however many databases and processes start at the same time', async () => {
  const databases = await Promise.all([1, 2, 3].map(() => createTestDatabase()));
  await Promise.all(databases.flatMap(({ url }) => [migrate(url), migrate(url)]));
  await Promise.all(databases.map((database) => database.drop()));
});

/** A database whose owner is not a superuser. */
async function aDatabaseOfItsOwn() {
  const name = `owned_${randomBytes(6).toString('hex')}`;
  const server = inject('databaseUrl');
  await onServer(server, `create role ${name} login password '${name}'`);
  await onServer(server, `create database ${name} owner ${name}`);
  const { host } = new URL(server);
  return {
    url: `postgres://${name}:${name}@${host}/${name}`,
    drop: async () => {
      await onServer(server, `drop database ${name} with (force)`);
      await onServer(server, `drop role ${name}`);
    },
  };
}
