import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareFundsActivity } from '../../activities/payments/compare-funds.ts';
import { resolvePaymentCreationActivity } from '../../activities/payments/resolve-payment-creation.ts';
import { fundPaymentActivity } from '../../activities/payments/fund-payment.ts';
import { giveUpPaymentActivity } from '../../activities/payments/give-up-payment.ts';
import { holdPaymentActivity } from '../../activities/payments/hold-payment.ts';
import { refreshPaymentActivity } from '../../activities/payments/refresh-payment.ts';
import { saveBalances } from '../../store/payments/balance-snapshots.ts';
import { resolveOpenRequest, transitionPayment } from '../../store/payments/payment-outcome.ts';
import { readOpenRequest } from '../../store/payments/request-history.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT } from '../store/a-stored-run.ts';
import { asActivity } from './activities-under-test.ts';
import {
  aCreatedPayment,
  anEarlierRequest,
  anOpenRequest,
  aQuotedPayment,
  put,
  stepsAnswered,
} from './steps-answered.ts';

/** What the answer to a lookup shows about a request with an unknown outcome, and what it does not show. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const recordOf = (paymentId: string) => readPayment(testDatabase.asWorker, paymentId);

type Shown = Awaited<ReturnType<typeof aQuotedPayment>>['shown'];

type Hold = Parameters<ReturnType<typeof holdPaymentActivity>>[0];

describe('a lookup by reference', () => {
  /** The result of a lookup that is answered with these payments. */
  async function foundWith(answer: (shown: Shown) => unknown[]) {
    const { paymentId, shown } = await aQuotedPayment(testDatabase);
    await anOpenRequest(testDatabase, paymentId, 'create');
    const { dependencies } = await stepsAnswered(testDatabase, () => ({ body: answer(shown) }));
    return { paymentId, shown, found: asActivity(() => resolvePaymentCreationActivity(dependencies)({ paymentId })) };
  }
  const isOpen = async (paymentId: string) =>
    (await readOpenRequest(testDatabase.asWorker, paymentId, 'create')) !== null;

  test('that shows our payment among others adopts ours', async () => {
    const { paymentId, shown, found } = await foundWith((ours) => [
      { ...ours, simplePaymentId: 'another', referenceId: 'another-1' },
      ours,
    ]);
    expect(await found).toEqual({ kind: 'found', state: 'created' });
    expect((await recordOf(paymentId)).providerPaymentId).toBe(shown.simplePaymentId);
  });

  test('that shows nothing lets the payment be created again', async () => {
    const { paymentId, found } = await foundWith(() => []);
    expect(await found).toEqual({ kind: 'absent' });
    expect(await isOpen(paymentId)).toBe(false);
  });

  test('that shows only other payments is inconclusive', async () => {
    const { paymentId, found } = await foundWith((ours) => [{ ...ours, referenceId: 'another-1' }]);
    await expect(found).rejects.toMatchObject({ type: 'lookup_inconclusive' });
    expect(await isOpen(paymentId)).toBe(true);
  });

  test('that shows several payments leaves them to people', async () => {
    const { paymentId, found } = await foundWith((ours) => [ours, { ...ours, simplePaymentId: 'a-second' }]);
    expect(await found).toEqual({ kind: 'found', state: 'unknown' });
    expect((await recordOf(paymentId)).state).toBe('unknown');
  });

  test('that shows another amount than was approved makes the payment unknown, never funded', async () => {
    const { found } = await foundWith((ours) => [{ ...ours, sellAmount: '1010.00' }]);
    expect(await found).toEqual({ kind: 'found', state: 'unknown' });
  });

  /** A creation that was not seen, then another one with a dearer quote, whose answer is lost; then the lookup shows a payment. */
  async function foundAfterTwoQuotes(amounts: { sellAmount: string; totalAmount: string }) {
    const { paymentId, shown } = await aQuotedPayment(testDatabase);
    const instruction = `instruction || '{"amountSide": "buy", "amount": "80.00"}'`;
    await put(testDatabase, paymentId, `instruction = ${instruction}`);
    const requestId = await anOpenRequest(testDatabase, paymentId, 'create');
    const notSeen = { requestId, outcome: 'not_seen', to: null, update: {} } as const;
    await resolveOpenRequest(testDatabase.asWorker, notSeen);
    await put(testDatabase, paymentId, 'sell_amount = 103, total_amount = 104');
    await anOpenRequest(testDatabase, paymentId, 'create');
    const { dependencies } = await stepsAnswered(testDatabase, () => ({ body: [{ ...shown, ...amounts }] }));
    const found = await asActivity(() => resolvePaymentCreationActivity(dependencies)({ paymentId }));
    const { rows } = await testDatabase.database.query(
      'select error_code, ended_at is not null as "isReadAgain" from payments where payment_id = $1',
      [paymentId],
    );
    return { found, rows };
  }

  test('that shows a payment of an earlier quote compares it with that one', async () => {
    const earlier = await foundAfterTwoQuotes({ sellAmount: '101.00', totalAmount: '102.00' });
    expect(earlier.found).toEqual({ kind: 'found', state: 'created' });
    const newest = await foundAfterTwoQuotes({ sellAmount: '103.00', totalAmount: '104.00' });
    expect(newest.found).toEqual({ kind: 'found', state: 'created' });
  });

  test.each([
    ['103.00', '102.00'],
    ['105.00', '106.00'],
  ])(
    'that shows a payment of no quote (%s, in all %s) makes it unknown, to be read again',
    async (sellAmount, totalAmount) => {
      const { found, rows } = await foundAfterTwoQuotes({ sellAmount, totalAmount });
      expect(found).toEqual({ kind: 'found', state: 'unknown' });
      expect(rows).toEqual([{ error_code: 'created_differs', isReadAgain: true }]);
    },
  );

  test('that shows an unknown status leaves the request open', async () => {
    const { paymentId, found } = await foundWith((ours) => [{ ...ours, status: 'under_a_stone' }]);
    await expect(found).rejects.toMatchObject({ type: 'status_not_known' });
    expect(await isOpen(paymentId)).toBe(true);
  });
});

test.each(['awaiting_funds', 'completed'])(
  'a read that returns another payment, %s, does not resolve the funding',
  async (status) => {
    const { paymentId, shown } = await aCreatedPayment(testDatabase);
    const requestId = await anOpenRequest(testDatabase, paymentId, 'fund');
    const another = { ...shown, simplePaymentId: 'another', status };
    const { dependencies } = await stepsAnswered(testDatabase, () => ({ body: another }));
    const read = asActivity(() => refreshPaymentActivity(dependencies)({ paymentId }));
    await expect(read).rejects.toMatchObject({ type: 'provider_unknown_outcome' });
    expect(await readOpenRequest(testDatabase.asWorker, paymentId, 'fund')).toMatchObject({ requestId });
    expect(await recordOf(paymentId)).toMatchObject({ state: 'created', providerPaymentId: shown.simplePaymentId });
  },
);

test('a payment that stays unfunded after repeated refusals is unknown, not failed: it could still be funded there', async () => {
  const { paymentId, shown } = await aCreatedPayment(testDatabase);
  for (let times = 0; times < 3; times += 1) {
    await anEarlierRequest(testDatabase, paymentId, 'fund', 'not_seen', 'refused');
  }
  await anOpenRequest(testDatabase, paymentId, 'fund', 'refused');
  const { dependencies } = await stepsAnswered(testDatabase, () => ({ body: shown }));
  const read = asActivity(() => refreshPaymentActivity(dependencies)({ paymentId }));
  expect(await read).toEqual({ kind: 'moved_on', state: 'unknown' });
  expect((await recordOf(paymentId)).state).toBe('unknown');
});

test.each(['created', 'awaiting_funds'])(
  'a payment, %s, whose MAC is of an earlier secret is funded after a read shows it as approved',
  async (state) => {
    const { paymentId, shown } = await aCreatedPayment(testDatabase);
    await put(
      testDatabase,
      paymentId,
      `state = $2, payment_mac = 'of an earlier secret', funds_seen_at = now() + interval '1 minute'`,
      state,
    );
    await anEarlierRequest(testDatabase, paymentId, 'fund', 'refused', 'refused');
    const steps = await stepsAnswered(testDatabase, (path) => ({
      body: path.endsWith('/fund') ? { ...shown, status: 'processing' } : shown,
    }));
    const fund = () => asActivity(() => fundPaymentActivity(steps.dependencies)({ paymentId }));
    expect(await fund()).toEqual({ kind: 'read_required' });
    await asActivity(() => refreshPaymentActivity(steps.dependencies)({ paymentId }));
    expect((await recordOf(paymentId)).state).toBe(state);
    expect(await fund()).toEqual({ kind: 'funded', state: 'processing' });
    expect(steps.asked('/fund')).toBe(1);
  },
);

describe('a balance that is too small', () => {
  const keep = async (amount: string) =>
    saveBalances(testDatabase.asWorker, ACCOUNT, await beginReading(testDatabase.asWorker), [
      { currency: 'USD', amount },
    ]);

  /** Whether funds count as short. A balance that is read now is high enough. */
  async function isShort(paymentId: string): Promise<boolean> {
    const { dependencies } = await stepsAnswered(testDatabase, () => ({
      body: [{ id: 'b', currency: 'USD', amount: '1000.00' }],
    }));
    return (await asActivity(() => compareFundsActivity(dependencies)({ paymentId }))).isShort;
  }

  test('explains a refused funding', async () => {
    const { paymentId } = await aCreatedPayment(testDatabase);
    await anOpenRequest(testDatabase, paymentId, 'fund', 'refused');
    await keep('0.00');
    expect(await isShort(paymentId)).toBe(true);
    expect((await recordOf(paymentId)).state).toBe('awaiting_funds');
  });

  test('does not resolve a funding with an unknown outcome', async () => {
    const { paymentId } = await aCreatedPayment(testDatabase);
    await anOpenRequest(testDatabase, paymentId, 'fund');
    await keep('0.00');
    expect(await isShort(paymentId)).toBe(false);
    expect(await readOpenRequest(testDatabase.asWorker, paymentId, 'fund')).not.toBeNull();
  });

  test('does not count if it was read before the refusal', async () => {
    const { paymentId } = await aCreatedPayment(testDatabase);
    await keep('0.00');
    await anOpenRequest(testDatabase, paymentId, 'fund', 'refused');
    expect(await isShort(paymentId)).toBe(false);
  });
});

describe('a payment that cannot be sent', () => {
  const giveUp = async (paymentId: string) => {
    const { dependencies } = await stepsAnswered(testDatabase, () => ({ status: 500 }));
    return asActivity(() => giveUpPaymentActivity(dependencies)({ paymentId }));
  };

  test('is held if the provider has nothing of it', async () => {
    const { paymentId } = await aQuotedPayment(testDatabase);
    expect(await giveUp(paymentId)).toEqual({ state: 'held' });
  });

  test('is unknown if the provider may have it', async () => {
    const { paymentId } = await aQuotedPayment(testDatabase);
    await anOpenRequest(testDatabase, paymentId, 'create');
    await expect(giveUp(paymentId)).resolves.toEqual({ state: 'unknown' });
    const created = await aCreatedPayment(testDatabase);
    expect(await giveUp(created.paymentId)).toEqual({ state: 'unknown' });
  });

  test('is not held for its files while a create request is open', async () => {
    const { paymentId } = await aQuotedPayment(testDatabase);
    await anOpenRequest(testDatabase, paymentId, 'create');
    const { dependencies } = await stepsAnswered(testDatabase, () => ({ status: 500 }));
    const hold = { paymentId, code: 'upload_refused' } as const;
    expect(await asActivity(() => holdPaymentActivity(dependencies)(hold))).toEqual({ state: 'quoted' });
    expect((await recordOf(paymentId)).state).toBe('quoted');
  });

  test('is held in words of payrun alone, whatever a workflow says', async () => {
    const { dependencies } = await stepsAnswered(testDatabase, () => ({ status: 500 }));
    const { paymentId } = await aQuotedPayment(testDatabase);
    const hold = (said: object) => asActivity(() => holdPaymentActivity(dependencies)(said as Hold));
    await expect(hold({ paymentId, code: 'paid_elsewhere' })).rejects.toMatchObject({ type: 'unknown_code' });
    expect((await recordOf(paymentId)).state).toBe('quoted');
    await hold({ paymentId, code: 'upload_refused', message: 'pay it by telephone' });
    const { rows } = await testDatabase.database.query(
      'select error_message as says from payments where payment_id = $1',
      [paymentId],
    );
    expect(rows).toEqual([{ says: 'the provider does not accept a supporting file' }]);
  });

  test.each(['held', 'rejected', 'failed', 'cancelled'] as const)(
    'that was only not seen is not %s by any path: it is unknown',
    async (to) => {
      const { paymentId } = await aQuotedPayment(testDatabase);
      await anEarlierRequest(testDatabase, paymentId, 'create', 'not_seen', 'unknown_outcome');
      const end = { paymentId, to, kind: 'held', update: { error_code: 'upload_refused' } } as const;
      expect(await transitionPayment(testDatabase.asWorker, end)).toBe('unknown');
      const { rows } = await testDatabase.database.query(
        `select state, error_code, ended_at is not null as ended,
           (select detail ->> 'state' from audit_entries where audit_entries.payment_id = $1 and kind = 'held') as audited
         from payments where payment_id = $1`,
        [paymentId],
      );
      expect(rows).toEqual([{ state: 'unknown', error_code: 'creation_uncertain', ended: true, audited: 'unknown' }]);
    },
  );

  test('is unknown, and not held, where a creation was only not seen', async () => {
    const { paymentId } = await aQuotedPayment(testDatabase);
    await anEarlierRequest(testDatabase, paymentId, 'create', 'not_seen', 'unknown_outcome');
    const { dependencies } = await stepsAnswered(testDatabase, () => ({ status: 500 }));
    const hold = { paymentId, code: 'upload_refused' } as const;
    expect(await asActivity(() => holdPaymentActivity(dependencies)(hold))).toEqual({ state: 'unknown' });
    expect((await recordOf(paymentId)).state).toBe('unknown');
  });
});
