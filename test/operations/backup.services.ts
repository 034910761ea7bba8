import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findPostgresBinaries, majorOf } from '../../local/embedded/postgres-binaries.ts';
import { type PostgresServer, startPostgres } from '../../local/embedded/postgres-server.ts';
import { chainAudit } from '../../store/audit/audit-chaining.ts';
import { type AuditVerification, verifyAudit } from '../../store/audit/audit-verification.ts';
import { type Database, openDatabase } from '../../store/database/database.ts';
import { migrate } from '../../store/database/migrate.ts';
import { readRoleProtection } from '../../store/database/role-protection.ts';
import { SERVER_ROLE, WORKER_ROLE } from '../../store/database/runtime-role.ts';
import { beginRequest } from '../../store/payments/payment-requests.ts';
import { stopAtStart } from '../../store/users/owner-users.ts';
import { createTestDatabase, onServer, openAsOwner, type TestDatabase } from '../helpers/test-database.ts';
import { anApprovedRun, putInto } from '../store/a-stored-run.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';

/** Does what docs/backup.md says, and compares the restored record with the original. */

const ROWS = 4;
const PAID = 2;
const TODAY = '2026-11-22';

const embedded = await findPostgresBinaries({ runAs: undefined, reachableRoot: tmpdir(), report: () => undefined });

/** Whether pg_dump and pg_restore are installed and not older than the server, whose dump they refuse otherwise. */
function canDump(): boolean {
  return ['pg_dump', 'pg_restore'].every((program) => {
    const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    return status === 0 && majorOf(stdout) >= embedded.major;
  });
}

interface Backup {
  /** Rows that are not sent yet. */
  readyIds: string[];
  record: Record<string, unknown[]>;
  audit: AuditVerification;
}

/** What a restored database must have in common with the original one. */
async function readRecord(owner: Database): Promise<Record<string, unknown[]>> {
  const statements = {
    runs: 'select * from runs order by run_id',
    payments: 'select * from payments order by payment_id',
    approvals: 'select * from approvals order by approval_id',
    frozenRows: 'select * from approved_payments order by payment_id',
    users: 'select * from users order by user_id',
    roles: 'select * from user_roles order by user_id, role',
    tokens: 'select * from api_tokens order by token_id',
    audit: 'select * from audit_entries order by entry_id',
    counts: 'select run_id, state, sum(rows)::int as rows from run_counts group by 1, 2 order by 1, 2',
  };
  const record: Record<string, unknown[]> = {};
  for (const [name, statement] of Object.entries(statements)) record[name] = (await owner.query(statement)).rows;
  return record;
}

/** Stores an approved run with paid rows and rows that are still to be sent. */
async function recordPayments(ownerUrl: string): Promise<Backup> {
  return asOwner(ownerUrl, async (owner) => {
    await owner.query(
      `insert into provider_accounts (account, api_address, access_key, is_sandbox) values ('default', 'x', 'x', true)`,
    );
    const { paymentIds } = await anApprovedRun(owner, ROWS);
    for (const paymentId of paymentIds.slice(0, PAID)) {
      await putInto(owner, paymentId, 'paid', { providerPaymentId: `provider-${paymentId}`, fundedAgo: '1 day' });
    }
    await chainAudit(owner);
    return {
      readyIds: paymentIds.slice(PAID),
      record: await readRecord(owner),
      audit: await verifyAudit(owner, null),
    };
  });
}

/** The checks of "After restoring", on a database that `payrun migrate` has prepared. */
async function expectRestored(urls: { url: string; serverUrl: string; workerUrl: string }, backup: Backup) {
  expect(await migrate(urls.url)).toEqual([]);
  await asOwner(urls.url, async (owner) => {
    expect(await readRecord(owner)).toEqual(backup.record);
    expect(backup.record['payments']).toHaveLength(ROWS);
    const { head } = backup.audit;
    expect(head).not.toBeNull();
    expect(await verifyAudit(owner, head)).toMatchObject({ broken: null, head, unchained: 0 });
  });
  for (const [role, url] of [
    [SERVER_ROLE, urls.serverUrl],
    [WORKER_ROLE, urls.workerUrl],
  ] as const) {
    expect(await asRole(url, role, (database) => readRoleProtection(database, role))).toBe('rights');
  }
  await expectStopped(urls, backup);
}

/** `payrun up --paused`, or `select stop_at_start()`: no payment is sent until two people lift the stop. */
async function expectStopped({ url, workerUrl }: { url: string; workerUrl: string }, { readyIds }: Backup) {
  const [first, second] = readyIds;
  await asRole(workerUrl, WORKER_ROLE, async (worker) => {
    const begin = (paymentId = '') =>
      beginRequest(worker, {
        paymentId,
        operation: 'quote',
        whileIn: ['ready'],
        at: new Date(TODAY),
        dataKeys: TEST_KEY_IDS,
      });
    // The approval was restored as well: without a stop the payment would be sent.
    expect(await begin(first)).toMatchObject({ isStopped: false, requestId: expect.any(String) as string });
    await stopAtStart(url);
    const stopped = await begin(second);
    expect(stopped).toMatchObject({ isStopped: true, requestId: null });
    expect(stopped.approved).not.toBeNull();
  });
}

function inDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

async function asOwner<T>(url: string, work: (owner: Database) => Promise<T>): Promise<T> {
  const owner = openAsOwner(url);
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

async function asRole<T>(
  url: string,
  role: typeof SERVER_ROLE | typeof WORKER_ROLE,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase(url, { role, maxConnections: 2, applicationName: 'payrun-test' });
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}

describe('a copy of the stopped data folder', () => {
  async function aPostgres(dataDir: string): Promise<PostgresServer> {
    const server = await startPostgres({ dataDir, report: () => undefined });
    onTestFinished(() => server.stop());
    return server;
  }

  test('has the whole record, and sends nothing while everything is stopped', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payrun-backup-'));
    // When this runs as root, Postgres runs as another user, who needs access to the folder.
    chmodSync(folder, 0o755);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const original = await aPostgres(join(folder, 'original'));
    await migrate(original.url);
    const backup = await recordPayments(original.url);
    await original.stop();

    execFileSync('cp', ['-a', join(folder, 'original'), join(folder, 'copy')]);
    renameSync(join(folder, 'original'), join(folder, 'original-before'));
    execFileSync('cp', ['-a', join(folder, 'copy'), join(folder, 'original')]);
    const restored = await aPostgres(join(folder, 'original'));
    await expectRestored(restored, backup);
  });
});

const WITHOUT_KEYS = [
  '--exclude-table-data=case_keys',
  '--exclude-table-data=run_keys',
  '--exclude-table-data=data_secrets',
];
const KEYS_ALONE = ['--data-only', '--table=case_keys', '--table=run_keys', '--table=data_secrets'];
const MAIL_INDEX = 'mail-index';

/** Adds so many cases with a key, and the secret of the installation if it is missing. Returns the ids of the cases. */
async function encryptedCases(owner: Database, count: number): Promise<string[]> {
  const { rows } = await owner.query<{ caseId: string }>(
    `with added as (
       insert into cases (case_id, account, applicant_ref, account_type, email_hmac, submitted_by)
       select gen_random_uuid(), 'default', gen_random_uuid()::text, 'individual', uuid_send(gen_random_uuid()), (
         select user_id from users limit 1)
       from generate_series(1, $1) returning case_id
     ), secret as (
       insert into data_secrets (name, wrapped, wrapped_by) values ($2, 'secret', 'id') on conflict do nothing
     )
     insert into case_keys (case_id, wrapped, wrapped_by) select case_id, 'key', 'id' from added
     returning case_id as "caseId"`,
    [count, MAIL_INDEX],
  );
  return rows.map(({ caseId }) => caseId);
}

function keysIn(url: string): Promise<string[]> {
  return asOwner(url, async (owner) => {
    const { rows } = await owner.query<{ name: string }>(
      `select case_id::text as name from case_keys union all select run_id::text from run_keys
       union all select name from data_secrets`,
    );
    return rows.map(({ name }) => name).sort();
  });
}

describe.runIf(canDump())('a dump', () => {
  let original: TestDatabase;
  beforeAll(async () => {
    original = await createTestDatabase({ provider: 'none' });
    return () => original.drop();
  });

  test('has the whole record, and sends nothing while everything is stopped', async () => {
    const backup = await recordPayments(original.url);
    const folder = mkdtempSync(join(tmpdir(), 'payrun-dump-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [file, keysFile] = [join(folder, 'payrun.dump'), join(folder, 'payrun-keys.dump')];
    const erased = await encryptedCases(original.database, 2);
    execFileSync('pg_dump', [original.url, '-Fc', ...WITHOUT_KEYS, '-f', file]);
    // Later than the other dump: what was erased since has no key any more, and a case was added.
    const [kept = ''] = erased.splice(0, 1);
    await original.database.query('delete from case_keys where case_id = $1', erased);
    const [added] = await encryptedCases(original.database, 1);
    execFileSync('pg_dump', [original.url, '-Fc', ...KEYS_ALONE, '-f', keysFile]);

    const name = `restored_${randomBytes(6).toString('hex')}`;
    const { url, serverUrl, workerUrl } = original;
    const owner = new URL(url).username;
    await onServer(url, `create database ${name}_beside owner ${owner}`);
    onTestFinished(() => onServer(url, `drop database if exists ${name}_beside with (force)`));
    const beside = inDatabase(url, `${name}_beside`);
    execFileSync('pg_restore', ['--no-owner', '-d', beside, file]);
    expect(await keysIn(beside)).toEqual([]);
    execFileSync('pg_restore', ['--data-only', '-d', beside, keysFile]);
    expect(await keysIn(beside)).toEqual([added, kept, MAIL_INDEX].sort());
    await onServer(beside, 'delete from case_keys where case_id not in (select case_id from cases)');
    expect(await keysIn(beside)).toEqual([kept, MAIL_INDEX].sort());
    // As into the embedded Postgres: in the place of an empty database.
    await onServer(url, `create database ${name} owner ${owner}`);
    onTestFinished(() => onServer(url, `drop database if exists ${name} with (force)`));
    await onServer(url, `drop database ${name} with (force)`);
    await onServer(url, `alter database ${name}_beside rename to ${name}`);
    const restored = {
      url: inDatabase(url, name),
      serverUrl: inDatabase(serverUrl, name),
      workerUrl: inDatabase(workerUrl, name),
    };
    await expectRestored(restored, backup);
  });
});
