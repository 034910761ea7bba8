import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { decideChangeAs, listChanges, proposeChangeAs } from '../../store/approvals/changes.ts';
import { RunKeyMissing } from '../../store/personal-data/key-wrapping.ts';
import { openPayeeData } from '../../store/personal-data/payee-data.ts';
import { listFiles, readFile } from '../../store/runs/supporting-files.ts';
import { addLookAlikesOfRun } from '../../store/beneficiaries/look-alikes-of-run.ts';
import { eraseRunAs } from '../../store/runs/erasure.ts';
import { readRun } from '../../store/runs/runs.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { linesWith, plainColumns } from '../helpers/plain-columns.ts';
import { readPage } from '../docs/document-pages.ts';
import { aDataKey } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { instructionsOf, payeesIn } from '../helpers/test-payees.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anApprovedRun, aStoredRun, beneficiaryAt } from './a-stored-run.ts';
import { refusedWith } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let ada: TestUser;
let ben: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  ben = await aUser(testDatabase, 'Ben', 'administrator');
  // payrun is set up once a run was approved: from then on changes wait.
  await anApprovedRun(testDatabase.database);
});
afterAll(() => testDatabase.drop());

const FILE = { name: 'a.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF of Erwin'), sha256: 'x' };

/** An ended run of a paid row, of ten years ago unless it says otherwise. */
async function anEndedRun(ago = '10 years'): Promise<{ runId: string; paymentId: string }> {
  const holder = { bankAccountHolderName: 'Erwin Lindqvist' };
  const row = () => ({
    ...beneficiaryAt('55667788', holder),
    supportingFiles: [FILE.name],
    paymentReference: 'Lindqvist 7',
  });
  const { runId, paymentIds } = await aStoredRun(testDatabase.database, 1, row, [FILE]);
  await bypassTriggers(
    testDatabase.database,
    `with ended as (update runs set state = 'completed', started_at = now(), finished_at = now() - $2::interval where run_id = $1 returning run_id)
     update payments set state = 'paid', ended_at = now() - $2::interval, error_message = 'of Lindqvist' from ended where payments.run_id = ended.run_id`,
    [runId, ago],
  );
  await addLookAlikesOfRun(testDatabase.database, await payeesIn(testDatabase.database), runId);
  return { runId, paymentId: paymentIds[0] ?? '' };
}

const propose = (by: TestUser, runId: string) => eraseRunAs(testDatabase.asServer, by.tokenHash, runId);
const confirm = (by: TestUser, changeId: string) => decideChangeAs(testDatabase.asServer, by.tokenHash, changeId, true);

async function erase(runId: string): Promise<void> {
  const { change } = await propose(ada, runId);
  await confirm(ben, change?.changeId ?? '');
}

describe('what a run has of its payees', () => {
  test('is erased by two administrators, with its key, and hashes and amounts stay', async () => {
    const { database, asServer } = testDatabase;
    const { runId, paymentId } = await anEndedRun();
    const kept = () =>
      database.query(
        `select amount, row_hash, account_hash, routing_hash, name_hash, beneficiary_hash, state, instruction from payments where run_id = $1`,
        [runId],
      );
    const before = (await kept()).rows;
    const lookAlikeKeys = async (): Promise<number> =>
      (
        await database.query('select from look_alike_keys join payments using (account, name_hash) where run_id = $1', [
          runId,
        ])
      ).rows.length;
    expect(await lookAlikeKeys()).toBeGreaterThan(0);
    const { rows: backup } = await database.query<{ encrypted: Buffer }>(
      'select encrypted from payments where run_id = $1',
      [runId],
    );
    expect(await instructionsOf(database, 'run_id = $1', [runId])).toMatchObject([{ paymentReference: 'Lindqvist 7' }]);

    const { change } = await propose(ada, runId);
    expect(change).toMatchObject({ state: 'pending', takesEffectAt: null });
    expect((await propose(ada, runId)).change?.changeId).toBe(change?.changeId);
    await expect(confirm(ada, change?.changeId ?? '')).rejects.toMatchObject(refusedWith('not_allowed'));
    expect(await instructionsOf(database, 'run_id = $1', [runId])).toHaveLength(1);
    await expect(confirm(ben, change?.changeId ?? '')).resolves.toBeDefined();

    expect(await instructionsOf(database, 'run_id = $1', [runId])).toEqual([]);
    expect(await readFile(asServer, await payeesIn(asServer), runId, FILE.name)).toBeNull();
    expect(await listFiles(asServer, runId)).toMatchObject([{ name: FILE.name, sizeBytes: FILE.bytes.byteLength }]);
    expect((await kept()).rows).toEqual(before);
    expect(await lookAlikeKeys()).toBe(0);
    expect((await readRun(asServer, runId))?.erasedAt).toBeInstanceOf(Date);
    expect(linesWith(await plainColumns(database), 'Lindqvist')).toEqual([]);
    const { rows: entries } = await database.query(
      `select actor from audit_entries where run_id = $1 and kind = 'run_erased'`,
      [runId],
    );
    expect(entries).toEqual([{ actor: ada.userId }]);

    // With a backup of the row alone nobody reads it: its key is gone.
    await bypassTriggers(database, 'update payments set encrypted = $2 where payment_id = $1', [
      paymentId,
      backup[0]?.encrypted,
    ]);
    await expect(instructionsOf(database, 'run_id = $1', [runId])).rejects.toThrow(RunKeyMissing);
    await expect(propose(ada, runId)).rejects.toThrow('is erased already');
  });

  test('is erased by two administrators while payrun is being set up, too', async () => {
    const fresh = await createTestDatabase();
    onTestFinished(() => fresh.drop());
    const first = await aUser(fresh, 'Ada', 'administrator');
    const { runId } = await aStoredRun(fresh.database);
    await bypassTriggers(
      fresh.database,
      `update runs set state = 'expired', finished_at = now() - interval '10 years' where run_id = $1`,
      [runId],
    );
    const { change } = await eraseRunAs(fresh.asServer, first.tokenHash, runId);
    expect(change?.state).toBe('pending');
  });

  test('is kept as long as the policy says', async () => {
    const { runId } = await anEndedRun('100 days');
    await expect(propose(ada, runId)).rejects.toThrow('is to be kept until');
    const policy = {
      rules: [],
      changes: { delayHours: 0 },
      retention: { decidedDays: 1, otherDays: 0, payeesDays: 90 },
    };
    await testDatabase.database.query('insert into policies (policy) values ($1)', [JSON.stringify(policy)]);
    // Whatever delay the policy sets: it never takes effect by time.
    expect((await propose(ada, runId)).change).toMatchObject({ state: 'pending', takesEffectAt: null });
    await testDatabase.database.query('insert into policies (policy) values ($1)', [
      JSON.stringify({ ...policy, retention: { ...policy.retention, payeesDays: 0 } }),
    ]);
    await expect(propose(ada, (await anEndedRun('59 days')).runId)).rejects.toThrow('may still come back');
  });

  test.each([
    [
      'a row is unknown',
      `update payments set state = 'unknown' where run_id = $1`,
      'the outcome of a row is not known',
    ],
    [
      'a row is in flight',
      `update payments set state = 'processing' where run_id = $1`,
      'the outcome of a row is not known',
    ],
    [
      'an outcome is proposed',
      `insert into payment_manual_outcomes (payment_id, resolved_as, reason, evidence_hash, proposed_by)
       select payment_id, 'failed', 'x', 'x', submitted_by from payments join runs using (run_id) where run_id = $1`,
      'an outcome of a row is proposed',
    ],
    [
      'a request has no outcome',
      `insert into provider_requests (account, payment_id, attempt, operation, non_idempotent)
       select account, payment_id, 1, 'fund', true from payments where run_id = $1`,
      'the outcome of a request',
    ],
    [
      'a payment is looked for whose creation was not seen',
      `with sent as (insert into provider_requests (account, payment_id, attempt, operation, non_idempotent, outcome, answered_at)
         select account, payment_id, 1, 'create', true, 'not_seen', now() from payments where run_id = $1)
       update payments set state = 'cancelled', error_code = 'resolved_never_created', ended_at = now() - interval '6 days' where run_id = $1`,
      'is still looked for',
    ],
    ...['failed', 'rejected'].map((outcome): [string, string, string] => [
      `a payment is read that people called ${outcome}`,
      `update payments set state = '${outcome}', error_code = 'resolved_${outcome}', provider_payment_id = payment_id::text,
         ended_at = now() - interval '6 days' where run_id = $1`,
      'is still looked for',
    ]),
    [
      'the run has not ended',
      `update runs set state = 'running', finished_at = null where run_id = $1`,
      'the run is running',
    ],
  ])('is not erased while %s, and not by a proposal of before', async (_what, statement, message) => {
    const { runId } = await anEndedRun();
    const { change } = await propose(ada, runId);
    await bypassTriggers(testDatabase.database, statement, [runId]);
    await expect(propose(ada, runId)).rejects.toThrow(message);
    await expect(confirm(ben, change?.changeId ?? '')).rejects.toThrow('it is replaced: propose it again');
    expect(await instructionsOf(testDatabase.database, 'run_id = $1', [runId])).toHaveLength(1);
  });

  test('is not erased by a change that only names the run', async () => {
    const { runId } = await anEndedRun();
    const detail = { run: runId };
    await expect(
      proposeChangeAs(testDatabase.asServer, ada.tokenHash, { kind: 'erase_run', userId: null, detail } as never),
    ).rejects.toMatchObject(refusedWith('invalid_input'));
    expect(
      await listChanges(testDatabase.asServer, { pendingOnly: true, limit: 100, accounts: null }),
    ).not.toContainEqual(expect.objectContaining({ detail }));
  });

  test('is emptied by nobody while its key is there', async () => {
    const { runId } = await anEndedRun();
    for (const login of [testDatabase.asServer, testDatabase.asWorker]) {
      await expect(login.query('update payments set encrypted = null where run_id = $1', [runId])).rejects.toThrow();
      await expect(login.query('delete from run_keys where run_id = $1', [runId])).rejects.toThrow('permission denied');
    }
    await expect(
      testDatabase.database.query('update payments set encrypted = null where run_id = $1', [runId]),
    ).rejects.toThrow('an edit is a new row');
    await erase(runId);
  });
});

describe('when the data key is gone for good', () => {
  const STATEMENTS = [
    ...(readPage('docs/personal-data.md').split('### If it is lost')[1] ?? '').matchAll(/-c (['"])(.+?)\1/g),
  ].map(([, , statement = '']) => statement);

  test('a new secret is made only after the owner has erased what nobody can read, by the commands of the page', async () => {
    const { database, asServer } = testDatabase;
    await anEndedRun();
    const current = aDataKey('another');
    // As after a restore without the keys.
    await database.query('delete from run_keys');
    await database.query('delete from data_secrets');
    await expect(openPayeeData(asServer, { current, all: [current] })).rejects.toThrow(
      'restore it with the keys of the runs',
    );
    expect(STATEMENTS).toHaveLength(11);
    for (const statement of STATEMENTS) await database.query(statement);
    const payees = await openPayeeData(asServer, { current, all: [current] });
    expect(payees.newRunKey('a-run').stored.wrappedBy).toBe(current.id);
    const { rows } = await database.query('select from runs where erased_at is null');
    expect(rows).toEqual([]);
  });
});
