import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callNonIdempotent, startSendDeadline, SEND_WITHIN_MS } from '../../activities/calls/send-deadline.ts';
import { createPaymentActivity } from '../../activities/payments/create-payment.ts';
import { fundPaymentActivity } from '../../activities/payments/fund-payment.ts';
import { resolveOpenRequest } from '../../store/payments/payment-outcome.ts';
import { readOpenRequest } from '../../store/payments/request-history.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { asActivity } from './activities-under-test.ts';
import {
  aCreatedPayment,
  anEarlierRequest,
  anOpenRequest,
  aQuotedPayment,
  put,
  type StepsAnswered,
  stepsAnswered,
} from './steps-answered.ts';

/** The result of each answer to a create or fund request; nothing is sent again before its outcome is known. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const create = ({ dependencies }: StepsAnswered, paymentId: string) =>
  asActivity(() => createPaymentActivity(dependencies)({ paymentId }));
const fund = ({ dependencies }: StepsAnswered, paymentId: string) =>
  asActivity(() => fundPaymentActivity(dependencies)({ paymentId }));
const recordOf = (paymentId: string) => readPayment(testDatabase.asWorker, paymentId);
const openOf = (paymentId: string, operation: 'create' | 'fund') =>
  readOpenRequest(testDatabase.asWorker, paymentId, operation);

test.each<[string, { wallMs: number; monotonicMs: number }]>([
  ['that waited too long for its lease', { wallMs: SEND_WITHIN_MS + 1, monotonicMs: SEND_WITHIN_MS + 1 }],
  ['during which the machine slept', { wallMs: SEND_WITHIN_MS + 1, monotonicMs: 0 }],
  ['during which the wall clock was set back', { wallMs: -3_600_000, monotonicMs: SEND_WITHIN_MS + 1 }],
])('a creation or a funding %s is not sent', async (_, passed) => {
  const steps = await stepsAnswered(testDatabase, () => ({ status: 500 }));
  const { simplePayments } = steps.dependencies.provider('default');
  const sentAfter = ({ wallMs, monotonicMs }: { wallMs: number; monotonicMs: number }) => {
    let isPassed = false;
    const sendDeadline = startSendDeadline({
      now: () => (isPassed ? wallMs : 0),
      monotonicNow: () => (isPassed ? monotonicMs : 0),
    });
    isPassed = true;
    return asActivity(() =>
      callNonIdempotent(
        sendDeadline,
        () => Promise.resolve(),
        (options) => simplePayments.fund({ simplePaymentId: 'one' }, options),
      ),
    );
  };
  expect(await sentAfter(passed)).toMatchObject({ kind: 'not_sent' });
  expect(steps.asked('/fund')).toBe(0);
  expect(await sentAfter({ wallMs: 0, monotonicMs: 0 })).toMatchObject({ kind: 'unknown_outcome' });
});

describe('a creation', () => {
  test('is not sent with a quote that is about to expire', async () => {
    const { paymentId, shown } = await aQuotedPayment(testDatabase);
    const steps = await stepsAnswered(testDatabase, () => ({ body: shown }));
    await put(
      testDatabase,
      paymentId,
      `quoted_at = now() - interval '1 minute', quote_expires_at = now() + interval '5 seconds'`,
    );
    expect(await create(steps, paymentId)).toEqual({ kind: 'quote_expired' });
    expect(steps.asked('/create')).toBe(0);
    expect((await recordOf(paymentId)).state).toBe('ready');
  });

  test('whose answer was lost is looked up before it is sent again', async () => {
    const { paymentId } = await aQuotedPayment(testDatabase);
    const steps = await stepsAnswered(testDatabase, () => ({ status: 500 }));
    for (let times = 0; times < 2; times += 1) {
      await expect(create(steps, paymentId)).resolves.toEqual({ kind: 'unknown_outcome' });
    }
    expect(steps.asked('/create')).toBe(1);
    expect(await openOf(paymentId, 'create')).not.toBeNull();
  });

  test('that is refused is looked up if an earlier one was not found', async () => {
    const { paymentId } = await aQuotedPayment(testDatabase);
    await anEarlierRequest(testDatabase, paymentId, 'create', 'not_seen', 'unknown_outcome');
    const steps = await stepsAnswered(testDatabase, () => ({ status: 400, body: { message: 'no' } }));
    expect(await create(steps, paymentId)).toEqual({ kind: 'unknown_outcome' });
    expect(await openOf(paymentId, 'create')).not.toBeNull();
  });

  test('that is refused for good ends as unknown if an earlier one may have taken effect', async () => {
    const { paymentId } = await aQuotedPayment(testDatabase);
    await anEarlierRequest(testDatabase, paymentId, 'create', 'not_seen', 'duplicate_reference');
    await anEarlierRequest(testDatabase, paymentId, 'create', 'refused', 'refused');
    const steps = await stepsAnswered(testDatabase, () => ({ status: 400, body: { message: 'no' } }));
    expect(await create(steps, paymentId)).toEqual({ kind: 'ended', state: 'unknown' });
  });

  test('whose outcome another worker has resolved meanwhile records nothing and is retried', async () => {
    const { paymentId, shown } = await aQuotedPayment(testDatabase);
    const steps = await stepsAnswered(testDatabase, async () => {
      const open = await openOf(paymentId, 'create');
      const finding = { outcome: 'not_seen', to: null, update: {} } as const;
      await resolveOpenRequest(testDatabase.asWorker, { ...finding, requestId: open?.requestId ?? '' });
      return { body: shown };
    });
    await expect(create(steps, paymentId)).rejects.toMatchObject({ type: 'superseded' });
    expect(await recordOf(paymentId)).toMatchObject({ state: 'quoted', providerPaymentId: null });
  });

  test.each([
    ['processing', 'processing'],
    ['under_review', 'processing'],
    ['completed', 'paid'],
    ['rejected', 'rejected'],
    ['failed', 'failed'],
  ])('that is answered with %s makes the payment %s, and it is not funded', async (status, state) => {
    const { paymentId, shown } = await aQuotedPayment(testDatabase);
    const steps = await stepsAnswered(testDatabase, () => ({ body: { ...shown, status, failureReason: 'no' } }));
    expect(await create(steps, paymentId)).toEqual({ kind: 'ended', state });
    const { simplePaymentId: providerPaymentId } = shown;
    expect(await recordOf(paymentId)).toMatchObject({ state, providerPaymentId });
    expect(await fund(steps, paymentId)).toEqual({ kind: 'nothing_to_fund', state });
    expect(steps.asked('/fund')).toBe(0);
  });

  test.each([
    ['a status that nobody knows', { status: 'under_a_stone' }],
    ['the end of another payment', { status: 'completed', referenceId: 'another-1' }],
  ])('that is answered with %s is looked up, and not funded meanwhile', async (_what, other) => {
    const { paymentId, shown } = await aQuotedPayment(testDatabase);
    const steps = await stepsAnswered(testDatabase, () => ({ body: { ...shown, ...other } }));
    expect(await create(steps, paymentId)).toEqual({ kind: 'unknown_outcome' });
    expect(await recordOf(paymentId)).toMatchObject({ state: 'quoted', providerPaymentId: null });
    expect(await openOf(paymentId, 'create')).not.toBeNull();
  });

  test('that has higher fees than the limit allows is not funded', async () => {
    const { paymentId, shown } = await aQuotedPayment(testDatabase);
    const steps = await stepsAnswered(testDatabase, () => ({ body: { ...shown, totalAmount: '150.00' } }));
    expect(await create(steps, paymentId)).toEqual({ kind: 'ended', state: 'unknown' });
  });
});

describe('a funding', () => {
  test('has taken effect even if its answer shows the status from before', async () => {
    const { paymentId, shown } = await aCreatedPayment(testDatabase);
    const steps = await stepsAnswered(testDatabase, () => ({ body: shown }));
    expect(await fund(steps, paymentId)).toEqual({ kind: 'funded', state: 'funded' });
    expect((await recordOf(paymentId)).state).toBe('funded');
  });

  test('that is answered with another payment is read before it is sent again', async () => {
    const { paymentId, shown } = await aCreatedPayment(testDatabase);
    const another = { ...shown, simplePaymentId: 'another', status: 'completed' };
    const steps = await stepsAnswered(testDatabase, () => ({ body: another }));
    expect(await fund(steps, paymentId)).toEqual({ kind: 'read_required' });
    expect(await recordOf(paymentId)).toMatchObject({ state: 'created', providerPaymentId: shown.simplePaymentId });
    expect(await openOf(paymentId, 'fund')).not.toBeNull();
  });

  test('that was refused is read before it is sent again: the payment may be funded already', async () => {
    const { paymentId } = await aCreatedPayment(testDatabase);
    const steps = await stepsAnswered(testDatabase, () => ({ status: 409, body: { message: 'no' } }));
    for (let times = 0; times < 2; times += 1) expect(await fund(steps, paymentId)).toEqual({ kind: 'refused' });
    expect(steps.asked('/fund')).toBe(1);
  });

  test('whose answer was lost is read before it is sent again', async () => {
    const { paymentId } = await aCreatedPayment(testDatabase);
    await anOpenRequest(testDatabase, paymentId, 'fund');
    const steps = await stepsAnswered(testDatabase, () => ({ status: 500 }));
    expect(await fund(steps, paymentId)).toEqual({ kind: 'read_required' });
    expect(steps.asked('/fund')).toBe(0);
  });
});
