import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyProviderStatuses } from '../../store/payments/provider-statuses.ts';
import { beginReading } from '../../store/payments/reading.ts';
import type { PayrunUnderTest } from '../helpers/payrun-under-test.ts';
import { runOf } from '../helpers/run-under-test.ts';
import { clearFaults, inProgress, orderFaults } from '../helpers/sandbox-control.ts';
import { anUnknownRow, kindsOf, propose, rowAt, startUnconfirmed } from '../helpers/unknown-rows.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

let payrun: PayrunUnderTest;
let second: TestUser;

beforeAll(async () => {
  payrun = await startUnconfirmed();
  second = await aUser(payrun.testDatabase, 'Sam Second', 'checker');
});
beforeEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

test('an unknown row keeps the result of each lookup', async () => {
  await orderFaults(
    payrun.sandbox,
    { operation: 'simple-payment-create', kind: 'error_after' },
    { operation: 'simple-payment-fund', kind: 'error_after' },
  );
  const { lookups } = await rowAt(payrun, await anUnknownRow(payrun));
  expect(lookups).toMatchObject([{ request: 'by_reference', times: 1 }, { request: 'by_id' }]);
  expect(lookups.map(({ result }) => result)).toEqual(['awaiting_funds', inProgress]);
  // The payment's own, and the poller's if it comes first.
  expect([1, 2]).toContain(lookups[1]?.times);
});

describe('resolving an unknown row', () => {
  test('has one open proposal at a time, which a checker or its proposer rejects', async () => {
    const { application, maker, checker } = payrun;
    const row = await anUnknownRow(payrun);
    const first = await propose(payrun, row, 'failed');
    await expect(propose(payrun, row, 'paid', { by: checker })).rejects.toMatchObject({ code: 'conflict' });
    await application.rejectManualOutcome(checker, row, { ...first, reason: 'the telephone is no proof' });
    await expect(application.confirmManualOutcome(second, row, first)).rejects.toMatchObject({ code: 'conflict' });
    const own = await propose(payrun, row, 'failed');
    const stranger = { ...(await aUser(payrun.testDatabase, 'Olu Other', 'maker')) };
    await expect(application.rejectManualOutcome(stranger, row, { ...own, reason: null })).rejects.toMatchObject({
      code: 'not_allowed',
    });
    const { manualOutcomes } = await application.rejectManualOutcome(maker, row, { ...own, reason: null });
    expect(manualOutcomes.map(({ state, closingReason }) => [state, closingReason])).toEqual([
      ['rejected', 'the telephone is no proof'],
      ['rejected', null],
    ]);
    expect((await rowAt(payrun, row)).state).toBe('unknown');
  });

  test('is valid only for the evidence on which it was proposed', async () => {
    const { application, checker, database } = payrun;
    const row = await anUnknownRow(payrun);
    const seen = await propose(payrun, row, 'paid');
    await database.query(`update payments set provider_status = 'on_hold' where run_id = $1`, [row.runId]);
    await expect(application.confirmManualOutcome(checker, row, seen)).rejects.toMatchObject({ code: 'conflict' });
    expect(await rowAt(payrun, row)).toMatchObject({ state: 'unknown', manualOutcomes: [{ state: 'voided' }] });
  });

  test('is void once a read shows the outcome, which the row and its run then follow', async () => {
    const { application, checker, database } = payrun;
    const row = await anUnknownRow(payrun);
    const seen = await propose(payrun, row, 'failed');
    const observation = { providerPaymentId: row.providerPaymentId, errorCode: null, errorMessage: null };
    await applyProviderStatuses(database, 'default', await beginReading(database), [
      { ...observation, providerStatus: 'processing', state: 'processing' },
    ]);
    expect(await rowAt(payrun, row)).toMatchObject({ state: 'unknown', manualOutcomes: [{ state: 'proposed' }] });
    await applyProviderStatuses(database, 'default', await beginReading(database), [
      { ...observation, providerStatus: 'completed', state: 'paid' },
    ]);
    expect(await rowAt(payrun, row)).toMatchObject({ state: 'paid', manualOutcomes: [{ state: 'voided' }] });
    expect(await kindsOf(payrun, row)).toEqual(['manual_outcome_proposed', 'manual_outcome_voided']);
    await expect(application.confirmManualOutcome(checker, row, seen)).rejects.toMatchObject({ code: 'conflict' });
    // The next poll, which another run causes, notifies its run.
    await anUnknownRow(payrun);
    await until(async () => (await runOf(payrun, row.runId)).state === 'completed');
  });

  test('leaves the proposal open if the provider cannot be asked', async () => {
    const { application, checker, sandbox } = payrun;
    const row = await anUnknownRow(payrun);
    const seen = await propose(payrun, row, 'paid');
    await orderFaults(sandbox, { operation: 'simple-payment-find', kind: 'error_before', times: 100 });
    await expect(application.confirmManualOutcome(checker, row, seen)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await rowAt(payrun, row)).toMatchObject({ state: 'unknown', manualOutcomes: [{ state: 'proposed' }] });
    await clearFaults(sandbox);
    expect(await application.confirmManualOutcome(checker, row, seen)).toMatchObject({ state: 'paid' });
  });

  test('is only for unknown rows, and only with that row’s own payment', async () => {
    const { application, checker } = payrun;
    const [one, other] = [await anUnknownRow(payrun), await anUnknownRow(payrun)];
    const { providerPaymentId } = other;
    await expect(propose(payrun, one, 'paid', { providerPaymentId })).rejects.toMatchObject({ code: 'conflict' });
    const seen = await propose(payrun, one, 'paid', { providerPaymentId: one.providerPaymentId });
    await expect(application.confirmManualOutcome(checker, other, seen)).rejects.toMatchObject({ code: 'not_found' });
    await application.confirmManualOutcome(checker, one, seen);
    await expect(propose(payrun, one, 'failed')).rejects.toMatchObject({ code: 'conflict' });
  });
});
