import { z } from 'zod';
import { isCalendarDate } from '../calendar-date.ts';
import { CURRENCY_CODE } from '../payment-file/payment-codes.ts';
import { CONVENTIONS } from './business-day.ts';
import { WEEKDAYS } from './calendar-overrides.ts';
import { isTimeZone } from './local-time.ts';

/**
 * A schedule of conversions: a standing order, of which each version needs a second person. The keys are those of its file.
 * What needs the provider's lists, calendars or the clock is checked by `scheduleProblems`.
 */

const AMOUNT = /^\d{1,15}(\.\d{1,4})?$/;
const amount = z.string('give an amount in quotes, as "50000.00"').regex(AMOUNT, 'give a plain amount, as "50000.00"');
const positiveAmount = amount.refine((text) => /[1-9]/.test(text), 'give an amount above zero');
const currency = z.string('give a currency code, as "EUR"').regex(CURRENCY_CODE, 'give a currency code, as "EUR"');
const date = z.string('give a date in quotes, as "2026-11-23"').refine(isCalendarDate, 'give a date, as "2026-11-23"');
const decimal = (example: string) =>
  z
    .string(`give it in quotes, as "${example}"`)
    .regex(/^\d{1,9}(\.\d{1,10})?$/, `give a plain number, as "${example}"`);
const price = decimal('1.0850').refine((text) => /[1-9]/.test(text), 'give a price above zero');

/** Of a day, local. */
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const MAX_TIMES_A_DAY = 6;
/** Later days of the month are missing in some months. */
const LAST_COMMON_DAY = 28;
const DAY_OF_MONTH = `give 1 to ${LAST_COMMON_DAY}, or "last"`;

const limitPrice = z.union(
  [z.strictObject({ buy_per_sell_at_least: price }), z.strictObject({ sell_per_buy_at_most: price })],
  'give either buy_per_sell_at_least or sell_per_buy_at_most, as a price in quotes',
);

const everyDay = z.strictObject({ every: z.literal('day') });
const onWeekdays = z.strictObject({
  weekdays: z.array(z.enum(WEEKDAYS, `give one of: ${WEEKDAYS.join(', ')}`)).min(1, 'give at least one day'),
});
const onDaysOfMonth = z.strictObject({
  days_of_month: z
    .array(
      z.union(
        [z.int(DAY_OF_MONTH).min(1, DAY_OF_MONTH).max(LAST_COMMON_DAY, DAY_OF_MONTH), z.literal('last')],
        DAY_OF_MONTH,
      ),
    )
    .min(1, 'give at least one day'),
});

const times = z
  .array(z.string().regex(TIME, 'give a time in quotes, as "09:30"'))
  .min(1, 'give at least one time, as "09:30"')
  .max(MAX_TIMES_A_DAY)
  .refine((list) => list.every((time, index) => index === 0 || time > (list[index - 1] ?? '')), {
    error: 'give the times in ascending order, each once',
  });

const timing = {
  name: z.string().trim().min(1).max(100),
  account: z.string().trim().min(1).max(100),
  time_zone: z.string().refine(isTimeZone, 'give a time zone by its name, as "Europe/Berlin" or "UTC"'),
  times,
  on: z.union([everyDay, onWeekdays, onDaysOfMonth], 'give every: day, weekdays or days_of_month'),
  convention: z.enum(CONVENTIONS, `give one of: ${CONVENTIONS.join(', ')}`),
  from: date,
  until: date.nullable().default(null),
};

/** Of each order of the schedule, in the currency that is sold. Its second person approves orders up to it. */
const limits = {
  max_order: positiveAmount,
  max_cost_bps: decimal('25').nullable().default(null),
};

const pair = {
  ...timing,
  ...limits,
  sell: currency,
  buy: currency,
  limit_price: limitPrice.nullable().default(null),
};
const minOrder = positiveAmount.nullable().default(null);

const MAX_HORIZON_DAYS = 60;

const byKind = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('fixed_amount'),
      ...pair,
      fixed_side: z.enum(['sell', 'buy'], 'give sell or buy'),
      amount: positiveAmount,
    }),
    /** Sells what is free above the floor. */
    z.strictObject({ kind: z.literal('sweep'), ...pair, floor: amount, min_order: minOrder }),
    /** Buys what is missing to the level. */
    z.strictObject({ kind: z.literal('top_up'), ...pair, level: positiveAmount, min_order: minOrder }),
    /** Buys what the approved runs need that are due within the horizon. */
    z.strictObject({
      kind: z.literal('fund_run'),
      ...timing,
      max_cost_bps: limits.max_cost_bps,
      horizon_days: z.int().min(1).max(MAX_HORIZON_DAYS),
      /** On the planned costs, in percent: fees and rates may change until the payments are quoted. */
      margin_percent: decimal('0.5'),
      /** To keep in each currency; others have no floor. */
      floors: z.record(currency, amount).default({}),
      buy: z.array(currency).min(1, 'give the currencies that may be bought'),
      /** In the order in which they are sold. */
      sources: z
        .array(z.strictObject({ currency, min_order: positiveAmount, max_order: positiveAmount }))
        .min(1, 'give the currencies that may be sold'),
    }),
  ],
  'give a kind: fixed_amount, sweep, top_up or fund_run',
);

export const scheduleSchema = byKind.superRefine((schedule, context) => {
  for (const { path, message } of contradictions(schedule)) context.addIssue({ code: 'custom', path: [path], message });
});

export type Schedule = z.infer<typeof byKind>;
export type ScheduleKind = Schedule['kind'];
/** When a schedule is due, whatever it does. */
export type ScheduleTiming = Pick<Schedule, 'time_zone' | 'times' | 'on' | 'convention' | 'from' | 'until'>;

function contradictions(schedule: Schedule): { path: string; message: string }[] {
  const found: { path: string; message: string }[] = [];
  if (schedule.until !== null && schedule.until < schedule.from) {
    found.push({ path: 'until', message: 'give a date that is not before "from"' });
  }
  if (schedule.kind !== 'fund_run') {
    if (schedule.sell === schedule.buy) found.push({ path: 'buy', message: 'give another currency than "sell"' });
    return found;
  }
  const sources = schedule.sources.map((source) => source.currency);
  if (new Set(sources).size < sources.length) found.push({ path: 'sources', message: 'name each currency once' });
  if (new Set(schedule.buy).size < schedule.buy.length) found.push({ path: 'buy', message: 'name each currency once' });
  if (sources.length === 1 && schedule.buy.every((bought) => sources.includes(bought))) {
    found.push({ path: 'sources', message: 'name a currency other than the one that is bought' });
  }
  return found;
}

/** All currencies that a schedule names: its days are business days of all of them. */
export function currenciesOf(schedule: Schedule): string[] {
  if (schedule.kind !== 'fund_run') return [schedule.sell, schedule.buy];
  return [...new Set([...schedule.buy, ...schedule.sources.map((source) => source.currency)])];
}

/** Earlier dates are backfilled only where the amount does not depend on today's balance. */
export function mayBackfill(kind: ScheduleKind): boolean {
  return kind === 'fixed_amount';
}
