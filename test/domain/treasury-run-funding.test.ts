import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { weekdayOf } from '../../domain/calendar-date.ts';
import { latestStart, usualCompletionMs } from '../../domain/treasury/lead-time.ts';
import {
  type CurrencyPosition,
  fundingGap,
  type FundingRules,
  type IndicativePrice,
  planRunFunding,
} from '../../domain/treasury/run-funding.ts';

const position = (
  currency: string,
  [planned, floor, free, incoming]: readonly [string, string, string, string],
): CurrencyPosition => ({ currency, decimals: currency === 'JPY' ? 0 : 2, planned, floor, free, incoming });

/** The worked table of the design: horizon, costs, floors and balances of three currencies at half a percent. */
const EUR = position('EUR', ['220000.00', '10000.00', '150000.00', '20000.00']);
const JPY = position('JPY', ['9000000', '0', '9500000', '0']);
const USD = position('USD', ['30000.00', '50000.00', '400000.00', '0']);

const RULES: FundingRules = {
  marginPercent: '0.5',
  buy: ['EUR'],
  sources: [
    { currency: 'JPY', minOrder: '1000000', maxOrder: '100000000' },
    { currency: 'USD', minOrder: '1000.00', maxOrder: '500000.00' },
  ],
};

/** In units bought per unit sold. */
const PRICES: Record<string, string> = {
  USDEUR: '0.92',
  JPYEUR: '0.0061',
  USDJPY: '150',
  EURUSD: '1.08',
  EURJPY: '163',
};
const priceOf: IndicativePrice = (sell, buy) => PRICES[`${sell}${buy}`] ?? null;
const plan = (positions: CurrencyPosition[], rules: Partial<FundingRules> = {}, prices = priceOf) =>
  planRunFunding(positions, { ...RULES, ...rules }, prices);

describe('the worked table', () => {
  test.each([
    [EUR, '61100'],
    [JPY, '-455000'],
    [USD, '-319850'],
  ])('has the gap of $currency', (of, gap) => {
    expect(new Big(fundingGap(of, '0.5')).eq(gap)).toBe(true);
  });

  test('gives one order: EUR 61,100.00 for USD, as JPY is below its minimum order', () => {
    const { orders, shortfalls } = plan([EUR, JPY, USD]);
    expect(orders).toEqual([
      // 61,100 / 0.92 · 1.005 = 66,745.1086…; the cap is all that USD can spare.
      { sell: 'USD', buy: 'EUR', buyAmount: '61100.00', sellEstimate: '66745.11', cap: '319850.00' },
    ]);
    expect(shortfalls).toEqual([]);
  });

  test('takes JPY first with a smaller minimum order, and USD for the rest', () => {
    const sources = [{ ...RULES.sources[0]!, minOrder: '455000' }, RULES.sources[1]!];
    const { orders } = plan([EUR, JPY, USD], { sources });
    // 455,000 · 0.0061 / 1.005 = 2,761.69…
    expect(orders.map(({ sell, buyAmount }) => [sell, buyAmount])).toEqual([
      ['JPY', '2761.69'],
      ['USD', '58338.31'],
    ]);
    expect(orders[0]).toMatchObject({ cap: '455000' });
  });
});

describe('a plan', () => {
  test('has nothing to buy without a gap', () => {
    const covered = position('EUR', ['100.00', '0.00', '100.50', '0.00']);
    expect(plan([covered, JPY, USD])).toEqual({ orders: [], shortfalls: [] });
  });

  test('rounds what is missing up to the minor unit', () => {
    const missing = position('EUR', ['100.01', '0.00', '0.00', '0.00']);
    expect(plan([missing, USD]).orders[0]?.buyAmount).toBe('100.52');
    const yen = position('JPY', ['101', '0', '0', '0']);
    expect(plan([yen, USD], { buy: ['JPY'] }).orders[0]?.buyAmount).toBe('102');
  });

  test('counts what was bought and is not yet credited', () => {
    expect(plan([{ ...EUR, incoming: '81100.00' }, USD]).orders).toEqual([]);
  });

  test('says what no source covers: without a price, within the maximum order, or at all', () => {
    expect(plan([EUR, USD], {}, () => null)).toEqual({
      orders: [],
      shortfalls: [{ currency: 'EUR', amount: '61100.00' }],
    });
    const sources = [{ currency: 'USD', minOrder: '1000.00', maxOrder: '10050.00' }];
    // 10,050 · 0.92 / 1.005 = 9,200.
    expect(plan([EUR, USD], { sources })).toEqual({
      orders: [{ sell: 'USD', buy: 'EUR', buyAmount: '9200.00', sellEstimate: '10050.00', cap: '10050.00' }],
      shortfalls: [{ currency: 'EUR', amount: '51900.00' }],
    });
  });

  test('divides what a source has left among its orders, so that all of them together leave its floor', () => {
    const yen = position('JPY', ['10000000', '0', '0', '0']);
    const { orders } = plan([EUR, yen, USD], { buy: ['EUR', 'JPY'] });
    expect(orders.map(({ sell, buy }) => `${buy} for ${sell}`)).toEqual(['EUR for USD', 'JPY for USD']);
    const caps = orders.reduce((sum, { cap }) => sum.plus(cap), new Big(0));
    expect(caps.lte('319850.00')).toBe(true);
    expect(orders.every(({ cap, sellEstimate }) => new Big(cap).gt(sellEstimate))).toBe(true);
  });

  test('never sells what a source needs, nor buys more than is missing', () => {
    const money = fc.integer({ min: 0, max: 10 ** 8 }).map((minor) => new Big(minor).div(100).toFixed(2));
    const yen = fc.integer({ min: 0, max: 10 ** 8 }).map(String);
    const of = (amount: typeof money) => fc.tuple(amount, amount, amount, amount);
    const inputs = fc.record({ eur: of(money), usd: of(money), jpy: of(yen), least: money, most: money });
    fc.assert(
      fc.property(inputs, ({ eur, usd, jpy, least, most }) => {
        const positions = [position('EUR', eur), position('USD', usd), position('JPY', jpy)];
        const sources = ['JPY', 'USD', 'EUR'].map((currency) => ({ currency, minOrder: least, maxOrder: most }));
        const { orders, shortfalls } = plan(positions, { buy: ['EUR', 'JPY'], sources });
        for (const { currency, ...of } of positions) {
          const gap = new Big(fundingGap(of, '0.5'));
          const sum = (amounts: string[]) => amounts.reduce((total, amount) => total.plus(amount), new Big(0));
          const sold = sum(orders.filter(({ sell }) => sell === currency).map(({ cap }) => cap));
          const spare = gap.lt(0) ? gap.times(-1) : new Big(0);
          expect(sold.lte(spare)).toBe(true);
          if (currency === 'USD') continue;
          const bought = sum(orders.filter(({ buy }) => buy === currency).map(({ buyAmount }) => buyAmount));
          const short = sum(shortfalls.filter((one) => one.currency === currency).map(({ amount }) => amount));
          const missing = gap.gt(0) ? gap.round(of.decimals, Big.roundUp) : new Big(0);
          expect(bought.plus(short).eq(missing)).toBe(true);
        }
        expect(orders.every(({ cap, sellEstimate }) => new Big(cap).gte(sellEstimate))).toBe(true);
        expect(orders.every(({ cap }) => new Big(cap).lte(most))).toBe(true);
        expect(new Set(orders.map(({ sell, buy }) => [sell, buy].sort().join())).size).toBe(orders.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the lead time', () => {
  const isBusinessDay = (date: string) => ![0, 6].includes(weekdayOf(date)) && date !== '2026-11-26';
  const HOUR = 3_600_000;

  test('takes the 95th percentile of what was observed, which is one of the observations', () => {
    expect(usualCompletionMs([])).toBe(48 * HOUR);
    expect(usualCompletionMs([7])).toBe(7);
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(usualCompletionMs(hundred)).toBe(95);
    expect(usualCompletionMs([...hundred, 1_000])).toBe(96);
    expect(usualCompletionMs([3, 1, 2])).toBe(3);
  });

  test.each([
    // The banking day before, and as long as completions take.
    ['2026-11-25', 0, '2026-11-24'],
    ['2026-11-25', 1, '2026-11-23'],
    ['2026-11-25', 24 * HOUR, '2026-11-23'],
    ['2026-11-25', 24 * HOUR + 1, '2026-11-20'],
    // Over a holiday, and over a weekend.
    ['2026-11-27', HOUR, '2026-11-24'],
    ['2026-11-23', HOUR, '2026-11-19'],
    ['2026-11-22', HOUR, '2026-11-19'],
  ])('of payments due on %s with %i ms begins on %s', (dueOn, completionMs, start) => {
    expect(latestStart({ dueOn, completionMs }, isBusinessDay)).toBe(start);
  });
});
