import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteRange } from '../../store/accounts/history-ranges.ts';
import { endUnfunded } from '../../store/payments/funding-deadline.ts';
import { listAwaitingFunds } from '../../store/payments/awaiting-funds.ts';
import { readBalances, saveBalances } from '../../store/payments/balance-snapshots.ts';
import { applyProviderStatuses } from '../../store/payments/provider-statuses.ts';
import { beginRequest } from '../../store/payments/payment-requests.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { listPendingNotifications } from '../../store/payments/pending-notifications.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, anApprovedRun, putInto } from './a-stored-run.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';

/** When payments that wait for money are given up or woken. */

const HOUR_MS = 3_600_000;
const TODAY = '2026-01-31';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const end = () => endUnfunded(testDatabase.asWorker, ACCOUNT, { ageLimitMs: HOUR_MS, at: new Date(TODAY) });
const statesOf = (paymentIds: readonly string[]) =>
  Promise.all(paymentIds.map(async (id) => (await readPayment(testDatabase.database, id)).state));

/** Makes a payment wait for money since this long. */
async function waits(paymentId: string, since: string): Promise<{ providerPaymentId: string }> {
  const providerPaymentId = randomUUID();
  await putInto(testDatabase.database, paymentId, 'awaiting_funds', { providerPaymentId });
  await bypassTriggers(
    testDatabase.database,
    `update payments set awaiting_since = now() - $2::interval, workflow_begun_at = now() where payment_id = $1`,
    [paymentId, since],
  );
  return { providerPaymentId };
}

/** A read shows it unfunded. */
async function seeUnfunded({ providerPaymentId }: { providerPaymentId: string }): Promise<void> {
  const seen = { providerPaymentId, providerStatus: 'awaiting_funds', state: 'created' } as const;
  await applyProviderStatuses(testDatabase.asWorker, ACCOUNT, await beginReading(testDatabase.asWorker), [
    { ...seen, errorCode: null, errorMessage: null },
  ]);
}

test('no payment is given up before a read after its deadline has shown it unfunded, and none becomes failed', async () => {
  const { paymentIds } = await anApprovedRun(testDatabase.database, 2);
  const [late = '', timely = ''] = paymentIds;
  const [lateThere, timelyThere] = [await waits(late, '61 minutes'), await waits(timely, '59 minutes')];
  await end();
  expect(await statesOf(paymentIds)).toEqual(['awaiting_funds', 'awaiting_funds']);
  for (const there of [lateThere, timelyThere]) await seeUnfunded(there);
  await end();
  expect(await statesOf(paymentIds)).toEqual(['unknown', 'awaiting_funds']);
  // So its run is notified.
  expect(
    (await listPendingNotifications(testDatabase.database, ACCOUNT, 1_000)).map(({ paymentId }) => paymentId),
  ).toContain(late);
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
  const intent = {
    paymentId,
    operation: 'fund',
    whileIn: ['created'],
    at: new Date(TODAY),
    dataKeys: TEST_KEY_IDS,
  } as const;
  expect((await beginRequest(testDatabase.asWorker, intent)).requestId).not.toBeNull();
  await waits(paymentId, '121 minutes');
  await end();
  expect(await statesOf(paymentIds)).toEqual(['awaiting_funds']);
});

test('with the last waiting payment, only the rows of its run and currency that were not begun are held', async () => {
  const { paymentIds } = await anApprovedRun(testDatabase.database, 4, (n) => (n === 4 ? { sellCurrency: 'EUR' } : {}));
  const [waiting = '', , begun = ''] = paymentIds;
  await bypassTriggers(testDatabase.database, 'update payments set workflow_begun_at = now() where payment_id = $1', [
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

const balances = async (...shown: { currency: string; amount: string }[]): Promise<void> =>
  saveBalances(testDatabase.asWorker, ACCOUNT, await beginReading(testDatabase.asWorker), shown);

test('a payment is not given up because of the time during which it was stopped', async () => {
  const { runId, paymentIds } = await anApprovedRun(testDatabase.database, 2);
  const there = await waits(paymentIds[0] ?? '', '61 minutes');
  await bypassTriggers(testDatabase.database, 'update payments set total_amount = 101 where payment_id = $1', [
    paymentIds[0],
  ]);
  await balances({ currency: 'USD', amount: '1000000.00' });
  await testDatabase.database.query(`insert into stops (scope, run_id) values ('run', $1)`, [runId]);
  await seeUnfunded(there);
  await end();
  expect(await statesOf(paymentIds)).toEqual(['awaiting_funds', 'ready']);
  await balances({ currency: 'USD', amount: '0.50' });
  await testDatabase.database.query('update stops set lifted_at = clock_timestamp() where run_id = $1', [runId]);
  // Of a currency that no entry is known of, a read of the history says nothing.
  const toMs = Date.now();
  await noteRange(testDatabase.asWorker, {
    ...{ account: ACCOUNT, fromMs: toMs - 1, toMs, isGap: false, readAt: await beginReading(testDatabase.asWorker) },
    ...{ entries: 0, added: 0, unreadable: 0, conflicting: 0 },
  });
  await end();
  expect(await statesOf(paymentIds)).toEqual(['awaiting_funds', 'ready']);
  await balances({ currency: 'USD', amount: '0.50' });
  await end();
  expect(await statesOf(paymentIds)).toEqual(['unknown', 'held']);
});

test('a row that became due later is not held because of the time that another one waited', async () => {
  const { paymentIds } = await anApprovedRun(testDatabase.database, 2, (n) => (n === 2 ? { payOn: TODAY } : {}));
  await waits(paymentIds[0] ?? '', '121 minutes');
  await bypassTriggers(testDatabase.database, `update payments set awaiting_since = $2 where payment_id = $1`, [
    paymentIds[0],
    '2026-01-30T23:00:00Z',
  ]);
  await end();
  expect(await statesOf(paymentIds)).toEqual(['unknown', 'ready']);
});

test('a payment is woken when a balance is enough for it, however many wait before it in any currency', async () => {
  const { runId, paymentIds } = await anApprovedRun(testDatabase.database, 5, (n) => ({
    sellCurrency: n < 4 ? 'CHF' : 'JPY',
  }));
  await bypassTriggers(
    testDatabase.database,
    `update payments set state = 'awaiting_funds', total_amount = case row_number when 5 then 1 when 3 then 2 else 500 end
     where run_id = $1`,
    [runId],
  );
  await balances({ currency: 'CHF', amount: '2.50' }, { currency: 'JPY', amount: '100.00' });
  const woken = (await listAwaitingFunds(testDatabase.asWorker, ACCOUNT, 'balances', 1)).map(
    ({ paymentId }) => paymentId,
  );
  expect(woken.sort()).toEqual([paymentIds[2], paymentIds[4]].sort());
  // A currency that the last read did not show has no balance.
  await balances({ currency: 'JPY', amount: '100.00' });
  const later = (await listAwaitingFunds(testDatabase.asWorker, ACCOUNT, 'balances', 10)).map(
    ({ paymentId }) => paymentId,
  );
  expect(later).toEqual([paymentIds[4]]);
});

test('of a currency that is listed twice the larger balance is stored', async () => {
  await balances({ currency: 'SGD', amount: '1' }, { currency: 'SGD', amount: '2' });
  const kept = (await readBalances(testDatabase.asWorker, ACCOUNT)).find(({ currency }) => currency === 'SGD');
  expect(kept?.amount).toBe('2');
});
