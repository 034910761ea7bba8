import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { summaryOf } from '../../application/approvals/stop-payments.ts';
import {
  cancelRunAs,
  cancelUnsent,
  isStopped,
  listStops,
  stopPaymentsAs,
  type StopScope,
  liftStopAs,
} from '../../store/approvals/stops.ts';
import { beginRequest, readApproval } from '../../store/payments/payment-requests.ts';
import { mayHaveBeenCreated } from '../../store/payments/request-history.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { readRunApproval } from '../../store/approvals/run-approval.ts';
import { readRun } from '../../store/runs/runs.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { liftInStore } from '../helpers/lifting-stops.ts';
import { createTestDatabase, type TestDatabase, untilWaiting } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { ACCOUNT, anApprovedRun, putInto } from './a-stored-run.ts';
import { refusedWith } from './runs-in-approval.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';

const TODAY = '2026-01-31';

let testDatabase: TestDatabase;
let mia: TestUser;
let max: TestUser;
let chris: TestUser;
let sam: TestUser;
let ada: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  mia = await aUser(testDatabase, 'Mia', 'maker');
  max = await aUser(testDatabase, 'Max', 'maker');
  chris = await aUser(testDatabase, 'Chris', 'checker');
  sam = await aUser(testDatabase, 'Sam', 'checker');
  ada = await aUser(testDatabase, 'Ada', 'administrator');
});
afterAll(() => testDatabase.drop());
// A stop of one test applies to the runs of the others.
beforeEach(() =>
  testDatabase.database.query('update stops set lifted_at = now() where lifted_at is null and run_id is null'),
);

const stop = async (by: TestUser, of: StopScope) =>
  (await stopPaymentsAs(testDatabase.asServer, by.tokenHash, of, null)).stopId;
const lift = async (by: TestUser, stopId: string) => (await liftInStore(testDatabase, by, stopId)).state;

async function aStoppedRun(): Promise<{ runId: string; paymentId: string; stopId: string }> {
  const { runId, paymentIds } = await anApprovedRun(testDatabase.database);
  return { runId, paymentId: paymentIds[0] ?? '', stopId: await stop(chris, { scope: 'run', runId }) };
}

/** As the owner: no user can change the maker of a run. */
async function madeBy(user: TestUser, runId: string): Promise<void> {
  await testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [runId, user.userId]);
}

const STOPS: [what: string, of: (runId: string) => StopScope, reachesOthers: boolean][] = [
  ['of a run', (runId) => ({ scope: 'run', runId }), false],
  ['of an account', () => ({ scope: 'account', account: ACCOUNT }), true],
  ['of everything', () => ({ scope: 'all' }), true],
];

describe.each(STOPS)('a stop %s', (_what, of, reachesOthers) => {
  test('applies to its scope until it is lifted', async () => {
    const { asWorker, database } = testDatabase;
    const [{ runId }, other] = [await anApprovedRun(database), await anApprovedRun(database)];
    expect(await isStopped(asWorker, ACCOUNT, runId)).toBe(false);
    const stopId = await stop(ada, of(runId));
    expect(await isStopped(asWorker, ACCOUNT, runId)).toBe(true);
    expect(await isStopped(asWorker, ACCOUNT, other.runId)).toBe(reachesOthers);
    expect(await isStopped(asWorker, 'another', other.runId)).toBe(of(runId).scope === 'all');
    await lift(mia, stopId);
    expect(await isStopped(asWorker, ACCOUNT, runId)).toBe(true);
    await lift(sam, stopId);
    expect(await isStopped(asWorker, ACCOUNT, runId)).toBe(false);
  });

  test.each([
    ['quote', 'ready'],
    ['create', 'quoted'],
    ['fund', 'created'],
  ] as const)('keeps the request to %s from being begun', async (operation, state) => {
    const { asWorker, database } = testDatabase;
    const { runId, paymentIds } = await anApprovedRun(database);
    const paymentId = paymentIds[0] ?? '';
    await putInto(database, paymentId, state);
    await stop(chris, of(runId));
    const begun = await beginRequest(asWorker, {
      paymentId,
      operation,
      whileIn: [state],
      at: new Date(TODAY),
      dataKeys: TEST_KEY_IDS,
    });
    expect(begun).toMatchObject({ requestId: null, isStopped: true, approved: { files: {} } });
    const { rows } = await database.query('select from provider_requests where payment_id = $1', [paymentId]);
    expect(rows).toEqual([]);
    expect((await readApproval(asWorker, { paymentId, at: new Date(TODAY), dataKeys: TEST_KEY_IDS })).isStopped).toBe(
      true,
    );
    expect((await readRunApproval(asWorker, runId)).isStopped).toBe(true);
  });
});

describe('a stop', () => {
  test('needs a known account', async () => {
    await anApprovedRun(testDatabase.database);
    const mistyped = stop(ada, { scope: 'account', account: 'Default' });
    await expect(mistyped).rejects.toMatchObject(refusedWith('not_found'));
    await expect(mistyped).rejects.toThrow('there is no account "Default"; there is "default"');
    await testDatabase.database.query(
      `insert into provider_accounts (account, api_address, access_key, is_sandbox) values ('new', 'x', 'x', true)`,
    );
    await stop(ada, { scope: 'account', account: 'new' });
  });

  test.each(STOPS)('%s made while another is lifted stays in force', async (_what, of) => {
    const { database, serverUrl, asWorker } = testDatabase;
    const { runId } = await anApprovedRun(database);
    const stopId = await stop(ada, of(runId));
    await lift(mia, stopId);
    const connection = new pg.Client({ connectionString: serverUrl });
    await connection.connect();
    try {
      await connection.query('begin');
      await connection.query('select lift_stop($1, $2, $3)', [sam.tokenHash.bytes, stopId, mia.userId]);
      const made = stop(chris, of(runId));
      await untilWaiting(database);
      await connection.query('commit');
      expect(await made).not.toBe(stopId);
      expect(await isStopped(asWorker, ACCOUNT, runId)).toBe(true);
    } finally {
      await connection.end();
    }
  });
});

describe('a stop is lifted', () => {
  test('by somebody else than its requester', async () => {
    const { stopId } = await aStoppedRun();
    expect(await lift(sam, stopId)).toBe('lift_requested');
    await expect(lift(sam, stopId)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect(await lift(chris, stopId)).toBe('lifted');
  });

  test('by a checker', async () => {
    const { stopId } = await aStoppedRun();
    expect(await lift(mia, stopId)).toBe('lift_requested');
    await expect(lift(max, stopId)).rejects.toMatchObject(refusedWith('not_allowed'));
  });

  test('by a checker who requested it first, after a maker has requested it as well', async () => {
    const { stopId } = await aStoppedRun();
    expect(await lift(sam, stopId)).toBe('lift_requested');
    expect(await lift(mia, stopId)).toBe('lift_requested');
    await expect(lift(mia, stopId)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect(await lift(sam, stopId)).toBe('lifted');
  });

  test('not by the maker of the run', async () => {
    const { runId, stopId } = await aStoppedRun();
    await madeBy(sam, runId);
    expect(await lift(mia, stopId)).toBe('lift_requested');
    await expect(lift(sam, stopId)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect((await readRun(testDatabase.database, runId))?.state).toBe('paused');
  });

  test.each([
    ['was disabled', 'update users set disabled_at = now() where user_id = $1'],
    ['lost the role', 'delete from user_roles where user_id = $1'],
  ])('by two users who may: the request of a user who %s since does not count', async (_what, statement) => {
    const { stopId } = await aStoppedRun();
    const gone = await aUser(testDatabase, 'Gone', 'maker');
    expect(await lift(gone, stopId)).toBe('lift_requested');
    await testDatabase.database.query(statement, [gone.userId]);
    expect(await lift(chris, stopId)).toBe('lift_requested');
    await expect(lift(chris, stopId)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect(await lift(sam, stopId)).toBe('lifted');
  });

  test.each(STOPS.slice(1))('%s not by a user whose run would continue', async (_what, of) => {
    const { database } = testDatabase;
    const both = await aUser(testDatabase, 'Both', 'maker', 'checker');
    const { runId } = await anApprovedRun(database);
    const stopId = await stop(ada, of(runId));
    await lift(mia, stopId);
    for (const state of ['running', 'paused', 'scheduled', 'awaiting_funds']) {
      await bypassTriggers(database, 'update runs set state = $2, submitted_by = $3 where run_id = $1', [
        runId,
        state,
        both.userId,
      ]);
      await expect(lift(both, stopId)).rejects.toMatchObject(refusedWith('not_allowed'));
    }
    await bypassTriggers(database, `update runs set state = 'completed' where run_id = $1`, [runId]);
    expect(await lift(both, stopId)).toBe('lifted');
  });

  test('by two people who request it after it was made again', async () => {
    const { runId, stopId } = await aStoppedRun();
    expect(await lift(mia, stopId)).toBe('lift_requested');
    expect(await stop(ada, { scope: 'run', runId })).toBe(stopId);
    expect(await lift(sam, stopId)).toBe('lift_requested');
  });

  test('by nobody who saw it before somebody asked for it, or before that was taken back', async () => {
    const { runId, stopId } = await aStoppedRun();
    const liftAsSeen = async (by: TestUser, askedBy: string | null) =>
      (await liftStopAs(testDatabase.asServer, by.tokenHash, { stopId, askedBy })).state;
    expect(await liftAsSeen(mia, null)).toBe('lift_requested');
    await expect(liftAsSeen(sam, null)).rejects.toMatchObject(refusedWith('conflict'));
    await expect(liftAsSeen(sam, chris.userId)).rejects.toMatchObject(refusedWith('conflict'));
    await stop(ada, { scope: 'run', runId });
    await expect(liftAsSeen(sam, mia.userId)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await isStopped(testDatabase.asWorker, ACCOUNT, runId)).toBe(true);
    expect(await liftAsSeen(mia, null)).toBe('lift_requested');
    expect(await liftAsSeen(sam, mia.userId)).toBe('lifted');
  });

  // Who watches the run is told of it, also where its state was not read in between.
  test('shown as another request when the same user asks again after it was taken back', async () => {
    const { runId, stopId } = await aStoppedRun();
    const shown = async () => (await listStops(testDatabase.database, { runId, accounts: null })).map(summaryOf)[0];
    await lift(mia, stopId);
    const first = await shown();
    await stop(ada, { scope: 'run', runId });
    expect(await shown()).toMatchObject({ liftRequestedBy: null, liftRequestedAt: null });
    await lift(mia, stopId);
    const second = await shown();
    expect(second?.liftRequestedBy).toEqual(first?.liftRequestedBy);
    expect(second).not.toEqual(first);
  });

  test('never after its run was cancelled', async () => {
    const { runId, stopId } = await aStoppedRun();
    await cancelRunAs(testDatabase.asServer, chris.tokenHash, runId, null);
    await expect(lift(mia, stopId)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await isStopped(testDatabase.asWorker, ACCOUNT, runId)).toBe(true);
  });

  test('by two different people, as the table enforces', async () => {
    const { stopId } = await aStoppedRun();
    const byOne = `update stops set lift_asked_by = $2, lifted_by = $2, lifted_at = now() where stop_id = $1`;
    const forged = testDatabase.database.query(byOne, [stopId, sam.userId]);
    await expect(forged).rejects.toThrow('lifted_by_two');
  });
});

describe('a run is cancelled', () => {
  test('when it is stopped', async () => {
    const { runId, paymentIds } = await anApprovedRun(testDatabase.database);
    const cancelled = cancelRunAs(testDatabase.asServer, chris.tokenHash, runId, null);
    await expect(cancelled).rejects.toMatchObject(refusedWith('conflict'));
    expect((await readPayment(testDatabase.database, paymentIds[0] ?? '')).state).toBe('ready');
  });

  test('by people: a worker cannot end rows of other runs', async () => {
    const { runId, paymentId } = await aStoppedRun();
    expect(await cancelUnsent(testDatabase.asWorker, runId)).toBe(0);
    expect((await readPayment(testDatabase.database, paymentId)).state).toBe('ready');
    await cancelRunAs(testDatabase.asServer, mia.tokenHash, runId, null);
    expect((await readPayment(testDatabase.database, paymentId)).state).toBe('cancelled');
  });
});

describe('a row of a cancelled run', () => {
  test.each([
    ['quoted', 'duplicate_reference', 'unknown', 'creation_uncertain'],
    ['held', 'duplicate_reference', 'unknown', 'creation_uncertain'],
    ['ready', 'duplicate_reference', 'unknown', 'creation_uncertain'],
    ['quoted', 'refused', 'cancelled', 'run_cancelled'],
    ['quoted', 'unknown_outcome', 'unknown', 'creation_uncertain'],
    ['created', 'duplicate_reference', 'unknown', 'created_not_funded'],
  ] as const)('that is %s with a creation answered %s is %s (%s)', async (state, answer, ended, code) => {
    const { database, asServer } = testDatabase;
    const { runId, paymentId } = await aStoppedRun();
    await putInto(database, paymentId, state);
    await database.query(
      `insert into provider_requests (account, payment_id, attempt, operation, non_idempotent, answered_at, outcome, answer)
       values ($1, $2, 1, 'create', true, now(), $4, $3)`,
      [ACCOUNT, paymentId, answer, answer === 'refused' ? 'refused' : 'not_seen'],
    );
    await cancelRunAs(asServer, chris.tokenHash, runId, null);
    expect(await mayHaveBeenCreated(database, paymentId)).toBe(answer !== 'refused');
    const { rows } = await database.query('select state, error_code from payments where payment_id = $1', [paymentId]);
    expect(rows).toEqual([{ state: ended, error_code: code }]);
  });
});
