import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSentences } from '../../domain/runs/run-sentences.ts';
import { askForActions } from '../../store/approvals/allowed-actions.ts';
import { listDecisions, withdrawRunAs } from '../../store/approvals/run-decisions.ts';
import { cancelRunAs, stopPaymentsAs } from '../../store/approvals/stops.ts';
import { listWaiting } from '../../store/inbox/waiting-items.ts';
import { readFacts } from '../../store/notifications/read-facts.ts';
import { transitionRun } from '../../store/runs/run-transition.ts';
import { readRun } from '../../store/runs/runs.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';

/** What is recorded of who decided on a run, and what is said of it to people and to the endpoints of notifications. */

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let mia: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  mia = await aUser(testDatabase, 'Mia', 'maker');
  await runs.follow({});
});
afterAll(() => testDatabase.drop());

/** A run of Mia's, which waits for approval. As the owner: no user can change the maker of a run. */
async function aRunOfMia(): Promise<string> {
  const { runId } = await runs.aRun();
  await testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [runId, mia.userId]);
  return runId;
}

const decisionsOf = async (runId: string) =>
  (await listDecisions(testDatabase.asServer, runId)).map(({ decision, by, actsFor, comment }) => [
    decision,
    by.name,
    actsFor?.name ?? null,
    comment,
  ]);

/** To endpoints, as a worker reads it. */
const statusOf = async (runId: string) =>
  ((await readFacts(testDatabase.asWorker, 'run', runId))?.data as { status: string } | undefined)?.status;

describe('who ended a run', () => {
  test('is who cancelled it, with what they wrote, and not who had approved it', async () => {
    const runId = await aRunOfMia();
    await runs.decide(runs.chris, runId);
    await stopPaymentsAs(testDatabase.asServer, mia.tokenHash, { scope: 'run', runId }, null);
    await cancelRunAs(testDatabase.asServer, mia.tokenHash, runId, 'the wrong month');
    expect(await statusOf(runId)).toContain('The run is stopped');
    await transitionRun(testDatabase.asWorker, runId, { to: 'cancelled', finished: true });
    expect(await decisionsOf(runId)).toEqual([
      ['approved', 'Chris', null, null],
      ['cancelled', 'Mia', null, 'the wrong month'],
    ]);
    expect(await statusOf(runId)).toBe('Cancelled by Mia. 0 of 1 row is paid.');
  });

  test('is its maker, or who rejected it; endpoints are not told what they wrote', async () => {
    const withdrawn = await aRunOfMia();
    await withdrawRunAs(testDatabase.asServer, mia.tokenHash, withdrawn, null);
    expect(await statusOf(withdrawn)).toBe('Withdrawn by Mia. Nothing was paid.');
    const rejected = await aRunOfMia();
    await runs.decide(runs.chris, rejected, 'rejected', 'not agreed');
    expect(await decisionsOf(rejected)).toEqual([['rejected', 'Chris', null, 'not agreed']]);
    const facts = await readFacts(testDatabase.asWorker, 'run', rejected);
    expect(facts?.data).toMatchObject({ status: 'Rejected by Chris. Nothing was paid.' });
    expect(JSON.stringify(facts)).not.toContain('not agreed');
  });
});

test('a deputy is shown with the user for whom they approved', async () => {
  const runId = await aRunOfMia();
  const sign = { name: 'all', when: {}, steps: [{ logins: ['sam'] }] };
  const acting = { deputy: 'chris', for: 'sam', from: '2020-01-01', until: '2099-12-31' };
  await runs.follow({ rules: [sign], deputies: [acting] });
  await runs.decide(runs.chris, runId);
  await runs.follow({});
  expect(await decisionsOf(runId)).toEqual([['approved', 'Chris', 'Sam', null]]);
});

describe('a run without a row that can be paid', () => {
  test('needs a release or an end, and no other policy', async () => {
    const runId = await aRunOfMia();
    await bypassTriggers(testDatabase.database, `update payments set state = 'held' where run_id = $1`, [runId]);
    const message = 'no row of this run can be paid: release suspected duplicates first, or reject it';
    await expect(runs.decide(runs.chris, runId)).rejects.toMatchObject({ ...refusedWith('conflict'), message });
    const asked = { kind: 'run', id: runId, actions: ['approve'], given: [] };
    const answers = await askForActions(testDatabase.asServer, runs.chris.tokenHash, asked);
    expect(answers?.['approve']).toMatchObject({ message });
    const run = await readRun(testDatabase.asServer, runId);
    const { toDo } = runSentences({ ...run!, isApproved: false, payable: 0, stops: [] });
    expect(toDo).toBe('No row of it can be paid: its maker withdraws it, or a checker rejects it.');
  });
});

describe('a maker whose run was not approved', () => {
  const waitingFor = async (maker: string): Promise<string[]> => {
    const page = { accounts: null, limit: 100, endedAfter: new Date(0), seenBefore: new Date(), maker };
    return (await listWaiting(testDatabase.asServer, 'own_unapproved_runs', page)).map(({ id }) => id);
  };

  test('is told so, and nobody else, until it is submitted again', async () => {
    const runId = await aRunOfMia();
    expect(await waitingFor(mia.userId)).not.toContain(runId);
    await runs.decide(runs.chris, runId, 'rejected', 'not agreed');
    expect(await waitingFor(mia.userId)).toContain(runId);
    expect(await waitingFor(runs.chris.userId)).not.toContain(runId);
    const again = await aRunOfMia();
    await bypassTriggers(
      testDatabase.database,
      'update payments set row_ref = (select row_ref from payments first where first.run_id = $2 limit 1) where run_id = $1',
      [again, runId],
    );
    expect(await waitingFor(mia.userId)).not.toContain(runId);
  });
});
