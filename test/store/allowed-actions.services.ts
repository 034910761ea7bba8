import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdentifiedKind } from '../../api/approvals/action-target.ts';
import { readStepStates } from '../../store/approvals/approval-steps.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import { stopPaymentsAs } from '../../store/approvals/stops.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { aStoredOrder } from './a-stored-order.ts';
import { anApprovedRun, putInto } from './a-stored-run.ts';
import { askedFor, contentOfTables, done as doneAs } from './asked-actions.ts';
import { OTHER } from './limited-users.ts';
import { RunsInApproval } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let everybody: TestUser[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  const viewer = await aUser(testDatabase, 'Vic Viewer', 'viewer');
  const admin = await aUser(testDatabase, 'Ada Admin', 'administrator');
  const treasurer = await aUser(testDatabase, 'Tess', 'treasurer');
  everybody = [runs.chris, runs.sam, viewer, admin, treasurer];
});
afterAll(() => testDatabase.drop());

const asked = (user: TestUser, kind: IdentifiedKind, id: string) => askedFor(testDatabase, user, { kind, id });

const done = (user: TestUser, statement: string, ...values: unknown[]) =>
  doneAs(testDatabase, user, statement, ...values);

async function doneToRun(user: TestUser, runId: string): Promise<Record<string, string | null>> {
  const hash = await readContentHash(testDatabase.asServer, runId);
  return {
    approve: await done(user, `decide_run($1, $2, 'approved', $3, null)`, runId, hash),
    reject: await done(user, `decide_run($1, $2, 'rejected', $3, null)`, runId, hash),
    release: await done(user, `release_rows($1, $2, '{}', 'x', 'x')`, runId),
    send: await done(user, 'send_run($1, $2, $3)', runId, hash),
    withdraw: await done(user, 'withdraw_run($1, $2, null)', runId),
    stop: await done(user, `stop_payments($1, 'run', $2, null, null)`, runId),
    cancel: await done(user, 'cancel_run($1, $2, null)', runId),
    erase: await done(user, 'erase_run($1, $2)', runId),
  };
}

describe('what a user may do with a run', () => {
  test.each(['in_approval', 'running', 'stopped', 'completed'] as const)(
    'is what happens when they do it: %s',
    async (state) => {
      const { runId, paymentIds } =
        state === 'in_approval' ? await runs.aRun(2) : await anApprovedRun(testDatabase.database, 2);
      if (state === 'stopped') {
        await stopPaymentsAs(testDatabase.asServer, runs.chris.tokenHash, { scope: 'run', runId }, null);
      }
      if (state === 'completed') {
        for (const id of paymentIds) await putInto(testDatabase.database, id, 'paid');
        await testDatabase.database.query(`update runs set state = 'completed' where run_id = $1`, [runId]);
      }
      for (const user of everybody) {
        expect([user.name, await asked(user, 'run', runId)]).toEqual([user.name, await doneToRun(user, runId)]);
      }
    },
  );

  test('depends on the policy: a step of others, and a step that one has taken', async () => {
    await runs.follow({
      rules: [{ name: 'two', when: {}, steps: [{ logins: ['chris'] }, { logins: ['sam'] }] }],
    });
    const { runId } = await runs.aRun(1);
    expect(await asked(runs.sam, 'run', runId)).toMatchObject({ approve: 'not_allowed', reject: null });
    expect(await asked(runs.chris, 'run', runId)).toMatchObject({ approve: null });
    await runs.decide(runs.chris, runId);
    for (const user of [runs.chris, runs.sam]) {
      expect(await asked(user, 'run', runId)).toEqual(await doneToRun(user, runId));
    }
    expect(await asked(runs.sam, 'run', runId)).toMatchObject({ approve: null });
    const contentHash = await readContentHash(testDatabase.asServer, runId);
    const steps = [{ logins: ['chris'] }, { logins: ['sam'] }];
    expect(await readStepStates(testDatabase.asServer, { runId, contentHash, steps })).toMatchObject([
      { step: 1, takenBy: { name: 'Chris' }, people: [] },
      { step: 2, takenBy: null, people: [{ name: 'Sam' }] },
    ]);
    await runs.follow({ rules: [{ name: 'one', when: {}, steps: [{ role: 'checker' }] }] });
  });

  test('is not told of a run of another account, and to nobody who is signed out', async () => {
    const { runId } = await runs.aRun(1);
    const limited = await aUser(testDatabase, 'Lea Limited', 'checker');
    await limitTo(testDatabase.database, limited, OTHER);
    expect(await asked(limited, 'run', runId)).toBeNull();
    await testDatabase.database.query('delete from user_accounts where user_id = $1', [limited.userId]);
    expect(await asked(limited, 'run', runId)).toMatchObject({ approve: null });
    await testDatabase.database.query('update api_tokens set revoked_at = now() where user_id = $1', [limited.userId]);
    expect(await asked(limited, 'run', runId)).toBeNull();
  });

  test('is answered while somebody else is changing the run', async () => {
    const { runId } = await runs.aRun(1);
    const connection = await testDatabase.database.connect();
    try {
      await connection.query('begin');
      await connection.query('select from runs where run_id = $1 for update', [runId]);
      expect(await asked(runs.chris, 'run', runId)).toMatchObject({ approve: 'conflict', stop: 'conflict' });
    } finally {
      await connection.query('rollback');
      connection.release();
    }
    expect(await asked(runs.chris, 'run', runId)).toMatchObject({ approve: null });
  });
});

describe('what a user may do with a row or an order', () => {
  test('is what happens when they do it: an unknown row', async () => {
    const { runId, paymentIds } = await anApprovedRun(testDatabase.database, 1);
    const [paymentId = ''] = paymentIds;
    await putInto(testDatabase.database, paymentId, 'unknown');
    expect(await asked(runs.chris, 'row', paymentId)).toEqual({
      release: 'conflict',
      proposeManualOutcome: null,
      confirmManualOutcome: 'not_found',
      rejectManualOutcome: 'not_found',
    });
    const { rows } = await testDatabase.asServer.query<{ answer: { manualOutcomeId: string } }>(
      `select propose_manual_outcome($1, $2, 'failed', null, 'x', 'x') as answer`,
      [runs.chris.tokenHash.bytes, paymentId],
    );
    expect(rows[0]?.answer.manualOutcomeId).toBeDefined();
    expect(await asked(runs.chris, 'row', paymentId)).toMatchObject({
      proposeManualOutcome: 'conflict',
      confirmManualOutcome: 'not_allowed',
      rejectManualOutcome: null,
    });
    expect(await asked(runs.sam, 'row', paymentId)).toMatchObject({ confirmManualOutcome: null });
    expect(runId).toBeDefined();
  });

  test('is what happens when they do it: an order that waits for a decision', async () => {
    const [, , , , treasurer] = everybody;
    if (treasurer === undefined) throw new Error('there is no treasurer');
    const { orderId } = await aStoredOrder(testDatabase, treasurer, 'in_approval');
    expect(await asked(treasurer, 'order', orderId)).toMatchObject({ approve: 'not_allowed', withdraw: null });
    expect(await asked(runs.chris, 'order', orderId)).toMatchObject({
      approve: null,
      reject: null,
      withdraw: 'not_allowed',
      release: 'conflict',
      proposeManualOutcome: 'not_allowed',
    });
  });
});

test('asking leaves nothing behind, not even in the audit trail', async () => {
  const { runId, paymentIds } = await anApprovedRun(testDatabase.database, 2);
  await putInto(testDatabase.database, paymentIds[0] ?? '', 'unknown');
  const { orderId } = await aStoredOrder(testDatabase, everybody[4] ?? runs.chris, 'in_approval');
  const waiting = await runs.aRun(2);
  const before = await contentOfTables(testDatabase);
  for (const user of everybody) {
    await asked(user, 'run', runId);
    await asked(user, 'run', waiting.runId);
    await asked(user, 'row', paymentIds[0] ?? '');
    await asked(user, 'order', orderId);
  }
  expect(await contentOfTables(testDatabase)).toEqual(before);
});
