import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endUnfunded } from '../../store/awaiting-funds.ts';
import { recordSightings } from '../../store/confirmation.ts';
import { beginRequest } from '../../store/payment-requests.ts';
import { readPayment } from '../../store/payments.ts';
import { beginReading } from '../../store/reading.ts';
import { listUntold } from '../../store/untold-payments.ts';
import { pastTriggers } from '../helpers/past-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, anApprovedRun, putInto } from './a-stored-run.ts';

/** How the waiting of payments for money ends. */

const HOUR_MS = 3_600_000;
const TODAY = '2026-01-31';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const end = () => endUnfunded(testDatabase.asWorker, ACCOUNT, { ageLimitMs: HOUR_MS, today: TODAY });
const statesOf = (paymentIds: readonly string[]) =>
  Promise.all(paymentIds.map(async (id) => (await readPayment(testDatabase.database, id)).state));

/** That a payment waits for money, for so long. */
async function waits(paymentId: string, since: string): Promise<{ providerPaymentId: string }> {
  const providerPaymentId = randomUUID();
  await putInto(testDatabase.database, paymentId, 'awaiting_funds', { providerPaymentId });
  await pastTriggers(
    testDatabase.database,
    `update payments set awaiting_since = now() - $2::interval, workflow_begun_at = now() where payment_id = $1`,
    [paymentId, since],
  );
  return { providerPaymentId };
}

/** A read shows it unfunded. */
async function seeUnfunded({ providerPaymentId }: { providerPaymentId: string }): Promise<void> {
  const seen = { providerPaymentId, providerStatus: 'awaiting_funds', state: 'created' } as const;
  await recordSightings(testDatabase.asWorker, ACCOUNT, await beginReading(testDatabase.asWorker), [
    { ...seen, errorCode: null, errorMessage: null },
  ]);
}

test('no payment is given up before a read after its time has shown it unfunded, and none is called failed', async () => {
  const { paymentIds } = await anApprovedRun(testDatabase.database, 2);
  const [late = '', timely = ''] = paymentIds;
  const [lateThere, timelyThere] = [await waits(late, '61 minutes'), await waits(timely, '59 minutes')];
  await end();
  expect(await statesOf(paymentIds)).toEqual(['awaiting_funds', 'awaiting_funds']);
  for (const there of [lateThere, timelyThere]) await seeUnfunded(there);
  await end();
  expect(await statesOf(paymentIds)).toEqual(['unknown', 'awaiting_funds']);
  // So its run hears of it.
  expect((await listUntold(testDatabase.database, ACCOUNT, 1_000)).map(({ paymentId }) => paymentId)).toContain(late);
});

test('a payment that cannot be read is given up after twice the time', async () => {
  const { paymentIds } = await anApprovedRun(testDatabase.database);
  await waits(paymentIds[0] ?? '', '121 minutes');
  await end();
  expect(await statesOf(paymentIds)).toEqual(['unknown']);
});

test('a payment is not given up while a funding of it is under way', async () => {
  const { paymentIds } = await anApprovedRun(testDatabase.database);
  const [paymentId = ''] = paymentIds;
  await putInto(testDatabase.database, paymentId, 'created');
  const intent = { paymentId, operation: 'fund', whileIn: ['created'], today: TODAY } as const;
  expect((await beginRequest(testDatabase.asWorker, intent)).requestId).not.toBeNull();
  await waits(paymentId, '121 minutes');
  await end();
  expect(await statesOf(paymentIds)).toEqual(['awaiting_funds']);
});

test('with the last that waits, the rows of its run and currency are held that were not begun, and no others', async () => {
  const { paymentIds } = await anApprovedRun(testDatabase.database, 4, (n) => (n === 4 ? { sellCurrency: 'EUR' } : {}));
  const [waiting = '', , begun = ''] = paymentIds;
  await pastTriggers(testDatabase.database, 'update payments set workflow_begun_at = now() where payment_id = $1', [
    begun,
  ]);
  await waits(waiting, '121 minutes');
  await end();
  expect(await statesOf(paymentIds)).toEqual(['unknown', 'held', 'ready', 'ready']);
});

test('rows that were not begun are not held while another payment still waits', async () => {
  const { paymentIds } = await anApprovedRun(testDatabase.database, 3);
  const [late = '', timely = ''] = paymentIds;
  await waits(late, '121 minutes');
  await waits(timely, '1 minute');
  await end();
  expect(await statesOf(paymentIds)).toEqual(['unknown', 'awaiting_funds', 'ready']);
});
