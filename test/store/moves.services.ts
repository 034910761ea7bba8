import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayMove, PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { mayMoveRun, RUN_STATES } from '../../domain/runs/run-state.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { moveRun, readRun } from '../../store/runs/runs.ts';
import { pastTriggers } from '../helpers/past-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { anApprovedRun, aStoredRun, auditKindsOf, putInto } from './a-stored-run.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

describe('the store', () => {
  test.each(PAYMENT_STATES)('moves a payment from %s to where the table lets it go, and nowhere else', async (from) => {
    const { database } = testDatabase;
    const { paymentIds } = await anApprovedRun(database);
    const paymentId = paymentIds[0] ?? '';
    for (const to of PAYMENT_STATES) {
      await putInto(database, paymentId, from);
      const auditBefore = await auditKindsOf(database, paymentId);
      const moved = await transitionPayment(database, { paymentId, to, kind: 'held', facts: { error_code: to } });
      const mayGo = to === from || mayMove(from, to);
      expect([to, moved]).toEqual([to, mayGo]);
      expect((await readPayment(database, paymentId)).state).toBe(mayGo ? to : from);
      expect(await auditKindsOf(database, paymentId)).toHaveLength(auditBefore.length + (mayGo ? 1 : 0));
    }
  });

  test.each(RUN_STATES)('moves a run from %s to where the table lets it go, and nowhere else', async (from) => {
    const { database } = testDatabase;
    const { runId } = await anApprovedRun(database);
    for (const to of RUN_STATES) {
      await pastTriggers(database, 'update runs set state = $2 where run_id = $1', [runId, from]);
      const mayGo = to === from || mayMoveRun(from, to);
      expect([to, await moveRun(database, runId, { to })]).toEqual([to, mayGo]);
      expect((await readRun(database, runId))?.state).toBe(mayGo ? to : from);
    }
  });

  test('writes nothing down twice when a move is repeated', async () => {
    const { database } = testDatabase;
    const { runId } = await aStoredRun(database);
    const move = { to: 'proposed' } as const;
    expect([await moveRun(database, runId, move), await moveRun(database, runId, move)]).toEqual([true, true]);
    const { rows } = await database.query('select kind from audit_entries where run_id = $1 order by entry_id', [
      runId,
    ]);
    expect(rows).toEqual([{ kind: 'run_submitted' }, { kind: 'run_proposed' }]);
  });
});
