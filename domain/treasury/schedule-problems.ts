import { compareAmounts } from '../money.ts';
import type { CalendarOverrides } from './calendar-overrides.ts';
import { type ListedCurrencies, decimalsWarnings, listedDecimals } from './currency-decimals.ts';
import { currenciesWithoutCalendar, type HolidaysOf } from './currency-calendar.ts';
import { dateWithoutTime } from './local-time.ts';
import { currenciesOf, type Schedule } from './schedule.ts';

/** Something wrong with a schedule. */
export interface ScheduleProblem {
  code: ScheduleProblemCode;
  /** As the file names it: `sources.0.min_order`. */
  field: string;
  problem: string;
  fix: string;
}

export type ScheduleProblemCode =
  | 'missing_key'
  | 'unknown_account'
  | 'unknown_key'
  | 'wrong_value'
  | 'currency_not_listed'
  | 'pair_not_supported'
  | 'too_many_decimals'
  | 'no_calendar'
  | 'time_in_gap'
  | 'min_order_above_maximum';

export interface ScheduleSurroundings {
  currencies: ListedCurrencies;
  /** Six letters each: the buy currency, then the sell currency. */
  pairs: ReadonlySet<string>;
  overrides: CalendarOverrides;
  holidaysOf: HolidaysOf;
  /** YYYY-MM-DD. */
  today: string;
}

/** All of them at once. A schedule with any is refused. */
export function scheduleProblems(schedule: Schedule, surroundings: ScheduleSurroundings): ScheduleProblem[] {
  return [
    ...currencyProblems(schedule, surroundings),
    ...pairProblems(schedule, surroundings),
    ...amountProblems(schedule, surroundings),
    ...calendarProblems(schedule, surroundings),
    ...timeProblems(schedule, surroundings),
    ...minOrderProblems(schedule),
  ];
}

/** What its second person should know, and what does not prevent it. */
export function scheduleWarnings(
  schedule: Schedule,
  { currencies }: Pick<ScheduleSurroundings, 'currencies'>,
): string[] {
  return decimalsWarnings(currenciesOf(schedule), currencies);
}

function currencyProblems(schedule: Schedule, { currencies }: ScheduleSurroundings): ScheduleProblem[] {
  return currenciesOf(schedule)
    .filter((currency) => listedDecimals(currency, currencies) === null)
    .map((currency) => ({
      code: 'currency_not_listed',
      field: fieldOfCurrency(schedule, currency),
      problem: `the provider does not list ${currency}`,
      fix: 'name a currency that it lists',
    }));
}

function fieldOfCurrency(schedule: Schedule, currency: string): string {
  if (schedule.kind !== 'fund_run') return currency === schedule.sell ? 'sell' : 'buy';
  const index = schedule.sources.findIndex((source) => source.currency === currency);
  return index === -1 ? `buy.${schedule.buy.indexOf(currency)}` : `sources.${index}.currency`;
}

/** A run is funded by any pair that there is, so only a currency that no source can buy is a mistake. */
function pairProblems(schedule: Schedule, { pairs }: ScheduleSurroundings): ScheduleProblem[] {
  const refusal = { code: 'pair_not_supported', fix: 'name currencies that the provider converts' } as const;
  if (schedule.kind !== 'fund_run') {
    const { sell, buy } = schedule;
    if (pairs.has(`${buy}${sell}`)) return [];
    return [{ ...refusal, field: 'buy', problem: `the provider does not convert ${sell} into ${buy}` }];
  }
  return schedule.buy.flatMap((buy, index) => {
    const sources = schedule.sources.map(({ currency }) => currency).filter((currency) => currency !== buy);
    if (sources.some((sell) => pairs.has(`${buy}${sell}`))) return [];
    return [{ ...refusal, field: `buy.${index}`, problem: `the provider converts none of the sources into ${buy}` }];
  });
}

function amountProblems(schedule: Schedule, { currencies }: ScheduleSurroundings): ScheduleProblem[] {
  return amountsOf(schedule).flatMap(([field, currency, amount]) => {
    const decimals = listedDecimals(currency, currencies);
    const written = amount.split('.')[1]?.length ?? 0;
    if (decimals === null || written <= decimals) return [];
    const problem = `the amount has ${written} decimals, and ${currency} has ${decimals}`;
    return [{ code: 'too_many_decimals', field, problem, fix: `write it with at most ${decimals} decimals` }];
  });
}

type NamedAmount = readonly [field: string, currency: string, amount: string];

function amountsOf(schedule: Schedule): NamedAmount[] {
  switch (schedule.kind) {
    case 'fixed_amount':
      return [['amount', schedule[schedule.fixed_side], schedule.amount], maximumOf(schedule)];
    case 'sweep':
      return [['floor', schedule.sell, schedule.floor], ...minimumOf(schedule, schedule.sell), maximumOf(schedule)];
    case 'top_up':
      return [['level', schedule.buy, schedule.level], ...minimumOf(schedule, schedule.buy), maximumOf(schedule)];
    case 'fund_run':
      return [
        ...Object.entries(schedule.floors).map(([currency, floor]) => [`floors.${currency}`, currency, floor] as const),
        ...schedule.sources.flatMap(({ currency, min_order, max_order }, index): NamedAmount[] => [
          [`sources.${index}.min_order`, currency, min_order],
          [`sources.${index}.max_order`, currency, max_order],
        ]),
      ];
  }
}

function maximumOf({ sell, max_order }: { sell: string; max_order: string }): NamedAmount {
  return ['max_order', sell, max_order];
}

function minimumOf({ min_order }: { min_order: string | null }, currency: string): NamedAmount[] {
  return min_order === null ? [] : [['min_order', currency, min_order]];
}

function calendarProblems(
  schedule: Schedule,
  { overrides, holidaysOf, today }: ScheduleSurroundings,
): ScheduleProblem[] {
  const year = Number(today.slice(0, 4));
  return currenciesWithoutCalendar(currenciesOf(schedule), { overrides, holidaysOf, year }).map((currency) => ({
    code: 'no_calendar',
    field: fieldOfCurrency(schedule, currency),
    problem: `it is not known on which days banks are closed for ${currency}`,
    fix: `name a country for ${currency} in the calendar file, or "none" with its closed days`,
  }));
}

/** A zone that changes its clocks does so every year, at the same time of day. */
const SEARCHED_DAYS = 400;

function timeProblems({ times, time_zone: zone }: Schedule, { today }: ScheduleSurroundings): ScheduleProblem[] {
  return times.flatMap((time, index) => {
    const date = dateWithoutTime(time, zone, { from: today, days: SEARCHED_DAYS });
    if (date === null) return [];
    const problem = `on ${date} clocks in ${zone} skip ${time}, so the schedule would not start`;
    return [{ code: 'time_in_gap', field: `times.${index}`, problem, fix: 'give a time that every day has' }];
  });
}

function minOrderProblems(schedule: Schedule): ScheduleProblem[] {
  const refusal = { code: 'min_order_above_maximum', fix: 'lower it, or raise max_order' } as const;
  if (schedule.kind === 'fund_run') {
    return schedule.sources.flatMap(({ min_order, max_order }, index) =>
      compareAmounts(min_order, max_order) <= 0
        ? []
        : [
            {
              ...refusal,
              field: `sources.${index}.min_order`,
              problem: 'it is larger than the maximum of one order',
            },
          ],
    );
  }
  if (schedule.kind !== 'sweep' || schedule.min_order === null) return [];
  return compareAmounts(schedule.min_order, schedule.max_order) <= 0
    ? []
    : [{ ...refusal, field: 'min_order', problem: 'it is larger than the maximum of one order' }];
}
