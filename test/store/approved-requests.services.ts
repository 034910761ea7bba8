import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginPaymentsActivity } from '../../activities/runs/begin-payments.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { readDecisionActivity } from '../../activities/approvals/read-decision.ts';
import { stopPaymentsAs } from '../../store/approvals/stops.ts';
import { beginRequest, readApproval } from '../../store/payments/payment-requests.ts';
import { readRunApproval } from '../../store/approvals/run-approval.ts';
import { listPayableRows } from '../../store/runs/payable-rows.ts';
import { inTransaction } from '../../store/database/database.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';
import { anApprovedRun, aStoredRun, openForDecision, putInto } from './a-stored-run.ts';

/** Only rows that are exactly as approved are planned and begun. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const TODAY = '2026-01-31';
const TOMORROW = '2026-02-01';

const REQUESTS = [
  ['quote', 'ready'],
  ['create', 'quoted'],
  ['fund', 'created'],
] as const;

async function begin(paymentId: string, operation: 'quote' | 'create' | 'fund') {
  const { asWorker, database } = testDatabase;
  const whileIn = ['ready', 'quoted', 'created'] as const;
  const { approved, requestId } = await beginRequest(asWorker, {
    paymentId,
    operation,
    whileIn,
    at: new Date(TODAY),
    dataKeys: TEST_KEY_IDS,
  });
  const { rows } = await database.query('select from provider_requests where payment_id = $1', [paymentId]);
  return { approved, requestId, stored: rows.length };
}

const NOTHING = { approved: null, requestId: null, stored: 0 };

describe.each(REQUESTS)('the request to %s', (operation, state) => {
  test('begins for an approved row', async () => {
    const { paymentIds } = await anApprovedRun(testDatabase.database);
    await putInto(testDatabase.database, paymentIds[0] ?? '', state);
    expect(await begin(paymentIds[0] ?? '', operation)).toMatchObject({ stored: 1 });
  });

  test('does not begin for a row that nobody approved', async () => {
    const { paymentIds } = await aStoredRun(testDatabase.database);
    await putInto(testDatabase.database, paymentIds[0] ?? '', state);
    expect(await begin(paymentIds[0] ?? '', operation)).toEqual(NOTHING);
  });

  test.each([
    ['row', `row_hash = 'other'`],
    ['beneficiary', `beneficiary_hash = 'other'`],
    ['attempt', 'attempt = 2'],
  ])('does not begin for another %s than was approved', async (_what, change) => {
    const { paymentIds } = await anApprovedRun(testDatabase.database);
    const paymentId = paymentIds[0] ?? '';
    await putInto(testDatabase.database, paymentId, state);
    await bypassTriggers(testDatabase.database, `update payments set ${change} where payment_id = $1`, [paymentId]);
    expect(await begin(paymentId, operation)).toEqual(NOTHING);
    expect(
      (await readApproval(testDatabase.asWorker, { paymentId, at: new Date(TODAY), dataKeys: TEST_KEY_IDS })).approved,
    ).toBeNull();
  });
});

describe('a row of a later day', () => {
  const aRowDueOn = async (payOn: string) =>
    (await anApprovedRun(testDatabase.database, 1, () => ({ payOn }))).paymentIds[0] ?? '';

  test.each(REQUESTS)('may have the request to %s begun on its day, and not before', async (operation, state) => {
    const paymentId = await aRowDueOn(TOMORROW);
    await putInto(testDatabase.database, paymentId, state);
    const request = { paymentId, operation, whileIn: [state] };
    const before = await beginRequest(testDatabase.asWorker, {
      ...request,
      at: new Date(TODAY),
      dataKeys: TEST_KEY_IDS,
    });
    expect(before).toMatchObject({ requestId: null, isStopped: true, payment: { state } });
    const then = await beginRequest(testDatabase.asWorker, {
      ...request,
      at: new Date(TOMORROW),
      dataKeys: TEST_KEY_IDS,
    });
    expect(then).toMatchObject({ requestId: expect.any(String) as string, isStopped: false });
  });

  test.each(REQUESTS)(
    'has no request to %s begun early by a worker whose clock is a day ahead',
    async (operation, state) => {
      const ahead = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      const paymentId = await aRowDueOn(ahead);
      await putInto(testDatabase.database, paymentId, state);
      const begun = await beginRequest(testDatabase.asWorker, {
        paymentId,
        operation,
        whileIn: [state],
        at: new Date(ahead),
        dataKeys: TEST_KEY_IDS,
      });
      expect(begun).toMatchObject({ requestId: null, isStopped: true });
      expect(
        await readApproval(testDatabase.asWorker, { paymentId, at: new Date(ahead), dataKeys: TEST_KEY_IDS }),
      ).toMatchObject({ isStopped: true });
    },
  );

  test('has nothing sent to the provider before its day', async () => {
    const paymentId = await aRowDueOn(TOMORROW);
    expect(
      await readApproval(testDatabase.asWorker, { paymentId, at: new Date(TODAY), dataKeys: TEST_KEY_IDS }),
    ).toMatchObject({ isStopped: true });
    expect(
      await readApproval(testDatabase.asWorker, { paymentId, at: new Date(TOMORROW), dataKeys: TEST_KEY_IDS }),
    ).toMatchObject({ isStopped: false });
  });

  test('is not begun before its day, whatever day a run or its caller sends', async () => {
    const { runId } = await anApprovedRun(testDatabase.database, 1, () => ({ payOn: TOMORROW }));
    const now = () => Date.parse(TODAY);
    const beginPayments = beginPaymentsActivity({ database: testDatabase.asWorker, now } as ActivityDependencies);
    const input = { runId, afterRow: 0, concurrencyLimit: 10, dueBy: '2999-12-31' };
    const begun = await beginPayments(input).catch((error: unknown) => error);
    expect(begun).toEqual({ kind: 'none_due', today: TODAY });
  });
});

const page = { afterRow: 0, limit: 10, dueBy: TODAY };

describe('the rows to be paid', () => {
  test.each([
    ['row', `row_hash = 'other'`],
    ['attempt', 'attempt = 2'],
  ])('are not those that have another %s than was approved', async (_what, change) => {
    const { runId } = await anApprovedRun(testDatabase.database, 2);
    await bypassTriggers(testDatabase.database, `update payments set ${change} where run_id = $1 and row_number = 1`, [
      runId,
    ]);
    const planned = await listPayableRows(testDatabase.asWorker, { ...page, runId });
    expect(planned.map(({ rowNumber }) => rowNumber)).toEqual([2]);
  });
});

describe('a run', () => {
  const dependencies = () => ({ database: testDatabase.asWorker, now: Date.now }) as ActivityDependencies;
  const beginPayments = (runId: string) =>
    beginPaymentsActivity(dependencies())({ ...page, runId, concurrencyLimit: 10 });

  /** Without an approval: only its state says that it is running. */
  async function aRunSaidToPay(): Promise<string> {
    const { runId } = await aStoredRun(testDatabase.database);
    await bypassTriggers(testDatabase.database, `update runs set state = 'running' where run_id = $1`, [runId]);
    return runId;
  }

  test('is approved by people, and not by a state that a worker sets', async () => {
    expect((await readRunApproval(testDatabase.asWorker, await aRunSaidToPay())).isDecided).toBe(false);
    const { runId } = await anApprovedRun(testDatabase.database);
    expect((await readRunApproval(testDatabase.asWorker, runId)).isDecided).toBe(true);
  });

  test('that nobody approved has no payments begun, and the attempt is recorded', async () => {
    const runId = await aRunSaidToPay();
    await expect(beginPayments(runId)).rejects.toMatchObject({ type: 'run_not_approved', nonRetryable: true });
    const { rows } = await testDatabase.database.query(`select from audit_entries where run_id = $1 and kind = $2`, [
      runId,
      'run_refused',
    ]);
    expect(rows).toHaveLength(1);
  });

  test('that is stopped has no payments begun', async () => {
    const chris = await aUser(testDatabase, 'Chris', 'checker');
    const { runId } = await anApprovedRun(testDatabase.database);
    await stopPaymentsAs(testDatabase.asServer, chris.tokenHash, { scope: 'run', runId }, null);
    expect(await beginPayments(runId).catch(String)).toEqual({ kind: 'stopped' });
  });

  test('that waits for a decision is pending, whatever its workflow is sent', async () => {
    const { runId } = await aStoredRun(testDatabase.database);
    await openForDecision(testDatabase.asWorker, runId);
    expect(await readDecisionActivity(dependencies())({ runId })).toEqual({ outcome: 'pending' });
  });
});

test('a row is not added by a transaction that only changes its run', async () => {
  const { runId } = await anApprovedRun(testDatabase.database);
  const { tokenHash } = await aUser(testDatabase, 'Late', 'checker');
  const late = `insert into payments (payment_id, run_id, account, row_number, line, row_ref, state, instruction, row_hash)
    select gen_random_uuid(), run_id, account, 99, 99, 'late', 'ready', instruction, row_hash
    from payments where run_id = $1`;
  const adding = inTransaction(testDatabase.asServer, async (transaction) => {
    const stop = `select stop_payments($1, 'run', $2, null, null)`;
    await transaction.query(stop, [tokenHash.bytes, runId]);
    await transaction.query(late, [runId]);
  });
  await expect(adding).rejects.toThrow('is added together with it, and never after');
});
