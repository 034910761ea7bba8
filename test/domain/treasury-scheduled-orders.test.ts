import { describe, expect, test } from 'vitest';
import { runOrderId } from '../../domain/treasury/conversion-identity.ts';
import type { CashSituation } from '../../domain/treasury/planned-conversions.ts';
import { scheduledOrders, scheduleHash } from '../../domain/treasury/scheduled-orders.ts';
import { aSchedule, FIXED_AMOUNT, FUND_RUN, SWEEP, TOP_UP } from './treasury-schedules.ts';

const AT = { occurrenceId: 'o-1', expiresAt: '2026-11-23T13:10:00.000Z' };

const FREE: Record<string, string> = { EUR: '1000.00', USD: '60000.00', JPY: '5000' };
const cash: CashSituation = {
  decimals: new Map([
    ['EUR', 2],
    ['USD', 2],
    ['JPY', 0],
  ]),
  free: (currency) => FREE[currency] ?? '0',
  incoming: (currency) => (currency === 'EUR' ? '500.00' : '0'),
  plannedWithin: (currency) => (currency === 'EUR' ? '500.00' : '0'),
};
const around = { cash, priceOf: (sell: string, buy: string) => (`${sell}${buy}` === 'USDEUR' ? '0.92' : null) };

const ordersOf = (file: object, differences: object = {}) => scheduledOrders(aSchedule(file, differences), AT, around);
const ONE = {
  ...{ orderId: 'o-1', account: 'default', sellCurrency: 'USD', buyCurrency: 'EUR', expiresAt: AT.expiresAt },
  ...{ limitPrice: null, maxCostBps: null, cap: '12000.00' },
};

describe('an occurrence', () => {
  test('orders the fixed amount, with the limits of its schedule', () => {
    expect(ordersOf(FIXED_AMOUNT)).toEqual({ orders: [{ ...ONE, fixedSide: 'sell', amount: '10000.00' }] });
    const limits = { limit_price: { sell_per_buy_at_most: '1.10' }, max_cost_bps: '45', fixed_side: 'buy' };
    expect(ordersOf(FIXED_AMOUNT, limits)).toMatchObject({
      orders: [{ fixedSide: 'buy', limitPrice: { sellPerBuyAtMost: '1.10' }, maxCostBps: '45' }],
    });
    expect(ordersOf(FIXED_AMOUNT, { limit_price: { buy_per_sell_at_least: '0.90' } })).toMatchObject({
      orders: [{ limitPrice: { buyPerSellAtLeast: '0.90' } }],
    });
  });

  test('sells what is above the floor', () => {
    expect(ordersOf(SWEEP)).toEqual({ orders: [{ ...ONE, fixedSide: 'sell', amount: '10000.00' }] });
    expect(ordersOf(SWEEP, { floor: '60000.00' })).toEqual({ why: 'nothing_to_convert' });
    expect(ordersOf(SWEEP, { min_order: '10000.00' })).toMatchObject({ orders: [{ amount: '10000.00' }] });
    expect(ordersOf(SWEEP, { min_order: '10000.01' })).toEqual({ why: 'below_minimum_order' });
  });

  test('buys what is missing to the level', () => {
    expect(ordersOf(TOP_UP)).toEqual({ orders: [{ ...ONE, fixedSide: 'buy', amount: '18500.00' }] });
    expect(ordersOf(TOP_UP, { level: '1500.00' })).toEqual({ why: 'nothing_to_convert' });
  });

  test('orders what runs need, each pair under an id of its own', () => {
    // 500 · 1.005 + 10,000 − 1,000 − 500 = 9,002.50; USD can spare 10,000.
    expect(ordersOf(FUND_RUN)).toEqual({
      orders: [
        {
          ...ONE,
          orderId: runOrderId('o-1', { sell: 'USD', buy: 'EUR' }),
          fixedSide: 'buy',
          amount: '9002.50',
          cap: '10000.00',
        },
      ],
    });
    expect(ordersOf(FUND_RUN, { floors: {} })).toEqual({ why: 'nothing_to_convert' });
    expect(ordersOf(FUND_RUN, { floors: { EUR: '9000.00', USD: '60000.00' } })).toEqual({ why: 'not_enough_money' });
  });
});

test('a version of a schedule is bound as a whole', () => {
  const versions = [
    {},
    { amount: '10000.01' },
    { max_order: '12000.01' },
    { times: ['14:01'] },
    { on: { weekdays: ['monday'] } },
  ];
  const hashes = versions.map((difference) => scheduleHash(aSchedule(FIXED_AMOUNT, difference)));
  expect(new Set(hashes).size).toBe(versions.length);
  expect(scheduleHash(aSchedule(FUND_RUN))).toMatch(/^[0-9a-f]{64}$/);
});
