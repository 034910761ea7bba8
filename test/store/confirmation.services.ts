import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveUpOnOld, listUntold, markTold, recordSightings, type Sighting } from '../../store/confirmation.ts';
import { beginReading } from '../../store/reading.ts';
import { readPayment } from '../../store/payments.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, aStoredRun, putInto } from './a-stored-run.ts';

const HOUR_MS = 3_600_000;

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

async function see(providerPaymentId: string, providerStatus: string, state: Sighting['state']): Promise<number> {
  return seeAsOf(await beginReading(testDatabase.database), providerPaymentId, providerStatus, state);
}

function seeAsOf(
  readAt: string,
  providerPaymentId: string,
  providerStatus: string,
  state: Sighting['state'],
): Promise<number> {
  return recordSightings(testDatabase.database, ACCOUNT, readAt, [
    { providerPaymentId, providerStatus, state, errorCode: null, errorMessage: null },
  ]);
}

async function untold(): Promise<string[]> {
  return (await listUntold(testDatabase.database, ACCOUNT, 1_000)).map(({ paymentId }) => paymentId);
}

async function stateOf(paymentId: string): Promise<string | undefined> {
  return (await readPayment(testDatabase.database, paymentId)).state;
}

describe('what a read of the provider shows', () => {
  test('ends a payment, which stays untold until its workflow was told of that very state', async () => {
    const { paymentId, providerPaymentId } = await aProcessingPayment();
    expect(await see(providerPaymentId, 'completed', 'paid')).toBe(1);
    expect(await stateOf(paymentId)).toBe('paid');
    const [entry] = (await listUntold(testDatabase.database, ACCOUNT, 1_000)).filter(
      (candidate) => candidate.paymentId === paymentId,
    );
    if (entry === undefined) throw new Error('the payment is not among the untold');
    await markTold(testDatabase.database, [{ ...entry, state: 'failed' }]);
    expect(await untold()).toContain(paymentId);
    await markTold(testDatabase.database, [entry]);
    expect(await untold()).not.toContain(paymentId);
  });

  test('trap 40: never moves a payment back: an older sighting changes nothing', async () => {
    const { paymentId, providerPaymentId } = await aProcessingPayment();
    await see(providerPaymentId, 'awaiting_funds', 'created');
    expect(await stateOf(paymentId)).toBe('processing');
    await see(providerPaymentId, 'completed', 'paid');
    await see(providerPaymentId, 'processing', 'processing');
    expect(await stateOf(paymentId)).toBe('paid');
  });

  test('is kept and moves nothing when its status is not known', async () => {
    const { paymentId, providerPaymentId } = await aProcessingPayment();
    expect(await see(providerPaymentId, 'under_review', null)).toBe(0);
    expect(await readPayment(testDatabase.database, paymentId)).toMatchObject({
      state: 'processing',
      providerStatus: 'under_review',
    });
  });

  test('of a payment that is nobody’s here is passed over', async () => {
    expect(await see('of-another-system', 'completed', 'paid')).toBe(0);
  });
});

describe('a payment that the provider says nothing of', () => {
  test('becomes unknown past its age limit, and a younger one does not', async () => {
    const [old, young] = [await aProcessingPayment('2 hours'), await aProcessingPayment('1 minute')];
    await giveUpOnOld(testDatabase.database, ACCOUNT, HOUR_MS);
    expect([await stateOf(old.paymentId), await stateOf(young.paymentId)]).toEqual(['unknown', 'processing']);
    expect(await untold()).toContain(old.paymentId);
  });
});
