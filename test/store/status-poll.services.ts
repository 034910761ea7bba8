import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveUpStalePayments } from '../../store/payments/stale-payments.ts';
import { listToReadSingly, nextPollRange, noteReadAttempt } from '../../store/payments/poll-batches.ts';
import { applyProviderStatuses, type StatusObservation } from '../../store/payments/provider-statuses.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { listPendingNotifications, markNotified } from '../../store/payments/pending-notifications.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, aStoredRun, putInto } from './a-stored-run.ts';

const HOUR_MS = 3_600_000;
const LIMITS = { ageLimitMs: 24 * HOUR_MS, fundsAgeLimitMs: 24 * HOUR_MS };

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

async function aProcessingPayment(fundedAgo = '1 minute') {
  const { paymentIds } = await aStoredRun(testDatabase.database);
  const payment = { paymentId: paymentIds[0] ?? '', providerPaymentId: randomUUID() };
  await putInto(testDatabase.database, payment.paymentId, 'processing', { ...payment, fundedAgo });
  return payment;
}

async function see(
  providerPaymentId: string,
  providerStatus: string,
  state: StatusObservation['state'],
): Promise<number> {
  return seeAsOf(await beginReading(testDatabase.database), providerPaymentId, providerStatus, state);
}

function seeAsOf(
  readAt: string,
  providerPaymentId: string,
  providerStatus: string,
  state: StatusObservation['state'],
): Promise<number> {
  return applyProviderStatuses(testDatabase.database, ACCOUNT, readAt, [
    { providerPaymentId, providerStatus, state, errorCode: null, errorMessage: null },
  ]);
}

async function pendingNotifications(): Promise<string[]> {
  return (await listPendingNotifications(testDatabase.database, ACCOUNT, 1_000)).map(({ paymentId }) => paymentId);
}

async function stateOf(paymentId: string): Promise<string | undefined> {
  return (await readPayment(testDatabase.database, paymentId)).state;
}

describe('what a read of the provider shows', () => {
  test('ends a payment, whose notification is pending until its workflow was notified of that state', async () => {
    const { paymentId, providerPaymentId } = await aProcessingPayment();
    expect(await see(providerPaymentId, 'completed', 'paid')).toBe(1);
    expect(await stateOf(paymentId)).toBe('paid');
    expect(await pendingNotifications()).toContain(paymentId);
    const [entry] = (await listPendingNotifications(testDatabase.database, ACCOUNT, 1_000)).filter(
      (candidate) => candidate.paymentId === paymentId,
    );
    if (entry === undefined) throw new Error('the payment is not among the pending notifications');
    await markNotified(testDatabase.database, [{ ...entry, state: 'failed' }]);
    expect(await pendingNotifications()).toContain(paymentId);
    await markNotified(testDatabase.database, [entry]);
    expect(await pendingNotifications()).not.toContain(paymentId);
  });

  test('trap 40: never moves a payment back: an older observation changes nothing', async () => {
    const { paymentId, providerPaymentId } = await aProcessingPayment();
    await expect(see(providerPaymentId, 'awaiting_funds', 'created')).resolves.toBe(0);
    expect(await stateOf(paymentId)).toBe('processing');
    await see(providerPaymentId, 'completed', 'paid');
    await expect(see(providerPaymentId, 'processing', 'processing')).resolves.toBe(0);
    expect(await stateOf(paymentId)).toBe('paid');
  });

  test('is stored without a transition when its status is unknown', async () => {
    const { paymentId, providerPaymentId } = await aProcessingPayment();
    expect(await see(providerPaymentId, 'under_review', null)).toBe(0);
    expect(await readPayment(testDatabase.database, paymentId)).toMatchObject({
      state: 'processing',
      providerStatus: 'under_review',
    });
  });

  test('changes nothing for one of several payments with the same reference', async () => {
    const { paymentId, providerPaymentId } = await aProcessingPayment();
    await bypassTriggers(
      testDatabase.database,
      `update payments set state = 'unknown', error_code = 'found_more_than_once' where payment_id = $1`,
      [paymentId],
    );
    expect(await see(providerPaymentId, 'completed', 'paid')).toBe(0);
    expect(await stateOf(paymentId)).toBe('unknown');
  });

  test('ignores payments that are not in the database', async () => {
    expect(await see('of-another-system', 'completed', 'paid')).toBe(0);
  });
});

describe('a payment that the provider does not show', () => {
  const giveUp = () => giveUpStalePayments(testDatabase.database, ACCOUNT, HOUR_MS);

  test('becomes unknown after its age limit and a read, and a younger one does not', async () => {
    const [old, young] = [await aProcessingPayment('90 minutes'), await aProcessingPayment('1 minute')];
    await giveUp();
    expect(await stateOf(old.paymentId)).toBe('processing');
    expect(await toRead()).toContain(old.paymentId);
    for (const { providerPaymentId } of [old, young]) await see(providerPaymentId, 'processing', 'processing');
    expect(await toRead()).not.toContain(old.paymentId);
    await giveUp();
    expect([await stateOf(old.paymentId), await stateOf(young.paymentId)]).toEqual(['unknown', 'processing']);
    expect(await pendingNotifications()).toContain(old.paymentId);
  });

  test('that cannot be read is given up after twice the time', async () => {
    const { paymentId } = await aProcessingPayment('3 hours');
    await giveUp();
    expect(await stateOf(paymentId)).toBe('unknown');
  });

  test('is read again while it is unknown, at growing intervals, and changes when it has ended', async () => {
    const { paymentId, providerPaymentId } = await aProcessingPayment('3 hours');
    await giveUp();
    expect(await toRead()).not.toContain(paymentId);
    await isUnknownFor(paymentId, '11 minutes');
    expect(await toRead()).toContain(paymentId);
    await see(providerPaymentId, 'processing', 'processing');
    expect([await stateOf(paymentId), (await toRead()).includes(paymentId)]).toEqual(['unknown', false]);
    await receiveWebhook(paymentId);
    expect(await toRead()).toContain(paymentId);
    await see(providerPaymentId, 'completed', 'paid');
    expect(await stateOf(paymentId)).toBe('paid');
  });
});

describe('the payments to read next', () => {
  /** Created with the provider a minute apart, in this order, on a separate account. */
  async function inFlight(count: number): Promise<{ account: string; paymentIds: string[] }> {
    const account = `account-${randomUUID()}`;
    const { paymentIds } = await aStoredRun(testDatabase.database, count);
    for (const [index, paymentId] of paymentIds.entries()) {
      await putInto(testDatabase.database, paymentId, 'processing', {
        providerPaymentId: randomUUID(),
        fundedAgo: '1 hour',
      });
      await bypassTriggers(
        testDatabase.database,
        `update payments set account = $2, provider_created_at = '2026-01-05'::timestamptz + make_interval(mins => $3)
         where payment_id = $1`,
        [paymentId, account, index],
      );
    }
    return { account, paymentIds };
  }

  /** A poll of a provider that shows the requested payments for which `shows` is true. */
  async function round(account: string, limit: number, shows: (paymentId: string) => boolean): Promise<string[]> {
    const { database } = testDatabase;
    const readAt = await beginReading(database);
    const asked = (await nextPollRange(database, account, limit))?.payments ?? [];
    const seen = asked.filter(({ paymentId }) => shows(paymentId));
    const observation = {
      providerStatus: 'processing',
      state: 'processing',
      errorCode: null,
      errorMessage: null,
    } as const;
    await applyProviderStatuses(
      database,
      account,
      readAt,
      seen.map(({ providerPaymentId }) => ({ providerPaymentId, ...observation })),
    );
    const paymentIds = asked.map(({ paymentId }) => paymentId);
    await noteReadAttempt(database, paymentIds, readAt);
    return paymentIds;
  }

  test('are all payments in flight if they are few', async () => {
    const { account, paymentIds } = await inFlight(3);
    for (let times = 0; times < 2; times += 1) expect(await round(account, 3, () => true)).toEqual(paymentIds);
  });

  test('take turns if they are many, whatever the reads show', async () => {
    const { account, paymentIds } = await inFlight(7);
    const turns = [];
    for (let times = 0; times < 4; times += 1) turns.push(await round(account, 3, () => times % 2 === 0));
    expect(turns.slice(0, 3)).toEqual([paymentIds.slice(0, 3), paymentIds.slice(3, 6), paymentIds.slice(6)]);
    expect(turns[3]).toEqual(paymentIds.slice(0, 3));
  });

  test('begin with those that had a webhook', async () => {
    const { account, paymentIds } = await inFlight(6);
    await receiveWebhook(paymentIds[4] ?? '');
    expect(await round(account, 2, () => false)).toEqual(paymentIds.slice(4));
    // It was asked for and not shown: it is read singly, and the others are read next.
    expect(await round(account, 2, () => true)).toEqual(paymentIds.slice(0, 2));
    const single = await listToReadSingly(testDatabase.database, account, { ...LIMITS, limit: 20 });
    expect(single).toEqual([paymentIds[4], paymentIds[5]]);
  });

  test('that a read left out are read singly, the longest unread first', async () => {
    const { account, paymentIds } = await inFlight(5);
    await round(account, 5, () => false);
    const next = () => listToReadSingly(testDatabase.database, account, { ...LIMITS, limit: 2 });
    const read: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      for (const paymentId of await next()) {
        read.push(paymentId);
        const { providerPaymentId } = await readPayment(testDatabase.database, paymentId);
        const readAt = await beginReading(testDatabase.database);
        await applyProviderStatuses(testDatabase.database, account, readAt, [
          {
            providerPaymentId: providerPaymentId ?? '',
            providerStatus: 'processing',
            state: 'processing',
            errorCode: null,
            errorMessage: null,
          },
        ]);
      }
    }
    expect(read.sort()).toEqual([...paymentIds].sort());
    expect(await next()).toEqual([]);
  });

  test('without a known creation time are read singly as well', async () => {
    const { account, paymentIds } = await inFlight(2);
    const [first = ''] = paymentIds;
    await bypassTriggers(
      testDatabase.database,
      'update payments set provider_created_at = null where payment_id = $1',
      [first],
    );
    expect(await round(account, 5, () => true)).toEqual(paymentIds.slice(1));
    expect(await listToReadSingly(testDatabase.database, account, { ...LIMITS, limit: 5 })).toEqual([first]);
  });

  test.each([
    ['2 minutes', '50 seconds', false],
    ['2 minutes', '70 seconds', true],
    ['40 minutes', '9 minutes', false],
    ['40 minutes', '11 minutes', true],
  ])('without a known creation time, funded %s ago and read %s ago: read again %s', async (funded, read, isDue) => {
    const { account, paymentIds } = await inFlight(1);
    await bypassTriggers(
      testDatabase.database,
      `update payments set provider_created_at = null, asked_at = null, funded_at = now() - $2::interval,
         polled_at = now() - $3::interval where payment_id = any($1)`,
      [paymentIds, funded, read],
    );
    const due = await listToReadSingly(testDatabase.database, account, { ...LIMITS, limit: 5 });
    expect(due).toEqual(isDue ? paymentIds : []);
  });
});

const toRead = () => listToReadSingly(testDatabase.database, ACCOUNT, { ...LIMITS, ageLimitMs: HOUR_MS, limit: 1_000 });

const receiveWebhook = (paymentId: string) =>
  testDatabase.database.query('update payments set webhook_received_at = clock_timestamp() where payment_id = $1', [
    paymentId,
  ]);

const isUnknownFor = (paymentId: string, age: string) =>
  bypassTriggers(testDatabase.database, 'update payments set ended_at = now() - $2::interval where payment_id = $1', [
    paymentId,
    age,
  ]);
