import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refreshPaymentActivity } from '../../activities/payments/refresh-payment.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { listToReadSingly } from '../../store/payments/poll-batches.ts';
import { summarizeInFlight } from '../../store/payments/poll-plan.ts';
import { listPendingNotifications } from '../../store/payments/pending-notifications.ts';
import { readOpenRequest } from '../../store/payments/request-history.ts';
import { storeWebhook } from '../../store/webhooks/webhook-inbox.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT } from '../store/a-stored-run.ts';
import { asActivity } from './activities-under-test.ts';
import { resolvedAs } from './resolved-payments.ts';
import { anEarlierRequest, anOpenRequest, aQuotedPayment, put, stepsAnswered } from './steps-answered.ts';

/** A payment whose creation was not seen is looked for, without anybody who resolves it. */

const DAY_MS = 86_400_000;

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

type Quoted = Awaited<ReturnType<typeof aQuotedPayment>>;

/** It became unknown, since a creation was not seen, so long ago. */
async function anUnseenCreation(age = '11 minutes', isOpen = false): Promise<Quoted> {
  const payment = await aQuotedPayment(testDatabase);
  const { paymentId } = payment;
  if (isOpen) await anOpenRequest(testDatabase, paymentId, 'create');
  else await anEarlierRequest(testDatabase, paymentId, 'create', 'not_seen', 'unknown_outcome');
  const to = isOpen ? 'unknown' : 'held';
  expect(await transitionPayment(testDatabase.asWorker, { paymentId, to, kind: 'held', update: {} })).toBe('unknown');
  await put(testDatabase, paymentId, 'ended_at = now() - $2::interval', age);
  return payment;
}

const isToBeRead = async ({ paymentId }: Quoted): Promise<boolean> => {
  const limits = { ageLimitMs: DAY_MS, fundsAgeLimitMs: DAY_MS, limit: 1_000 };
  return (await listToReadSingly(testDatabase.asWorker, ACCOUNT, limits)).includes(paymentId);
};

const keepsLooking = async (): Promise<number> =>
  (await summarizeInFlight(testDatabase.asWorker, ACCOUNT, { fundsAgeLimitMs: DAY_MS })).unknown;

/** The state after the provider answered with these payments. */
async function stateAfter({ paymentId }: Quoted, shown: unknown[]): Promise<unknown> {
  const { dependencies } = await stepsAnswered(testDatabase, () => ({ body: shown }));
  return asActivity(() => refreshPaymentActivity(dependencies)({ paymentId }));
}

const eventOf = (resourceId: string, saysEnded = false) =>
  storeWebhook(testDatabase.asServer, {
    ...{ account: ACCOUNT, bodySha256: randomUUID(), body: '{}', kind: 'simple_payment', resourceId, saysEnded },
  });

describe('a payment whose creation was not seen', () => {
  test('is not looked for while it is being created: whoever creates it records it', async () => {
    const payment = await aQuotedPayment(testDatabase);
    await anOpenRequest(testDatabase, payment.paymentId, 'create');
    expect(await stateAfter(payment, [payment.shown])).toMatchObject({ state: 'quoted' });
    expect(await readOpenRequest(testDatabase.asWorker, payment.paymentId, 'create')).not.toBeNull();
    const asked = 'select from payment_lookups where payment_id = $1';
    expect((await testDatabase.database.query(asked, [payment.paymentId])).rows).toEqual([]);
  });

  test('is looked for at growing intervals for a week, during which the poller goes on', async () => {
    const before = await keepsLooking();
    const payment = await anUnseenCreation();
    expect(await keepsLooking()).toBe(before + 1);
    expect([await isToBeRead(payment), await isToBeRead(payment)]).toEqual([true, false]);
    await put(testDatabase, payment.paymentId, `ended_at = now() - interval '8 days', tried_at = null`);
    expect([await isToBeRead(payment), await keepsLooking()]).toEqual([false, before]);
  });

  test('is not looked for where a creation was refused, as nothing can exist', async () => {
    const payment = await aQuotedPayment(testDatabase);
    await anEarlierRequest(testDatabase, payment.paymentId, 'create', 'refused', 'refused');
    await put(testDatabase, payment.paymentId, `state = 'unknown', ended_at = now() - interval '1 hour'`);
    expect(await isToBeRead(payment)).toBe(false);
  });

  test('is looked for at an event of a payment that nobody knows, once a minute at most', async () => {
    const payment = await anUnseenCreation('1 minute');
    const known = await aQuotedPayment(testDatabase);
    await put(testDatabase, known.paymentId, `state = 'paid', provider_payment_id = 'known-to-us'`);
    await eventOf('known-to-us');
    expect(await isToBeRead(payment)).toBe(false);
    await eventOf('known-to-nobody');
    expect(await isToBeRead(payment)).toBe(true);
    await eventOf('known-to-nobody');
    expect(await isToBeRead(payment)).toBe(false);
  });

  test.each([true, false])(
    'has the outcome that the provider shows later (its creation is open: %s)',
    async (isOpen) => {
      const payment = await anUnseenCreation('11 minutes', isOpen);
      const { paymentId, shown } = payment;
      expect(await stateAfter(payment, [])).toEqual({ kind: 'moved_on', state: 'unknown' });
      const completed = { ...shown, status: 'completed' };
      expect(await stateAfter(payment, [completed])).toEqual({ kind: 'moved_on', state: 'paid' });
      expect((await readPayment(testDatabase.asWorker, paymentId)).providerPaymentId).toBe(shown.simplePaymentId);
      expect(await readOpenRequest(testDatabase.asWorker, paymentId, 'create')).toBeNull();
      const pending = await listPendingNotifications(testDatabase.asWorker, ACCOUNT, 1_000);
      expect(pending.map((notification) => notification.paymentId)).toContain(paymentId);
    },
  );

  test('stays with people where the provider shows it unfunded, and is read by its id from then on', async () => {
    const payment = await anUnseenCreation();
    const { paymentId, shown } = payment;
    expect(await stateAfter(payment, [shown])).toEqual({ kind: 'moved_on', state: 'unknown' });
    expect(await readPayment(testDatabase.asWorker, paymentId)).toMatchObject({
      state: 'unknown',
      providerPaymentId: shown.simplePaymentId,
      providerStatus: 'awaiting_funds',
    });
  });

  test('stays with people where the provider shows several', async () => {
    const payment = await anUnseenCreation();
    const { paymentId, shown } = payment;
    const several = [shown, { ...shown, simplePaymentId: randomUUID(), status: 'completed' }];
    expect(await stateAfter(payment, several)).toEqual({ kind: 'moved_on', state: 'unknown' });
    expect((await readPayment(testDatabase.asWorker, paymentId)).providerPaymentId).toBeNull();
  });
});

const outcomeOf = async (paymentId: string): Promise<unknown> => {
  const { rows } = await testDatabase.database.query(
    `select payments.state, error_code as code, said.state as said,
       exists (select from outbox where subject_id = run_id::text and type = 'run.resolution_contradicted') as notified
     from payments join payment_manual_outcomes said using (payment_id) where payment_id = $1`,
    [paymentId],
  );
  return rows[0];
};

describe('a payment that two people resolved as never created', () => {
  const anAbsentOne = async (): Promise<Quoted> =>
    resolvedAs(testDatabase, await anUnseenCreation(), { outcome: 'never_created', state: 'cancelled' });

  test('is looked for during a week as well', async () => {
    const before = await keepsLooking();
    const payment = await anAbsentOne();
    expect([await isToBeRead(payment), await keepsLooking()]).toEqual([true, before + 1]);
    await put(testDatabase, payment.paymentId, `ended_at = now() - interval '8 days', tried_at = null`);
    expect([await isToBeRead(payment), await keepsLooking()]).toEqual([false, before]);
  });

  test('is unknown again where the provider shows it, and people are notified', async () => {
    const payment = await anAbsentOne();
    const { paymentId } = payment;
    expect(await stateAfter(payment, [])).toEqual({ kind: 'moved_on', state: 'cancelled' });
    expect(await stateAfter(payment, [payment.shown])).toEqual({ kind: 'moved_on', state: 'unknown' });
    expect(await outcomeOf(paymentId)).toEqual({
      ...{ state: 'unknown', code: 'resolution_contradicted', said: 'contradicted', notified: true },
    });
    expect((await readPayment(testDatabase.asWorker, paymentId)).providerPaymentId).toBe(payment.shown.simplePaymentId);
  });

  test('has the outcome that the provider shows, and people are notified of it all the same', async () => {
    const payment = await anAbsentOne();
    const completed = { ...payment.shown, status: 'completed' };
    expect(await stateAfter(payment, [completed])).toEqual({ kind: 'moved_on', state: 'paid' });
    expect(await outcomeOf(payment.paymentId)).toMatchObject({ state: 'paid', said: 'contradicted', notified: true });
  });

  test('stays so unless two people said it, whoever writes it', async () => {
    const { paymentId } = await anUnseenCreation();
    await put(testDatabase, paymentId, `state = 'cancelled', error_code = 'resolved_never_created'`);
    const moved = testDatabase.asWorker.query(`update payments set state = 'unknown' where payment_id = $1`, [
      paymentId,
    ]);
    await expect(moved).rejects.toThrow('cannot become unknown');
  });
});

describe.each(['failed', 'rejected'])('a payment that two people resolved as %s', (outcome) => {
  /** Of which the provider has shown an id, or none. */
  async function anUnpaidOne({ isKnown }: { isKnown: boolean }): Promise<Quoted> {
    const payment = await resolvedAs(testDatabase, await anUnseenCreation(), { outcome, state: outcome });
    if (isKnown) await put(testDatabase, payment.paymentId, 'provider_payment_id = $2', payment.shown.simplePaymentId);
    return payment;
  }
  const after = async (payment: Quoted, shown: object, isKnown: boolean): Promise<unknown> => {
    const { dependencies } = await stepsAnswered(testDatabase, () => ({ body: isKnown ? shown : [shown] }));
    const { paymentId } = payment;
    await asActivity(() => refreshPaymentActivity(dependencies)({ paymentId }));
    return outcomeOf(paymentId);
  };

  test.each([true, false])('and is known there is read during a week (%s), and at an event', async (isKnown) => {
    const before = await keepsLooking();
    const payment = await anUnpaidOne({ isKnown });
    expect([await isToBeRead(payment), await keepsLooking()]).toEqual([true, before + 1]);
    expect(await isToBeRead(payment)).toBe(false);
    await eventOf(payment.shown.simplePaymentId, isKnown);
    expect(await isToBeRead(payment)).toBe(true);
    await put(testDatabase, payment.paymentId, `ended_at = now() - interval '8 days', tried_at = null`);
    expect([await isToBeRead(payment), await keepsLooking()]).toEqual([false, before]);
  });

  test.each([true, false])('is contradicted where the provider shows it as paid (%s)', async (isKnown) => {
    const payment = await anUnpaidOne({ isKnown });
    const shown = { ...payment.shown, status: 'completed' };
    expect(await after(payment, shown, isKnown)).toMatchObject({ state: 'paid', said: 'contradicted', notified: true });
  });

  test.each(['processing', 'awaiting_funds'])('is unknown again where the provider shows it as %s', async (status) => {
    const payment = await anUnpaidOne({ isKnown: true });
    expect(await after(payment, { ...payment.shown, status }, true)).toEqual({
      ...{ state: 'unknown', code: 'resolution_contradicted', said: 'contradicted', notified: true },
    });
  });

  test.each(['failed', 'rejected', 'under_a_stone'])('stays so where the provider shows it as %s', async (status) => {
    const payment = await anUnpaidOne({ isKnown: true });
    expect(await after(payment, { ...payment.shown, status }, true)).toMatchObject({
      state: outcome,
      said: 'confirmed',
    });
  });

  test('stays so where the provider shows it unfunded past its cut-off time', async () => {
    const payment = await anUnpaidOne({ isKnown: true });
    const fundingCutoffTime = new Date(Date.now() - 60_000).toISOString();
    const shown = { ...payment.shown, fundingCutoffTime };
    expect(await after(payment, shown, true)).toMatchObject({ state: outcome, said: 'confirmed' });
  });
});
