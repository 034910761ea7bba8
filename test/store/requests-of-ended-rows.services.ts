import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { NonIdempotentOperation, RequestOutcome } from '../../domain/payments/request-result.ts';
import { readOpenMetrics } from '../../store/metrics/stored-metrics.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { applyProviderStatuses } from '../../store/payments/provider-statuses.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { mayHaveBeenCreated } from '../../store/payments/request-history.ts';
import { aCreatedPayment, anOpenRequest, aQuotedPayment, put } from '../activities/steps-answered.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT } from './a-stored-run.ts';

/** A row that has ended has no open request, however it ended. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

/** A row that was given up with an open request. */
async function givenUp(operation: NonIdempotentOperation): Promise<{ paymentId: string; providerPaymentId: string }> {
  const made = operation === 'create' ? aQuotedPayment(testDatabase) : aCreatedPayment(testDatabase);
  const { paymentId, shown } = await made;
  await anOpenRequest(testDatabase, paymentId, operation);
  const update = { error_code: 'step_failed', ended_at: new Date() } as const;
  await transitionPayment(testDatabase.asWorker, { paymentId, to: 'unknown', kind: 'given_up', update });
  expect(await requestsOf(paymentId)).toEqual([{ operation, outcome: null }]);
  return { paymentId, providerPaymentId: shown.simplePaymentId };
}

async function requestsOf(paymentId: string): Promise<object[]> {
  const { rows } = await testDatabase.database.query<{ operation: string; outcome: string | null }>(
    'select operation, outcome from provider_requests where payment_id = $1 order by begun_at',
    [paymentId],
  );
  return rows;
}

async function openRequests(): Promise<number | null | undefined> {
  return (await readOpenMetrics(testDatabase.asServer)).find(({ name }) => name === 'open_requests')?.count;
}

describe('a row that was given up with an open request, and that people resolve', () => {
  test.each<[NonIdempotentOperation, PaymentState, RequestOutcome]>([
    ['create', 'paid', 'took_effect'],
    ['create', 'failed', 'not_seen'],
    ['create', 'cancelled', 'not_seen'],
    ['fund', 'paid', 'took_effect'],
    ['fund', 'rejected', 'not_seen'],
    ['fund', 'failed', 'not_seen'],
  ])('%s, as %s: the request %s', async (operation, to, outcome) => {
    const before = await openRequests();
    const { paymentId } = await givenUp(operation);
    const resolved = { paymentId, to, kind: 'resolved', update: { ended_at: new Date() } } as const;
    expect(await transitionPayment(testDatabase.asWorker, resolved)).toBe(to);
    expect(await requestsOf(paymentId)).toEqual([{ operation, outcome }]);
    expect(await openRequests()).toBe(before);
    // It is looked for all the same.
    if (operation === 'create') expect(await mayHaveBeenCreated(testDatabase.asWorker, paymentId)).toBe(true);
    const { rows } = await testDatabase.database.query(
      `select detail ->> 'outcome' as outcome from audit_entries where payment_id = $1 and kind = $2`,
      [paymentId, `${operation}_resolved`],
    );
    expect(rows).toEqual([{ outcome }]);
  });
});

test.each([
  ['paid', 'took_effect'],
  ['failed', 'not_seen'],
] as const)('a row that a poll shows as %s has no open request', async (state, outcome) => {
  const { paymentId, providerPaymentId } = await givenUp('fund');
  const seen = { providerPaymentId, providerStatus: state, state, errorCode: null, errorMessage: null };
  await applyProviderStatuses(testDatabase.asWorker, ACCOUNT, await beginReading(testDatabase.asWorker), [seen]);
  expect(await requestsOf(paymentId)).toEqual([{ operation: 'fund', outcome }]);
});

test('a row whose creation is open, and that has its id at the provider by then, was created', async () => {
  const { paymentId, providerPaymentId } = await givenUp('create');
  await put(testDatabase, paymentId, 'provider_payment_id = $2', providerPaymentId);
  const failed = {
    paymentId,
    to: 'failed',
    kind: 'provider_state_recorded',
    update: { ended_at: new Date() },
  } as const;
  await transitionPayment(testDatabase.asWorker, failed);
  expect(await requestsOf(paymentId)).toEqual([{ operation: 'create', outcome: 'took_effect' }]);
});

test('a row that is read while it is funded, and has not ended, keeps its open request', async () => {
  const { paymentId } = await aCreatedPayment(testDatabase);
  await anOpenRequest(testDatabase, paymentId, 'fund');
  const processing = { paymentId, to: 'processing', kind: 'provider_state_recorded', update: {} } as const;
  await transitionPayment(testDatabase.asWorker, processing);
  expect(await requestsOf(paymentId)).toEqual([{ operation: 'fund', outcome: null }]);
});
