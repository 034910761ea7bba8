import { describe, expect, test } from 'vitest';
import { cashView, CASH_VIEW_DAYS, type CashViewInput } from '../../domain/treasury/cash-view.ts';
import { aSchedule, FIXED_AMOUNT, FUND_RUN, SWEEP, TOP_UP } from './treasury-schedules.ts';

const PRICES: Record<string, string> = { USDEUR: '0.92', JPYEUR: '0.0061' };

function view(differences: Partial<CashViewInput> = {}) {
  return cashView({
    from: '2026-11-23',
    days: 5,
    currencies: [
      { currency: 'EUR', decimals: 2, free: '1000.00' },
      { currency: 'USD', decimals: 2, free: '100000.00' },
      { currency: 'JPY', decimals: 0, free: '5000' },
    ],
    plannedCosts: [],
    moneyIn: [],
    occurrences: [],
    priceOf: (sell, buy) => PRICES[`${sell}${buy}`] ?? null,
    creditDays: 1,
    ...differences,
  });
}

const balancesOf = (found: ReturnType<typeof view>, currency: string) =>
  found.currencies.find((one) => one.currency === currency)?.balances;

describe('the cash view', () => {
  test('has a balance for each day and currency, with its decimals', () => {
    const found = view({ days: CASH_VIEW_DAYS });
    expect(found.dates).toHaveLength(30);
    expect([found.dates[0], found.dates[29]]).toEqual(['2026-11-23', '2026-12-22']);
    expect(balancesOf(found, 'JPY')).toEqual(Array.from({ length: 30 }, () => '5000'));
    expect(found.currencies.map(({ firstShortage }) => firstShortage)).toEqual([null, null, null]);
  });

  test('adds money and takes costs on their days, and names the first day of shortage', () => {
    const found = view({
      plannedCosts: [
        { currency: 'EUR', amount: '600.00', on: '2026-11-24' },
        { currency: 'EUR', amount: '600.01', on: '2026-11-25' },
      ],
      moneyIn: [{ currency: 'EUR', amount: '500.00', on: '2026-11-27' }],
    });
    expect(balancesOf(found, 'EUR')).toEqual(['1000.00', '400.00', '-200.01', '-200.01', '299.99']);
    expect(found.currencies[0]?.firstShortage).toBe('2026-11-25');
    expect(found.currencies[0]?.needed).toEqual(['0.00', '600.00', '600.01', '0.00', '0.00']);
  });

  test('counts overdue costs on the first day, and not money that was expected before', () => {
    const found = view({
      plannedCosts: [{ currency: 'EUR', amount: '100.00', on: '2026-11-01' }],
      moneyIn: [{ currency: 'EUR', amount: '500.00', on: '2026-11-22' }],
    });
    expect(balancesOf(found, 'EUR')?.[0]).toBe('900.00');
    expect(found.currencies[0]?.needed[0]).toBe('100.00');
  });

  test('is not short at zero', () => {
    const found = view({ plannedCosts: [{ currency: 'EUR', amount: '1000.00', on: '2026-11-24' }] });
    expect(found.currencies[0]).toMatchObject({
      balances: ['1000.00', '0.00', '0.00', '0.00', '0.00'],
      firstShortage: null,
    });
  });
});

describe('schedules in the cash view', () => {
  test('convert a fixed amount, credited after the usual days', () => {
    const found = view({ occurrences: [{ on: '2026-11-24', schedule: aSchedule() }] });
    expect(balancesOf(found, 'USD')).toEqual(['100000.00', '90000.00', '90000.00', '90000.00', '90000.00']);
    expect(balancesOf(found, 'EUR')).toEqual(['1000.00', '1000.00', '10200.00', '10200.00', '10200.00']);
    const atOnce = view({ occurrences: [{ on: '2026-11-24', schedule: aSchedule() }], creditDays: 0 });
    expect(balancesOf(atOnce, 'EUR')?.[1]).toBe('10200.00');
  });

  test('buy a fixed amount', () => {
    const schedule = aSchedule(FIXED_AMOUNT, { fixed_side: 'buy', amount: '920.00' });
    const found = view({ occurrences: [{ on: '2026-11-23', schedule }] });
    expect(balancesOf(found, 'USD')?.[0]).toBe('99000.00');
    expect(balancesOf(found, 'EUR')?.[1]).toBe('1920.00');
  });

  test('sweep what is left after the costs of the day, and on the next day nothing', () => {
    const schedule = aSchedule(SWEEP, { max_order: '60000.00' });
    const found = view({
      plannedCosts: [{ currency: 'USD', amount: '10000.00', on: '2026-11-24' }],
      occurrences: ['2026-11-24', '2026-11-25'].map((on) => ({ on, schedule })),
    });
    expect(balancesOf(found, 'USD')).toEqual(['100000.00', '50000.00', '50000.00', '50000.00', '50000.00']);
    expect(balancesOf(found, 'EUR')?.[2]).toBe('37800.00');
    expect(found.withoutConversion).toEqual([{ on: '2026-11-25', schedule: schedule.name, why: 'nothing_to_convert' }]);
  });

  test('top up once, as money that was bought and is not yet there counts', () => {
    const schedule = aSchedule(TOP_UP, { max_order: '50000.00' });
    const occurrences = ['2026-11-23', '2026-11-24'].map((on) => ({ on, schedule }));
    const found = view({ occurrences, creditDays: 3 });
    expect(balancesOf(found, 'EUR')).toEqual(['1000.00', '1000.00', '1000.00', '20000.00', '20000.00']);
    // 19,000 / 0.92, rounded up.
    expect(balancesOf(found, 'USD')?.[4]).toBe('79347.82');
    expect(found.withoutConversion.map(({ on, why }) => [on, why])).toEqual([['2026-11-24', 'nothing_to_convert']]);
  });

  test('fund the runs of their horizon', () => {
    const found = view({
      plannedCosts: [
        { currency: 'EUR', amount: '20000.00', on: '2026-11-27' },
        // Beyond the horizon.
        { currency: 'EUR', amount: '99999.00', on: '2026-12-20' },
      ],
      occurrences: [{ on: '2026-11-23', schedule: aSchedule(FUND_RUN) }],
    });
    // 20,000 · 1.005 + 10,000 − 1,000 = 29,100.
    expect(balancesOf(found, 'EUR')).toEqual(['1000.00', '30100.00', '30100.00', '30100.00', '10100.00']);
    expect(balancesOf(found, 'USD')?.[0]).toBe('68369.56');
    expect(balancesOf(found, 'JPY')?.[0]).toBe('5000');
  });

  test.each<[string, object]>([
    ['below_minimum_order', aSchedule(SWEEP, { min_order: '50000.01', max_order: '60000.00' })],
    ['order_too_large', aSchedule(SWEEP, { max_order: '49999.99' })],
    ['not_enough_money', aSchedule(FIXED_AMOUNT, { amount: '100000.01', max_order: '200000.00' })],
    ['no_price', aSchedule(FIXED_AMOUNT, { sell: 'EUR', buy: 'USD', amount: '1.00' })],
    ['nothing_to_convert', aSchedule(FUND_RUN, { floors: {} })],
    ['not_enough_money', aSchedule(FUND_RUN, { floors: { EUR: '9000.00', USD: '100000.00' } })],
  ])('convert nothing, and say so: %s', (why, schedule) => {
    const found = view({ occurrences: [{ on: '2026-11-24', schedule: schedule as ReturnType<typeof aSchedule> }] });
    expect(found.withoutConversion.map((one) => one.why)).toEqual([why]);
    expect(balancesOf(found, 'EUR')).toEqual(Array.from({ length: 5 }, () => '1000.00'));
  });
});
