import { describe, expect, test } from 'vitest';
import { NO_OVERRIDES } from '../../domain/treasury/calendar-overrides.ts';
import { currenciesOf, mayBackfill, scheduleSchema } from '../../domain/treasury/schedule.ts';
import {
  scheduleProblems,
  scheduleWarnings,
  type ScheduleSurroundings,
} from '../../domain/treasury/schedule-problems.ts';
import { aSchedule, FIXED_AMOUNT, FUND_RUN, SWEEP, TOP_UP } from './treasury-schedules.ts';

describe('a schedule', () => {
  test.each([FIXED_AMOUNT, SWEEP, TOP_UP, FUND_RUN])('has the form of its kind: $kind', (file) => {
    const read = scheduleSchema.safeParse(file);
    expect(read.error?.issues).toBeUndefined();
    expect(read.data?.until).toBeNull();
  });

  test.each<[object, string, RegExp]>([
    [{ kind: 'convert' }, 'kind', /fixed_amount, sweep, top_up or fund_run/],
    [{ amount: 10000 }, 'amount', /in quotes/],
    [{ amount: '10,000.00' }, 'amount', /plain amount/],
    [{ amount: '0.00' }, 'amount', /above zero/],
    [{ sell: 'EUR' }, 'buy', /another currency/],
    [{ sell: 'eur' }, 'sell', /currency code/],
    [{ fixed_side: 'both' }, 'fixed_side', /sell or buy/],
    [{ max_order: undefined }, 'max_order', /in quotes/],
    [{ time_zone: '+01:00' }, 'time_zone', /by its name/],
    [{ times: [] }, 'times', /at least one time/],
    [{ times: ['9:00'] }, 'times.0', /"09:30"/],
    [{ times: ['24:00'] }, 'times.0', /"09:30"/],
    [{ times: ['14:00', '09:00'] }, 'times', /ascending/],
    [{ times: ['14:00', '14:00'] }, 'times', /ascending/],
    [{ on: { weekdays: [] } }, 'on.weekdays', /at least one day/],
    [{ on: 'monday' }, 'on', /every: day, weekdays or days_of_month/],
    [{ on: { days_of_month: [31] } }, 'on.days_of_month.0', /1 to 28, or "last"/],
    [{ convention: 'next' }, 'convention', /modified_following/],
    [{ from: '2026-02-30' }, 'from', /date/],
    [{ until: '2025-12-31' }, 'until', /not before/],
    [{ limit_price: { rate: '0.9' } }, 'limit_price', /buy_per_sell_at_least/],
    [{ limit_price: { buy_per_sell_at_least: '0' } }, 'limit_price.buy_per_sell_at_least', /above zero/],
    [{ maximum: '1.00' }, '', /maximum/],
  ])('is refused with the place and the fix: %j', (difference, place, fix) => {
    const [issue] = scheduleSchema.safeParse({ ...FIXED_AMOUNT, ...difference }).error?.issues ?? [];
    expect(issue?.path.join('.')).toBe(place);
    expect(issue?.message).toMatch(fix);
  });

  test.each<[object, string]>([
    [{ sources: [{ currency: 'EUR', min_order: '1.00', max_order: '2.00' }] }, 'sources'],
    [{ sources: [FUND_RUN.sources[0], FUND_RUN.sources[0]] }, 'sources'],
    [{ buy: ['EUR', 'EUR'] }, 'buy'],
    [{ horizon_days: 61 }, 'horizon_days'],
  ])('that funds runs is refused with the place: %j', (difference, place) => {
    expect(scheduleSchema.safeParse({ ...FUND_RUN, ...difference }).error?.issues[0]?.path.join('.')).toBe(place);
  });

  test('names its currencies, and backfills dates only with a fixed amount', () => {
    expect(currenciesOf(aSchedule())).toEqual(['USD', 'EUR']);
    expect(currenciesOf(aSchedule(FUND_RUN))).toEqual(['EUR', 'JPY', 'USD']);
    const kinds = ['fixed_amount', 'sweep', 'top_up', 'fund_run'] as const;
    expect(kinds.filter(mayBackfill)).toEqual(['fixed_amount']);
  });
});

describe('what is wrong with a schedule beyond its form', () => {
  const surroundings: ScheduleSurroundings = {
    currencies: new Map([
      ['EUR', { decimalPlaces: 2 }],
      ['USD', { decimalPlaces: 2 }],
      ['JPY', { decimalPlaces: 0 }],
      ['SGD', { decimalPlaces: 2 }],
    ]),
    pairs: new Set(['EURUSD', 'EURJPY', 'USDEUR']),
    overrides: NO_OVERRIDES,
    holidaysOf: (country) => (country === 'JP' ? new Set() : null),
    today: '2026-11-23',
  };
  const problemsOf = (file: object, differences: object = {}) =>
    scheduleProblems(aSchedule(file, differences), surroundings).map(({ code, field }) => `${field}: ${code}`);

  test('is nothing with these', () => {
    for (const file of [FIXED_AMOUNT, SWEEP, TOP_UP, FUND_RUN]) expect(problemsOf(file)).toEqual([]);
  });

  test('is said all at once', () => {
    const differences = { buy: 'CHF', amount: '1.001', times: ['02:30'] };
    expect(problemsOf(FIXED_AMOUNT, differences)).toEqual([
      'buy: currency_not_listed',
      'buy: pair_not_supported',
      'amount: too_many_decimals',
      'buy: no_calendar',
      'times.0: time_in_gap',
    ]);
  });

  test('names the date on which clocks skip the time', () => {
    const [problem] = scheduleProblems(aSchedule(FIXED_AMOUNT, { times: ['02:30'] }), surroundings);
    expect(problem?.problem).toBe('on 2027-03-28 clocks in Europe/Berlin skip 02:30, so the schedule would not start');
    // A time that is repeated is fine.
    expect(problemsOf(FIXED_AMOUNT, { times: ['01:30'], time_zone: 'America/New_York' })).toEqual([]);
  });

  test('has the decimals of the currency that each amount is in', () => {
    expect(problemsOf(FIXED_AMOUNT, { sell: 'JPY', max_order: '100.5', amount: '100' })).toEqual([
      'max_order: too_many_decimals',
    ]);
    expect(problemsOf(FIXED_AMOUNT, { sell: 'JPY', max_order: '100', fixed_side: 'buy', amount: '0.01' })).toEqual([]);
    expect(problemsOf(SWEEP, { floor: '1.001', min_order: '1.001' })).toHaveLength(2);
    expect(problemsOf(TOP_UP, { level: '1.001', min_order: '1.001' })).toHaveLength(2);
    const sources = [{ currency: 'JPY', min_order: '1.5', max_order: '2.5' }];
    expect(problemsOf(FUND_RUN, { sources, floors: { JPY: '0.5' } })).toEqual([
      'floors.JPY: too_many_decimals',
      'sources.0.min_order: too_many_decimals',
      'sources.0.max_order: too_many_decimals',
    ]);
  });

  test('is a minimum order that no order may reach', () => {
    expect(problemsOf(SWEEP, { min_order: '12000.01' })).toEqual(['min_order: min_order_above_maximum']);
    const sources = [{ currency: 'USD', min_order: '2.00', max_order: '1.00' }];
    expect(problemsOf(FUND_RUN, { sources })).toEqual(['sources.0.min_order: min_order_above_maximum']);
  });

  test('is a currency for runs that no source can buy, and no missing pair beside one that can', () => {
    expect(problemsOf(FUND_RUN, { buy: ['EUR', 'SGD'] })).toEqual(['buy.1: pair_not_supported', 'buy.1: no_calendar']);
  });

  test('decimals that are not those of ISO 4217 are a warning', () => {
    const currencies = new Map([...surroundings.currencies, ['EUR', { decimalPlaces: 3 }] as const]);
    expect(scheduleWarnings(aSchedule(), { currencies })).toHaveLength(1);
    expect(scheduleWarnings(aSchedule(), surroundings)).toEqual([]);
  });
});
