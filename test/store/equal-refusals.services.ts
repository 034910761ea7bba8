import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RowRefusal } from '../../domain/payments/refusal-streak.ts';
import { REPEATED_REFUSALS } from '../../domain/repeated-refusals.ts';
import { listStops, stopPaymentsAs } from '../../store/approvals/stops.ts';
import { inTransaction } from '../../store/database/database.ts';
import { readFacts } from '../../store/notifications/read-facts.ts';
import { resolveOpenRequest, transitionPayment } from '../../store/payments/payment-outcome.ts';
import { recordAnswer } from '../../store/payments/payment-requests.ts';
import { countRefusal } from '../../store/payments/refusal-streaks.ts';
import { endRun } from '../../store/runs/run-outcome.ts';
import { readRun } from '../../store/runs/runs.ts';
import { liftInStore } from '../helpers/lifting-stops.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { ACCOUNT, anApprovedRun, putInto } from './a-stored-run.ts';

const REFUSAL: RowRefusal = { step: 'create', httpStatus: 422, errorCode: 'not_enabled' };

let testDatabase: TestDatabase;
let mia: TestUser;
let chris: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  mia = await aUser(testDatabase, 'Mia', 'maker');
  chris = await aUser(testDatabase, 'Chris', 'checker');
});
afterAll(() => testDatabase.drop());

interface PayingRun {
  runId: string;
  /** Those that were not refused yet. */
  left: string[];
}

async function aRunOf(rows: number): Promise<PayingRun> {
  const { runId, paymentIds } = await anApprovedRun(testDatabase.database, rows);
  return { runId, left: [...paymentIds] };
}

/** As the activity records it. */
async function refuse(run: PayingRun, refusal = REFUSAL): Promise<void> {
  const paymentId = run.left.shift() ?? '';
  const refused = { paymentId, to: 'rejected', kind: 'beneficiary_refused', untilCreated: true } as const;
  const update = { error_code: null, error_message: 'a text of its own' };
  await inTransaction(testDatabase.asWorker, (transaction) =>
    countRefusal(
      transaction,
      { runId: run.runId, refusal },
      () => transitionPayment(transaction, { ...refused, update }),
      (moved) => moved !== null,
    ),
  );
}

async function refuseTimes(run: PayingRun, count: number, refusal = REFUSAL): Promise<void> {
  for (let n = 0; n < count; n += 1) await refuse(run, refusal);
}

async function beginCreation(run: PayingRun): Promise<{ requestId: string; paymentId: string }> {
  const paymentId = run.left.shift() ?? '';
  await putInto(testDatabase.database, paymentId, 'quoted');
  const { rows } = await testDatabase.asWorker.query<{ request_id: string }>(
    `insert into provider_requests (account, payment_id, attempt, operation, non_idempotent) values ($1, $2, 1, 'create', true)
     returning request_id`,
    [ACCOUNT, paymentId],
  );
  return { requestId: rows[0]?.request_id ?? '', paymentId };
}

const CREATED = { outcome: 'took_effect', answer: 'as_asked', httpStatus: 200 } as const;

async function create(run: PayingRun): Promise<void> {
  const { requestId } = await beginCreation(run);
  await recordAnswer(testDatabase.asWorker, {
    requestId,
    operation: 'create',
    ...CREATED,
    transition: { to: 'created' },
  });
}

async function adopt(run: PayingRun): Promise<void> {
  const { requestId } = await beginCreation(run);
  await resolveOpenRequest(testDatabase.asWorker, { requestId, outcome: 'took_effect', to: 'created', update: {} });
}

const stopsOf = ({ runId }: PayingRun) => listStops(testDatabase.asServer, { runId, accounts: null });
const stateOf = async ({ runId }: PayingRun) => (await readRun(testDatabase.database, runId))?.state;

async function lift({ runId }: PayingRun): Promise<void> {
  const [stop] = await listStops(testDatabase.asServer, { runId, accounts: null });
  await liftInStore(testDatabase, mia, stop?.stopId ?? '');
  await liftInStore(testDatabase, chris, stop?.stopId ?? '');
}

async function entriesOf({ runId }: PayingRun): Promise<unknown[]> {
  const { rows } = await testDatabase.database.query<{ actor: string; detail: unknown }>(
    `select actor, detail from audit_entries where run_id = $1 and kind = 'stopped' order by entry_id`,
    [runId],
  );
  return rows;
}

describe('a run', () => {
  test('is stopped when so many rows in a row are refused with the same answer, and not before', async () => {
    const run = await aRunOf(REPEATED_REFUSALS + 1);
    await refuseTimes(run, REPEATED_REFUSALS - 1);
    expect(await stopsOf(run)).toEqual([]);
    expect(await stateOf(run)).toBe('running');
    await refuse(run);
    const refusals = { ...REFUSAL, count: REPEATED_REFUSALS };
    expect(await stopsOf(run)).toMatchObject([{ scope: 'run', stoppedBy: null, liftRequestedBy: null, refusals }]);
    expect(await stateOf(run)).toBe('paused');
  });

  test('says so in the audit trail and to people, without the text of the provider', async () => {
    const run = await aRunOf(REPEATED_REFUSALS + 1);
    await refuseTimes(run, REPEATED_REFUSALS);
    const { step, httpStatus } = REFUSAL;
    const [stop] = await stopsOf(run);
    expect(await entriesOf(run)).toEqual([
      {
        actor: 'database',
        detail: { stop: stop?.stopId, scope: 'run', refusals: { step, httpStatus, count: REPEATED_REFUSALS } },
      },
    ]);
    const { rows } = await testDatabase.database.query('select type from outbox where subject_id = $1 and type = $2', [
      run.runId,
      'run.paused',
    ]);
    expect(rows).toHaveLength(1);
    const facts = await readFacts(testDatabase.asWorker, 'run', run.runId);
    expect(facts?.data).toMatchObject({ state: 'paused', reason: 'equal_refusals' });
    expect(JSON.stringify(facts)).not.toContain(REFUSAL.errorCode);
  });

  test.each<[what: string, between: (run: PayingRun) => Promise<void>]>([
    ['another step', (run) => refuse(run, { ...REFUSAL, step: 'quote' })],
    ['another status', (run) => refuse(run, { ...REFUSAL, httpStatus: 400 })],
    ['another code', (run) => refuse(run, { ...REFUSAL, errorCode: 'another' })],
    ['a creation', create],
    ['a creation that was looked up', adopt],
  ])('is not stopped when %s is between the refusals', async (_what, between) => {
    const run = await aRunOf(2 * REPEATED_REFUSALS + 1);
    await refuseTimes(run, REPEATED_REFUSALS - 1);
    await between(run);
    await refuseTimes(run, REPEATED_REFUSALS - 1);
    expect(await stopsOf(run)).toEqual([]);
    await refuse(run);
    expect(await stopsOf(run)).toHaveLength(1);
  });

  test('is not stopped by refusals of another run', async () => {
    const runs = [await aRunOf(REPEATED_REFUSALS), await aRunOf(REPEATED_REFUSALS)];
    for (const run of runs) await refuseTimes(run, REPEATED_REFUSALS - 1);
    for (const run of runs) expect(await stopsOf(run)).toEqual([]);
  });

  test('is stopped also by refusals that are recorded at the same moment, once', async () => {
    const run = await aRunOf(3 * REPEATED_REFUSALS);
    await Promise.all(Array.from({ length: 2 * REPEATED_REFUSALS }, () => refuse(run)));
    expect(await entriesOf(run)).toHaveLength(1);
    expect((await stopsOf(run))[0]?.refusals?.count).toBe(REPEATED_REFUSALS);
  });

  test('with nothing left to create is not stopped: it ends', async () => {
    const run = await aRunOf(REPEATED_REFUSALS);
    await refuseTimes(run, REPEATED_REFUSALS);
    expect(await stopsOf(run)).toEqual([]);
    expect(await endRun(testDatabase.asWorker, run.runId)).toBe('failed');
  });

  test('whose last rows are refused while it is stopped ends, and its stop with it', async () => {
    const run = await aRunOf(REPEATED_REFUSALS + 2);
    await refuseTimes(run, REPEATED_REFUSALS + 2);
    expect(await stopsOf(run)).toHaveLength(1);
    expect(await endRun(testDatabase.asWorker, run.runId)).toBe('failed');
    expect(await stopsOf(run)).toEqual([]);
  });

  test('that people have stopped is not stopped a second time, and counts nothing until that is lifted', async () => {
    const run = await aRunOf(3 * REPEATED_REFUSALS);
    await stopPaymentsAs(testDatabase.asServer, chris.tokenHash, { scope: 'run', runId: run.runId }, null);
    await refuseTimes(run, REPEATED_REFUSALS + 1);
    expect(await stopsOf(run)).toMatchObject([{ stoppedBy: { name: 'Chris' }, refusals: null }]);
    await lift(run);
    await refuseTimes(run, REPEATED_REFUSALS - 1);
    expect(await stopsOf(run)).toEqual([]);
  });

  test('is not counted for when its refusal was not recorded', async () => {
    const run = await aRunOf(REPEATED_REFUSALS + 1);
    await refuseTimes(run, REPEATED_REFUSALS - 1);
    const { runId } = run;
    await inTransaction(testDatabase.asWorker, (transaction) =>
      countRefusal(
        transaction,
        { runId, refusal: REFUSAL },
        () => Promise.resolve(false),
        (moved) => moved,
      ),
    );
    expect(await stopsOf(run)).toEqual([]);
  });
});

describe('a stop for equal refusals', () => {
  test('is lifted by two people, and made again only after as many further refusals', async () => {
    const run = await aRunOf(3 * REPEATED_REFUSALS);
    await refuseTimes(run, REPEATED_REFUSALS + 3);
    const [stop] = await stopsOf(run);
    await liftInStore(testDatabase, mia, stop?.stopId ?? '');
    await expect(liftInStore(testDatabase, mia, stop?.stopId ?? '')).rejects.toThrow('other than you');
    await liftInStore(testDatabase, chris, stop?.stopId ?? '');
    expect(await stateOf(run)).toBe('running');
    await refuseTimes(run, REPEATED_REFUSALS - 1);
    expect(await stopsOf(run)).toEqual([]);
    await refuse(run);
    expect(await stopsOf(run)).toHaveLength(1);
  });

  test('is made by a worker for a run that pays, and neither changed nor lifted by one', async () => {
    const run = await aRunOf(2);
    const { asWorker } = testDatabase;
    const order = [run.runId, JSON.stringify({ ...REFUSAL, count: REPEATED_REFUSALS })];
    const made = async () =>
      (await asWorker.query<{ made: boolean }>('select stop_for_refusals($1, $2) as made', order)).rows[0]?.made;
    expect(await made()).toBe(true);
    expect(await made()).toBe(false);
    for (const forged of [
      'update stops set lifted_at = now()',
      'delete from stops',
      `insert into stops (scope) values ('all')`,
    ])
      await expect(asWorker.query(forged)).rejects.toThrow('permission denied');
    await lift(run);
    await refuseTimes(run, 2);
    await endRun(asWorker, run.runId);
    expect(await made()).toBe(false);
  });
});
