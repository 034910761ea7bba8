import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPaymentActivity } from '../../activities/payments/create-payment.ts';
import { fundPaymentActivity } from '../../activities/payments/fund-payment.ts';
import { refreshPaymentActivity } from '../../activities/payments/refresh-payment.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { asActivity } from './activities-under-test.ts';
import { resolvedAs } from './resolved-payments.ts';
import {
  aCreatedPayment,
  anEarlierRequest,
  aQuotedPayment,
  put,
  type SteppedPayment,
  stepsAnswered,
} from './steps-answered.ts';

/** Two people said that a payment was never created, it was submitted again, and then the provider shows the first one. */

let testDatabase: TestDatabase;
let first: SteppedPayment;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  first = await aQuotedPayment(testDatabase);
  await anEarlierRequest(testDatabase, first.paymentId, 'create', 'not_seen', 'unknown_outcome');
  await resolvedAs(testDatabase, first, { outcome: 'never_created', state: 'cancelled' });
});

async function contradict(): Promise<void> {
  const { dependencies } = await stepsAnswered(testDatabase, () => ({ body: [first.shown] }));
  await asActivity(() => refreshPaymentActivity(dependencies)({ paymentId: first.paymentId }));
  expect(await rowOf(first)).toMatchObject({ state: 'unknown', code: 'resolution_contradicted' });
}

async function rowOf({ paymentId }: SteppedPayment): Promise<{ state: string; code: string | null; message: string }> {
  const { rows } = await testDatabase.database.query<{ state: string; code: string | null; message: string }>(
    'select state, error_code as code, error_message as message from payments where payment_id = $1',
    [paymentId],
  );
  return rows[0] ?? { state: 'missing', code: null, message: '' };
}

const isNotified = async (): Promise<boolean> => {
  const { rows } = await testDatabase.database.query(
    `select from outbox join payments on subject_id = run_id::text where type = 'run.copy_paid' and payment_id = $1`,
    [first.paymentId],
  );
  return rows.length === 1;
};

/** Tries a step of the payment. Returns how often the provider was asked for it. */
async function tried({ paymentId, shown }: SteppedPayment, step: 'create' | 'fund'): Promise<number> {
  const steps = await stepsAnswered(testDatabase, () => ({ body: shown }));
  const { dependencies } = steps;
  if (step === 'create') await asActivity(() => createPaymentActivity(dependencies)({ paymentId }));
  else await asActivity(() => fundPaymentActivity(dependencies)({ paymentId }));
  return steps.asked(step);
}

const HELD = { state: 'held', code: 'repeats_contradicted' };

describe('what was submitted again in the place of a row that the provider shows after all', () => {
  test('is held, and not created', async () => {
    const copy = await aQuotedPayment(testDatabase);
    await contradict();
    expect(await tried(copy, 'create')).toBe(0);
    expect(await rowOf(copy)).toMatchObject(HELD);
    expect((await rowOf(first)).message).toContain('is held');
    expect(await isNotified()).toBe(false);
  });

  test('is held as well where it pays the same under another reference', async () => {
    const [copy, other] = [await aQuotedPayment(testDatabase), await aQuotedPayment(testDatabase)];
    await put(
      testDatabase,
      first.paymentId,
      `row_ref = 'another', account_hash = (select account_hash from payments where payment_id = $2)`,
      copy.paymentId,
    );
    await contradict();
    expect([await tried(copy, 'create'), await tried(other, 'create')]).toEqual([0, 1]);
    expect(await rowOf(copy)).toMatchObject(HELD);
  });

  test('is for people where the provider has it, and is not funded', async () => {
    const copy = await aCreatedPayment(testDatabase);
    await contradict();
    expect(await tried(copy, 'fund')).toBe(0);
    expect(await rowOf(copy)).toMatchObject({ ...HELD, state: 'unknown' });
  });

  test('is not paid either where the first one is paid by then', async () => {
    const copy = await aQuotedPayment(testDatabase);
    await contradict();
    await put(testDatabase, first.paymentId, `state = 'paid'`);
    expect(await tried(copy, 'create')).toBe(0);
    expect(await rowOf(copy)).toMatchObject(HELD);
  });

  test('is paid once the first one is resolved as unpaid', async () => {
    const copy = await aQuotedPayment(testDatabase);
    await contradict();
    await put(testDatabase, first.paymentId, `state = 'rejected'`);
    expect(await tried(copy, 'create')).toBe(1);
  });

  test.each([
    ['paid', `state = 'paid', funded_at = now(), ended_at = now()`],
    ['being paid', `state = 'created'`],
  ])('is an alert where it is %s already', async (_how, assignments) => {
    const copy = await aCreatedPayment(testDatabase);
    await anEarlierRequest(testDatabase, copy.paymentId, 'fund', 'took_effect', 'as_asked');
    await put(testDatabase, copy.paymentId, assignments);
    await contradict();
    expect(await isNotified()).toBe(true);
    expect((await rowOf(first)).message).toContain('was paid, or is being paid');
  });
});

test('what is submitted after that is paid: it was compared with the first one', async () => {
  await contradict();
  expect(await tried(await aQuotedPayment(testDatabase), 'create')).toBe(1);
});

test('what was paid before two people spoke of the first one is no copy of it', async () => {
  const before = await aCreatedPayment(testDatabase);
  await put(testDatabase, before.paymentId, `state = 'paid', funded_at = now(), ended_at = now()`);
  await testDatabase.database.query(
    'update payment_manual_outcomes set closed_at = clock_timestamp() where payment_id = $1',
    [first.paymentId],
  );
  await contradict();
  expect(await isNotified()).toBe(false);
});
