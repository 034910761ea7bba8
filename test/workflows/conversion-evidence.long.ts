import { expect, test } from 'vitest';
import {
  countRequests,
  expectConvertedOnce,
  findOrder,
  follow,
  placeOrder,
  untilOrder,
} from '../helpers/conversions-under-test.ts';
import { convertAtChargingProvider, resolveOrder } from '../helpers/hard-conversions.ts';
import { depositMoney, orderFaults, setBalance } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

const charging = convertAtChargingProvider();

test('a refused request is not repeated: the order is held until two people have it funded again', async () => {
  const { payrun, treasurer } = charging();
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
  await resolveOrder(charging(), orderId, 'fund_again');
  await untilOrder(payrun, orderId, 'settled');
  expectConvertedOnce(payrun);
});
