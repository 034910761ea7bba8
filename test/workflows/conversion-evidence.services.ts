import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { HISTORY_SETTINGS } from '../../domain/accounts/history-schedule.ts';
import {
  countRequests,
  expectConvertedOnce,
  findOrder,
  follow,
  NO_APPROVALS,
  placeOrder,
  setConversionPolicy,
  untilOrder,
} from '../helpers/conversions-under-test.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { clearFaults, depositMoney, orderFaults, setBalance } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** What follows when a conversion was not funded, or nobody can tell. */

let payrun: PayrunUnderTest;
let treasurer: TestUser;

beforeAll(async () => {
  // Several currencies are to be followed.
  const history = { ...HISTORY_SETTINGS, waitingEveryMs: 1_000, quietMs: 200 };
  payrun = await startPayrun({ sandbox: { secondFunding: 'charge' }, settings: { history } });
  treasurer = await aUser(payrun.testDatabase, 'Tessa Treasurer', 'treasurer');
});
beforeEach(() => setConversionPolicy(payrun, NO_APPROVALS));
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

/** Two people have the order resolved. */
async function resolve(orderId: string, outcome: 'fund_again' | 'funded' | 'lapsed'): Promise<void> {
  const { application, checker } = payrun;
  const { resolutions } = await application.proposeOrderResolution(treasurer, orderId, { outcome, reason: 'x' });
  const resolutionId = resolutions.at(-1)?.resolutionId ?? '';
  await application.confirmOrderResolution(checker, orderId, { resolutionId });
}

test('a request that never arrived is not repeated where that is left to people, until two of them say so', async () => {
  await setConversionPolicy(payrun, { ...NO_APPROVALS, secondFunding: 'person' });
  await follow(payrun, 'USD', '100000.00');
  await orderFaults(payrun.sandbox, { operation: 'conversion-fund', kind: 'reset_before' });
  const { orderId } = await placeOrder(payrun, treasurer);
  const unknown = await untilOrder(payrun, orderId, 'unknown');
  expect(unknown).toMatchObject({ stateReason: 'second_funding_undecided' });
  expect(countRequests(unknown, 'fund')).toBe(1);
  await resolve(orderId, 'fund_again');
  expect(countRequests(await untilOrder(payrun, orderId, 'settled'), 'fund')).toBe(2);
  expect(payrun.sandbox.ledger().balances['USD']).toBe('98997.50');
  expectConvertedOnce(payrun);
});

test('a refused request is not repeated: the order is held until two people have it funded again', async () => {
  await follow(payrun, 'GBP', '5000.00');
  await orderFaults(payrun.sandbox, { operation: 'conversion-create', kind: 'slow_after', delayMs: 1_500 });
  const { orderId } = await placeOrder(payrun, treasurer, { sellCurrency: 'GBP', buyCurrency: 'SGD' });
  await until(async () => (await findOrder(payrun, orderId)).state === 'committed');
  // Taken by somebody else.
  await setBalance(payrun.sandbox, 'GBP', '10.00');
  const held = await untilOrder(payrun, orderId, 'held');
  expect(held).toMatchObject({ stateReason: 'funding_refused' });
  expect(countRequests(held, 'fund')).toBe(1);
  await depositMoney(payrun.sandbox, 'GBP', '5000.00');
  await until(() => Promise.resolve(Number(payrun.sandbox.ledger().balances['GBP']) > 5_000));
  await resolve(orderId, 'fund_again');
  await untilOrder(payrun, orderId, 'settled');
  expectConvertedOnce(payrun);
});

test('where the history cannot be read, nothing is sent again, and after a day it is unknown', async () => {
  await follow(payrun, 'CAD', '50000.00');
  await orderFaults(
    payrun.sandbox,
    { operation: 'conversion-fund', kind: 'reset_before' },
    { operation: 'balance-history', kind: 'error_before', status: 500, times: 10_000 },
  );
  const { orderId } = await placeOrder(payrun, treasurer, { sellCurrency: 'CAD', buyCurrency: 'AUD' });
  await until(async () => (await findOrder(payrun, orderId)).state === 'funding');
  await bypassTriggers(
    payrun.database,
    `update conversion_requests set begun_at = begun_at - interval '25 hours', answered_at = answered_at - interval '25 hours'
     where order_id = $1 and operation = 'fund'`,
    [orderId],
  );
  // Whatever was read before the request says nothing about it.
  await payrun.database.query('delete from history_windows');
  const unknown = await untilOrder(payrun, orderId, 'unknown');
  expect(unknown).toMatchObject({ stateReason: 'funding_uncertain' });
  expect(countRequests(unknown, 'fund')).toBe(1);
  await resolve(orderId, 'lapsed');
  await untilOrder(payrun, orderId, 'lapsed');
  const { rows } = await payrun.database.query(
    `select amount::float8 from ledger_balances where ledger_account = 'conversion/' || $1::text`,
    [orderId],
  );
  expect(rows).toEqual([{ amount: 0 }]);
  expectConvertedOnce(payrun);
});
