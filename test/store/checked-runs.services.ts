import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openForDecisionActivity } from '../../activities/approvals/read-decision.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import { sendRunAs, withdrawRunAs } from '../../store/approvals/run-decisions.ts';
import { transitionRun } from '../../store/runs/run-transition.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { aCheckedRun, aStoredRun } from './a-stored-run.ts';
import { askedFor } from './asked-actions.ts';
import { OTHER } from './limited-users.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';

/** A run that its maker wanted checked only is decided on by nobody until they send it. */

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let mia: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  await runs.follow({});
  mia = await aUser(testDatabase, 'Mia', 'maker');
});
afterAll(() => testDatabase.drop());

async function aRunOfMia(): Promise<string> {
  const { runId } = await aCheckedRun(testDatabase.database);
  await testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [runId, mia.userId]);
  return runId;
}

async function send(runId: string, by = mia, contentHash?: string): Promise<void> {
  const seen = contentHash ?? (await readContentHash(testDatabase.asServer, runId));
  await sendRunAs(testDatabase.asServer, by.tokenHash, runId, seen);
}

describe('a run that is checked only', () => {
  test('is decided on by nobody before its maker has sent it', async () => {
    const runId = await aRunOfMia();
    for (const kind of ['approved', 'rejected'] as const) {
      await expect(runs.decide(runs.chris, runId, kind)).rejects.toMatchObject(refusedWith('conflict'));
    }
    await send(runId);
    await runs.decide(runs.chris, runId);
    expect(await runs.stateOf(runId)).toBe('running');
  });

  test('is sent by its maker alone', async () => {
    const runId = await aRunOfMia();
    const max = await aUser(testDatabase, 'Max', 'maker');
    await expect(send(runId, max)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect(await runs.stateOf(runId)).toBe('checked');
    expect((await runs.refusalsOf(runId)).map(({ why }) => why)).toEqual(['not_the_maker']);
  });

  test('is not sent by a maker who may no longer use its account', async () => {
    const runId = await aRunOfMia();
    const limited = await aUser(testDatabase, 'Lim', 'maker');
    await testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [runId, limited.userId]);
    await limitTo(testDatabase.database, limited, OTHER);
    await expect(send(runId, limited)).rejects.toMatchObject(refusedWith('not_found'));
    expect(await runs.stateOf(runId)).toBe('checked');
  });

  test('is sent with the content that its maker saw', async () => {
    const runId = await aRunOfMia();
    await expect(send(runId, mia, 'f'.repeat(64))).rejects.toMatchObject(refusedWith('conflict'));
    expect(await runs.stateOf(runId)).toBe('checked');
  });

  test('is not opened for a decision by a worker, who cannot say either that its maker has sent it', async () => {
    const runId = await aRunOfMia();
    await expect(transitionRun(testDatabase.asWorker, runId, { to: 'in_approval' })).rejects.toThrow(
      'check constraint',
    );
    for (const process of [testDatabase.asWorker, testDatabase.asServer]) {
      const said = process.query('update runs set waits_for_maker = false where run_id = $1', [runId]);
      await expect(said).rejects.toThrow('permission denied');
    }
    expect(await runs.stateOf(runId)).toBe('checked');
  });

  test('is sent once, while it waits for its maker, and then has the whole time to be decided on', async () => {
    const runId = await aRunOfMia();
    await testDatabase.database.query(`update runs set opened_at = opened_at - interval '1 day' where run_id = $1`, [
      runId,
    ]);
    await send(runId);
    const { rows } = await testDatabase.database.query(
      `select opened_at > now() - interval '1 hour' as again, waits_for_maker, proposal_is_stale from runs where run_id = $1`,
      [runId],
    );
    expect(rows).toEqual([{ again: true, waits_for_maker: false, proposal_is_stale: true }]);
    await expect(send(runId)).rejects.toMatchObject(refusedWith('conflict'));
    const unchecked = await aStoredRun(testDatabase.database, 1, undefined, [], true);
    await testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [
      unchecked.runId,
      mia.userId,
    ]);
    await expect(send(unchecked.runId)).rejects.toThrow('still being checked');
  });

  test('is withdrawn by its maker, who may send it as well; others may do neither', async () => {
    const runId = await aRunOfMia();
    const may = (by: TestUser) => askedFor(testDatabase, by, { kind: 'run', id: runId });
    expect(await may(mia)).toMatchObject({ send: null, withdraw: null });
    expect(await may(runs.chris)).toMatchObject({ send: 'not_allowed', approve: 'conflict', reject: 'conflict' });
    await withdrawRunAs(testDatabase.asServer, mia.tokenHash, runId, null);
    expect(await runs.stateOf(runId)).toBe('cancelled');
    await expect(send(runId)).rejects.toMatchObject(refusedWith('conflict'));
  });

  test('stays with its maker when a lost workflow is replaced, and with the checkers once it was sent', async () => {
    const open = openForDecisionActivity({ database: testDatabase.asWorker } as ActivityDependencies);
    const runId = await aRunOfMia();
    expect(await open({ runId })).toEqual({ state: 'checked' });
    expect(await runs.stateOf(runId)).toBe('checked');
    await send(runId);
    expect(await open({ runId })).toEqual({ state: 'in_approval' });
    expect(await runs.stateOf(runId)).toBe('in_approval');
  });
});
