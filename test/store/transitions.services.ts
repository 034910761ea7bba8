import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayTransitionPayment, PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { mayTransitionRun, RUN_STATES } from '../../domain/runs/run-state.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { transitionRun } from '../../store/runs/run-transition.ts';
import { readRun } from '../../store/runs/runs.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { anApprovedRun, aStoredRun, auditKindsOf, putInto, withoutDuplicates } from './a-stored-run.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

describe('the store', () => {
  test.each(PAYMENT_STATES)('changes a payment from %s only as the table allows', async (from) => {
    const { database } = testDatabase;
    const { paymentIds } = await anApprovedRun(database);
    const paymentId = paymentIds[0] ?? '';
    for (const to of PAYMENT_STATES) {
      await putInto(database, paymentId, from);
      await bypassTriggers(database, 'update payments set sell_amount = 1, returned_amount = 1 where payment_id = $1', [
        paymentId,
      ]);
      const auditBefore = await auditKindsOf(database, paymentId);
      const moved = await transitionPayment(database, { paymentId, to, kind: 'held', update: { error_message: to } });
      const mayGo = to === from || mayTransitionPayment(from, to);
      // The database notes by itself that a payment came back.
      const returns = mayGo && to === 'returned' && from !== to ? 1 : 0;
      expect([to, moved]).toEqual([to, mayGo ? to : null]);
      expect((await readPayment(database, paymentId)).state).toBe(mayGo ? to : from);
      expect(await auditKindsOf(database, paymentId)).toHaveLength(auditBefore.length + (mayGo ? 1 : 0) + returns);
    }
  });

  test.each(RUN_STATES)('changes a run from %s only as the table allows', async (from) => {
    const { database } = testDatabase;
    const { runId } = await anApprovedRun(database);
    // The time to decide on it is over.
    const isOver = `update runs set opened_at = now(), decide_within = '0' where run_id = $1`;
    for (const to of RUN_STATES) {
      await bypassTriggers(database, isOver, [runId]);
      await bypassTriggers(database, 'update runs set state = $2 where run_id = $1', [runId, from]);
      const mayGo = to === from || mayTransitionRun(from, to);
      expect([to, await transitionRun(database, runId, { to })]).toEqual([to, mayGo]);
      expect((await readRun(database, runId))?.state).toBe(mayGo ? to : from);
    }
  });

  test('records a repeated transition once', async () => {
    const { database } = testDatabase;
    const { runId } = await aStoredRun(database);
    await withoutDuplicates(database, runId);
    const transition = { to: 'proposed' } as const;
    expect([
      await transitionRun(database, runId, transition),
      await transitionRun(database, runId, transition),
    ]).toEqual([true, true]);
    const { rows } = await database.query('select kind from audit_entries where run_id = $1 order by entry_id', [
      runId,
    ]);
    expect(rows).toEqual([{ kind: 'run_submitted' }, { kind: 'run_proposed' }]);
  });
});
