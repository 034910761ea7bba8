import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { approvedInstruction } from '../../activities/approvals/approved-row.ts';
import { decideRunAs } from '../../store/approvals/run-decisions.ts';
import { openDatabase } from '../../store/database/database.ts';
import { endUpgrade, migrate } from '../../store/database/migrate.ts';
import { beginRequest, readApproval } from '../../store/payments/payment-requests.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import { listPayableRows } from '../../store/runs/payable-rows.ts';
import { readRun } from '../../store/runs/runs.ts';
import { listUsers } from '../../store/users/users.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { onServer, openAsOwner } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';

const TODAY = '2026-01-31';

/**
 * Migrates a database that an earlier version wrote until it was stopped in the middle of a run (`run-upgrade.ts record`).
 * `npm run test:upgrade` shows that the open run is then paid exactly once.
 */

const MIGRATIONS = join(import.meta.dirname, '../../store/database/migrations');
/** The number of migrations that the earlier version had. */
const FORMER_MIGRATIONS = 5;

type Tables = Record<string, Record<string, unknown>[]>;
const RECORD = JSON.parse(readFileSync(join(import.meta.dirname, 'record-before.json'), 'utf8')) as Tables;
const [paying, waiting] = [runIn('running'), runIn('in_approval')];

function runIn(state: string): string {
  return RECORD['runs']?.find((run) => run['state'] === state)?.['run_id'] as string;
}

let url: string;
let owner: pg.Pool;
/** Has the record as the earlier version left it. */
let former: string;

beforeAll(async () => {
  former = await createAndOpen('');
  await restoreFormerRecord();
  await owner.end();
});
afterAll(() => onServer(inject('databaseUrl'), `drop database ${former} with (force)`));

async function createAndOpen(from: string): Promise<string> {
  const name = `before_${randomBytes(6).toString('hex')}`;
  await onServer(inject('databaseUrl'), `create database ${name} ${from}`);
  url = Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href;
  owner = openAsOwner(url);
  return name;
}

const openCopy = () => createAndOpen(`template ${former}`);

async function dropCopy(): Promise<void> {
  await owner.end();
  await onServer(inject('databaseUrl'), `drop database ${new URL(url).pathname.slice(1)} with (force)`);
}

/** Creates the schema of the earlier version and inserts the rows that it wrote. */
async function restoreFormerRecord(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'payrun-migrations-'));
  for (const file of readdirSync(MIGRATIONS).sort().slice(0, FORMER_MIGRATIONS)) {
    copyFileSync(join(MIGRATIONS, file), join(dir, file));
  }
  const settings = { databaseUrl: url, dir, migrationsTable: 'schema_migrations', log: () => undefined } as const;
  await runner({ ...settings, direction: 'up' });
  rmSync(dir, { recursive: true });
  for (const [table, rows] of Object.entries(RECORD)) {
    const load = `insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, $1)`;
    await bypassTriggers(owner, load, [JSON.stringify(rows)]);
  }
  const { rows: numbered } = await owner.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and is_identity = 'YES'`,
  );
  for (const { table, column } of numbered) {
    await owner.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(1, (select max(${column}) from ${table})))`,
      [table, column],
    );
  }
}

async function rowsIn(state: string): Promise<string[]> {
  const { rows } = await owner.query<{ payment_id: string }>(
    'select payment_id from payments where run_id = $1 and state = $2 order by row_number',
    [paying, state],
  );
  return rows.map(({ payment_id }) => payment_id);
}

async function asWorker<T>(work: (database: pg.Pool) => Promise<T>): Promise<T> {
  const login = Object.assign(new URL(inject('workerDatabaseUrl')), { pathname: new URL(url).pathname }).href;
  const database = openDatabase(login, { role: 'payrun_worker', maxConnections: 5, applicationName: 'payrun-test' });
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}

describe('the database of an earlier version, once migrated,', () => {
  beforeAll(async () => {
    await openCopy();
    await migrate(url);
  });
  afterAll(dropCopy);

  test('keeps the run that was being paid as approved, row by row', async () => {
    expect((await rowsIn('ready')).length).toBeGreaterThan(5);
    const { rows: approvals } = await owner.query('select run_id, decision, content_hash from approvals');
    const contentHash = (
      RECORD['runs']?.find((run) => run['run_id'] === paying)?.['proposal'] as { contentHash: string }
    ).contentHash;
    expect(approvals).toEqual([{ run_id: paying, decision: 'approved', content_hash: contentHash }]);
    await asWorker(async (database) => {
      const page = { runId: paying, afterRow: 0, limit: 100, dueBy: '2999-01-01' };
      const toSend = [...(await rowsIn('quoted')), ...(await rowsIn('created')), ...(await rowsIn('ready'))];
      const planned = await listPayableRows(database, page);
      expect(planned.map(({ paymentId }) => paymentId).sort()).toEqual(toSend.sort());
      for (const [state, operation] of [
        ['quoted', 'create'],
        ['created', 'fund'],
      ] as const) {
        const [paymentId = ''] = await rowsIn(state);
        const { payment, approved } = await readApproval(database, paymentId, TODAY);
        expect(approvedInstruction(payment, approved)).not.toBeNull();
        const { requestId } = await beginRequest(database, { paymentId, operation, whileIn: [state], today: TODAY });
        expect(requestId).not.toBeNull();
      }
    });
    expect((await readRun(owner, paying))?.state).toBe('running');
  });

  test('has the rows of a run counted by state', async () => {
    const there: Record<string, number> = {};
    for (const { run_id: runId, state } of RECORD['payments'] ?? []) {
      if (runId === paying) there[state as string] = (there[state as string] ?? 0) + 1;
    }
    const counted = (await readRun(owner, paying))?.rows;
    expect(counted).toEqual(there);
  });

  test('keeps its users with their roles, and their tokens still work', async () => {
    const users = await listUsers(owner);
    expect(users.map(({ name, roles }) => [name, roles]).sort()).toEqual(
      (RECORD['people'] ?? []).map(({ name, role }) => [name, [role]]).sort(),
    );
    expect(users.every(({ login }) => login !== null)).toBe(true);
    const { rows } = await owner.query<{ fits: boolean }>(
      'select proof_hash = sha256(token_hash) as fits from api_tokens',
    );
    expect(rows.every(({ fits }) => fits)).toBe(true);
  });
});

describe('the database of an earlier version', () => {
  beforeEach(openCopy);
  afterEach(dropCopy);

  test('keeps a run that waits for approval, which is approved by its content hash', async () => {
    await migrate(url);
    const run = await readRun(owner, waiting);
    expect(run).toMatchObject({ state: 'in_approval', rows: { ready: 3 } });
    expect(run?.proposal?.contentHash).toBe(await readContentHash(owner, waiting));
    const checker = await aUser({ url, database: owner }, 'New Checker', 'checker');
    const contentHash = run?.proposal?.contentHash ?? '';
    const decision = { runId: waiting, kind: 'approved', contentHash, comment: null } as const;
    expect(await decideRunAs(owner, checker.proof, decision)).toMatchObject({ isLast: true });
  });

  test('does not keep an approval that no longer matches the rows', async () => {
    await bypassTriggers(owner, `update payments set row_hash = 'other' where run_id = $1 and row_number = 20`, [
      paying,
    ]);
    await migrate(url);
    expect((await owner.query('select from approvals')).rowCount).toBe(0);
    const { rows } = await owner.query(
      'select kind from audit_entries where run_id = $1 order by entry_id desc limit 1',
      [paying],
    );
    expect(rows).toEqual([{ kind: 'approval_not_carried_over' }]);
    const [paymentId = ''] = await rowsIn('quoted');
    await asWorker(async (database) => {
      const begun = await beginRequest(database, { paymentId, operation: 'create', whileIn: ['quoted'], today: TODAY });
      expect(begun.requestId).toBeNull();
    });
  });

  test('has its approvals migrated once, and not what is written as approved later', async () => {
    await migrate(url);
    // Everything that the earlier version would have written.
    await owner.query(
      `update runs set started_at = now(), decided_by = submitted_by,
         proposal = jsonb_set(proposal, '{contentHash}', to_jsonb((
           select encode(sha256(convert_to(string_agg(row_hash, e'\\n' order by row_number), 'UTF8')), 'hex')
           from payments where payments.run_id = runs.run_id)))
       where run_id = $1`,
      [waiting],
    );
    await migrate(url);
    expect((await owner.query('select from approvals where run_id = $1', [waiting])).rowCount).toBe(0);
  });

  test('serves the earlier version until the upgrade is ended, and not after that', async () => {
    await migrate(url);
    const asBefore = async (statement: string): Promise<unknown> => {
      const connection = await owner.connect();
      try {
        await connection.query('set role payrun_app');
        return await connection.query(statement).then(
          ({ rowCount }) => rowCount,
          (error: unknown) => (error as Error).message,
        );
      } finally {
        connection.release(true);
      }
    };
    const { rows: roles } = await owner.query(`select from pg_roles where rolname = 'payrun_app'`);
    if (roles.length === 0) await owner.query('create role payrun_app nologin');
    await owner.query('grant select, insert, update, delete on all tables in schema public to payrun_app');
    expect(await asBefore('select user_id, name, role from people')).toBe(3);
    expect(await asBefore('select token_hash from api_tokens')).toBe(3);
    expect(await endUpgrade(url)).toBe(true);
    expect(await asBefore('select from api_tokens')).toContain('permission denied');
    await migrate(url);
    expect(await asBefore('select from people')).toContain('permission denied');
  });
});
