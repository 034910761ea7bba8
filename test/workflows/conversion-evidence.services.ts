import { beforeAll, expect, test } from 'vitest';
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
import { convertAtChargingProvider, resolveOrder } from '../helpers/hard-conversions.ts';
import type { PayrunUnderTest } from '../helpers/payrun-under-test.ts';
import { orderFaults } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import type { TestUser } from '../helpers/users.ts';

/** What follows when a conversion was not funded, or nobody can tell. When it was refused: conversion-evidence.long.ts. */

const charging = convertAtChargingProvider();
let payrun: PayrunUnderTest;
let treasurer: TestUser;

beforeAll(() => {
  ({ payrun, treasurer } = charging());
});

test('a request that never arrived is not repeated where that is left to people, until two of them say so', async () => {
  await setConversionPolicy(payrun, { ...NO_APPROVALS, secondFunding: 'person' });
  await follow(payrun, 'USD', '100000.00');
  await orderFaults(payrun.sandbox, { operation: 'conversion-fund', kind: 'reset_before' });
  const { orderId } = await placeOrder(payrun, treasurer);
  const unknown = await untilOrder(payrun, orderId, 'unknown');
  expect(unknown).toMatchObject({ stateReason: 'second_funding_undecided' });
  expect(countRequests(unknown, 'fund')).toBe(1);
  await resolveOrder(charging(), orderId, 'fund_again');
  expect(countRequests(await untilOrder(payrun, orderId, 'settled'), 'fund')).toBe(2);
  expect(payrun.sandbox.ledger().balances['USD']).toBe('98997.50');
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
  await payrun.database.query('delete from history_ranges');
  const unknown = await untilOrder(payrun, orderId, 'unknown');
  expect(unknown).toMatchObject({ stateReason: 'funding_uncertain' });
  expect(countRequests(unknown, 'fund')).toBe(1);
  await resolveOrder(charging(), orderId, 'lapsed');
  // Where the history still cannot be read, what two people say takes effect after a day.
  await bypassTriggers(
    payrun.database,
    `update conversion_manual_outcomes set confirmed_at = confirmed_at - interval '25 hours' where order_id = $1`,
    [orderId],
  );
  await untilOrder(payrun, orderId, 'lapsed');
  const { rows } = await payrun.database.query(
    `select amount::float8 from ledger_balances where ledger_account = 'conversion/' || $1::text`,
    [orderId],
  );
  expect(rows).toEqual([{ amount: 0 }]);
  expectConvertedOnce(payrun);
});
