import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addRunAs } from '../../store/runs/add-run.ts';
import type { NewFile } from '../../store/runs/supporting-files.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { decideRunAs } from '../../store/approvals/run-decisions.ts';
import { eraseRemarkAs } from '../../store/audit/remarks.ts';
import { inTransaction } from '../../store/database/database.ts';
import { chainAudit } from '../../store/audit/audit-chaining.ts';
import { verifyAudit } from '../../store/audit/audit-verification.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import { listPayableRows } from '../../store/runs/payable-rows.ts';
import { newToken, TokenHash } from '../../store/users/token-hash.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, onServer, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, byTwo, type TestUser } from '../helpers/users.ts';
import { ACCOUNT, anApprovedRun, beneficiaryAt, putInto } from './a-stored-run.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let chris: TestUser;
let sam: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  ({ chris, sam } = runs);
});
afterAll(() => testDatabase.drop());
beforeEach(() => runs.follow({ rules: [{ name: 'one', when: {}, steps: [{ role: 'checker' }] }] }));

describe('an approval', () => {
  test('freezes the rows once and lets the run be paid', async () => {
    const { runId, paymentIds } = await runs.aRun(3);
    await putInto(testDatabase.database, paymentIds[2] ?? '', 'held');
    expect(await runs.decide(chris, runId)).toMatchObject({
      decision: 'approved',
      stepsTaken: 1,
      steps: 1,
      isLast: true,
    });
    expect(await runs.stateOf(runId)).toBe('running');
    expect(await runs.frozenRows(runId)).toBe(2);
    await expect(runs.decide(sam, runId)).rejects.toMatchObject(refusedWith('conflict'));
    const page = { runId, afterRow: 0, limit: 10, dueBy: '2026-01-31' };
    expect(await listPayableRows(testDatabase.asWorker, page)).toHaveLength(2);
    // A row that becomes payable later is not among them.
    await putInto(testDatabase.database, paymentIds[2] ?? '', 'ready');
    expect(await listPayableRows(testDatabase.asWorker, page)).toHaveLength(2);
  });

  test('is only for the content that was seen: the hash changes with any field of a row', async () => {
    const { runId } = await runs.aRun(2);
    const seen = await readContentHash(testDatabase.asServer, runId);
    const changes = [
      `update payments set row_hash = 'x' where run_id = $1 and row_number = 1`,
      `update payments set beneficiary_hash = 'x' where run_id = $1 and row_number = 1`,
      `update payments set attempt = 2 where run_id = $1 and row_number = 2`,
      `update payments set state = 'held' where run_id = $1 and row_number = 2`,
    ];
    const hashes = [seen];
    for (const change of changes) {
      await bypassTriggers(testDatabase.database, change, [runId]);
      hashes.push(await readContentHash(testDatabase.asServer, runId));
    }
    expect(new Set(hashes).size).toBe(hashes.length);
    const decision = { runId, kind: 'approved', contentHash: seen, comment: null } as const;
    const late = decideRunAs(testDatabase.asServer, chris.tokenHash, decision);
    await expect(late).rejects.toMatchObject(refusedWith('conflict'));
    expect(await runs.refusalsOf(runId)).toMatchObject([{ why: 'content_changed', token: chris.tokenId }]);
    expect(await runs.stateOf(runId)).toBe('in_approval');
  });

  test('is only for the files that were seen: the hash changes with the content of each', async () => {
    const { runId } = await runs.aRun(1, () => ({ supportingFiles: ['bill.pdf'] }), [aFile('bill.pdf')]);
    const seen = await readContentHash(testDatabase.asServer, runId);
    await testDatabase.database.query(`update supporting_files set sha256 = 'another' where run_id = $1`, [runId]);
    expect(await readContentHash(testDatabase.asServer, runId)).not.toBe(seen);
  });

  test('cannot be given by the maker of the run, whatever their roles', async () => {
    const { runId } = await runs.aRun();
    await testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [runId, chris.userId]);
    for (const kind of ['approved', 'rejected'] as const) {
      await expect(runs.decide(chris, runId, kind)).rejects.toMatchObject(refusedWith('not_allowed'));
    }
    expect((await runs.refusalsOf(runId)).map(({ why }) => why)).toEqual(['maker_decides', 'maker_decides']);
    expect(await runs.stateOf(runId)).toBe('in_approval');
  });

  test('needs the right token, role and run, and each failed attempt is recorded', async () => {
    const { runId } = await runs.aRun();
    const ada = await aUser(testDatabase, 'Ada', 'administrator');
    const vic = await aUser(testDatabase, 'Vic', 'viewer');
    for (const user of [ada, vic])
      await expect(runs.decide(user, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
    await expect(runs.decide({ ...chris, tokenHash: guessed() }, runId)).rejects.toMatchObject(
      refusedWith('unauthenticated'),
    );
    expect((await runs.refusalsOf(runId)).map(({ token }) => token)).toEqual([ada.tokenId, vic.tokenId]);
    expect(await runs.stateOf(runId)).toBe('in_approval');
    expect(await runs.frozenRows(runId)).toBe(0);
  });

  test('cannot be inserted by anyone who can only write to the database', async () => {
    const { runId, paymentIds } = await runs.aRun();
    const forged = [
      `update runs set state = 'running', started_at = now() where run_id = '${runId}'`,
      `insert into approvals (run_id, decision, content_hash, user_id, role)
       values ('${runId}', 'approved', 'x', '${chris.userId}', 'checker')`,
      `insert into approved_payments (payment_id, attempt, run_id, row_hash, files)
       values ('${paymentIds[0] ?? ''}', 1, '${runId}', 'x', '{}')`,
    ];
    for (const login of [testDatabase.asServer, testDatabase.asWorker]) {
      for (const statement of forged) await expect(login.query(statement)).rejects.toThrow(/permission denied/);
    }
    // The owner's functions cannot be shadowed either.
    const connection = await testDatabase.asServer.connect();
    try {
      await connection.query('create temp table user_roles (user_id uuid, role text)').catch(() => undefined);
      await connection
        .query(`insert into pg_temp.user_roles values ('${chris.userId}', 'checker')`)
        .catch(() => undefined);
      const { rows } = await connection.query<{ answer: { refused?: string } }>(
        'select decide_run($1, $2, $3, $4, $5) as answer',
        [guessed().bytes, runId, 'approved', 'x', null],
      );
      expect(rows[0]?.answer.refused).toBe('unauthenticated');
    } finally {
      connection.release(true);
    }
    expect(await runs.stateOf(runId)).toBe('in_approval');
  });

  test('is never changed or deleted, not even by the owner', async () => {
    const { runId } = await anApprovedRun(testDatabase.database);
    for (const table of ['approvals', 'approved_payments']) {
      for (const statement of [
        `delete from ${table}`,
        `truncate ${table} cascade`,
        `update ${table} set run_id = run_id`,
      ]) {
        await expect(testDatabase.database.query(statement)).rejects.toThrow('can only be added to');
      }
    }
    expect(await runs.frozenRows(runId)).toBe(1);
  });
});

function aFile(name: string): NewFile {
  return { name, contentType: 'application/pdf', bytes: Buffer.from('%PDF'), sha256: 'as it was seen' };
}

function guessed(): TokenHash {
  return TokenHash.of(newToken());
}

describe('the content of a row', () => {
  const columns: [string, string][] = [
    ['instruction', `'{}'`],
    ['row_hash', `'x'`],
    ['beneficiary_hash', `'x'`],
    ['account', `'other'`],
    ['amount', '1'],
    ['sell_currency', `'EUR'`],
    ['buy_currency', `'EUR'`],
    ['amount_side', `'buy'`],
    ['encrypted', `'x'`],
    ['row_ref', `'other'`],
    ['attempt', '2'],
    ['run_id', 'gen_random_uuid()'],
    ['payment_id', 'gen_random_uuid()'],
    ['row_number', '9'],
    ['line', '9'],
    ['beneficiary_fingerprint', `'x'`],
    ['account_hash', `'x'`],
    ['name_hash', `'x'`],
  ];
  test.each(columns)('%s cannot be changed, not even by the owner', async (column, value) => {
    const { paymentIds } = await runs.aRun(1, () => beneficiaryAt('12345678'));
    const change = `update payments set ${column} = ${value} where payment_id = $1`;
    await expect(testDatabase.database.query(change, [paymentIds[0]])).rejects.toThrow('an edit is a new row');
  });

  test('is stored with its run, and no rows are added later', async () => {
    const { runId } = await runs.aRun();
    const late = `insert into payments (payment_id, run_id, account, row_number, line, row_ref, state, instruction, row_hash)
      select gen_random_uuid(), run_id, account, 99, 99, 'late', 'ready', instruction, row_hash
      from payments where run_id = $1`;
    const lateFile = `insert into supporting_files (run_id, name, content_type, size_bytes, sha256, encrypted)
      values ($1, 'late.pdf', 'application/pdf', 1, 'x', 'x')`;
    const lateWarning = `insert into run_warnings (run_id, encrypted, warning_count) values ($1, 'x', 1)`;
    const lateProfile = `insert into run_profiles (run_id, account, name, profile_hash, headers_key, profile)
      values ($1, 'default', 'late', 'x', 'x', 'x')`;
    for (const statement of [late, lateFile, lateWarning, lateProfile]) {
      for (const login of [testDatabase.asServer, testDatabase.database]) {
        await expect(login.query(statement, [runId])).rejects.toThrow('is added together with it, and never after');
      }
    }
  });

  test.each([
    ['another amount', { amount: '1.00' }],
    ['another side', { amount_side: 'buy' }],
    ['another currency', { sell_currency: 'EUR' }],
    ['another currency to receive', { buy_currency: 'EUR' }],
    ['another account of the provider', { account: 'other' }],
    ['no amount', { amount: null }],
    // With such rows the policy would consider an account paid before.
    ['a payment that nobody made', { state: 'paid' }],
  ])('matches its columns, which the policy checks: not %s', async (_what, forged) => {
    const { runId } = await runs.aRun();
    const mia = await aUser(testDatabase, 'Mia', 'maker');
    const { rows } = await testDatabase.database.query<{ names: string }>(
      `select string_agg(column_name, ', ') as names from information_schema.columns
       where table_schema = 'public' and table_name = 'payments' and is_generated = 'NEVER'`,
    );
    const columnNames = rows[0]?.names ?? '';
    const copy = `insert into payments (${columnNames}) select ${columnNames}
      from (select (jsonb_populate_record(payments, $2)).* from payments where run_id = $1) as copied`;
    const added = (columns: object) =>
      inTransaction(testDatabase.asServer, async (transaction) => {
        const [next, paymentId] = [randomUUID(), randomUUID()];
        const key = (await payeesIn(testDatabase.asServer)).newRunKey(next);
        const run = {
          key,
          account: ACCOUNT,
          fileName: 'f.csv',
          fileSha256: 'x',
          header: { names: [], hasByteOrderMark: false, sheetName: null },
          rowCount: 1,
          decideWithinMs: 86_400_000,
        };
        await addRunAs(transaction, mia.tokenHash, run);
        await transaction.query(copy, [runId, JSON.stringify({ run_id: next, payment_id: paymentId, ...columns })]);
      });
    await added({});
    await expect(added(forged)).rejects.toThrow('a row is added as what it says, and unpaid');
  });

  test('that was held is not released by a process', async () => {
    const { paymentIds } = await runs.aRun();
    for (const state of ['held', 'duplicate_suspect'] as const) {
      await putInto(testDatabase.database, paymentIds[0] ?? '', state);
      const release = `update payments set state = 'ready' where payment_id = $1`;
      await expect(testDatabase.asWorker.query(release, [paymentIds[0]])).rejects.toThrow(
        'is released by people alone',
      );
    }
  });

  test('that was held is not released by a login with the rights of a process', async () => {
    const { paymentIds } = await runs.aRun();
    for (const state of ['held', 'duplicate_suspect'] as const) {
      await putInto(testDatabase.database, paymentIds[0] ?? '', state);
      const release = onServer(testDatabase.workerUrl, `update payments set state = 'ready' where state = '${state}'`);
      await expect(release).rejects.toThrow('is released by people alone');
    }
  });
});

describe('what people write', () => {
  test('is erased by two administrators, without breaking the audit trail that refers to it', async () => {
    const { runId } = await runs.aRun();
    await runs.decide(chris, runId, 'rejected', 'MARKERTEXT of a person');
    const { database, asServer } = testDatabase;
    const trail = async () =>
      JSON.stringify((await database.query('select * from audit_entries where run_id = $1', [runId])).rows);
    expect(await trail()).not.toContain('MARKERTEXT');
    const { rows } = await database.query<{ remark_id: string; hash: Buffer }>(
      'select remark_id, hash from remarks where run_id = $1',
      [runId],
    );
    const [remark] = rows;
    expect(await trail()).toContain(remark?.hash.toString('hex'));
    await chainAudit(asServer);
    const ada = await aUser(testDatabase, 'Ada', 'administrator');
    await expect(eraseRemarkAs(asServer, chris.tokenHash, remark?.remark_id ?? '')).rejects.toMatchObject(
      refusedWith('not_allowed'),
    );
    await anApprovedRun(database);
    const erasing = eraseRemarkAs(asServer, ada.tokenHash, remark?.remark_id ?? '');
    expect((await erasing).change?.state).toBe('pending');
    const bodies = await database.query<{ body: string }>('select body from remarks where run_id = $1', [runId]);
    expect(bodies.rows).toEqual([{ body: 'MARKERTEXT of a person' }]);
    await byTwo(testDatabase, erasing);
    const { rows: left } = await database.query('select body, salt from remarks where run_id = $1', [runId]);
    expect(left).toEqual([{ body: null, salt: null }]);
    await chainAudit(asServer);
    expect((await verifyAudit(asServer, null)).broken).toBeNull();
  });
});
