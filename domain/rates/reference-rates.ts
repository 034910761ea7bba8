import { z } from 'zod';
import { daysBetween, isCalendarDate } from '../calendar-date.ts';
import { CURRENCY_CODE } from '../payment-file/payment-codes.ts';
import { type Ratio, ratioOf } from './ratio.ts';

/**
 * Rates of one's own house or of a central bank, to compare quotes with: the middle of the provider's bid and ask hides what
 * the provider adds on both sides. The form is that of the European Central Bank: one base, and the units of each currency
 * for one unit of it.
 */
export const referenceRatesSchema = z.strictObject({
  source: z.string().trim().min(1).max(100),
  date: z.string().refine(isCalendarDate, 'give a date, as 2026-11-23'),
  base: z.string().regex(CURRENCY_CODE, 'give a currency code, as "EUR"'),
  rates: z.record(
    z.string().regex(CURRENCY_CODE, 'give a currency code, as "USD"'),
    z
      .string('give the rate in quotes, as "1.0850"')
      .regex(/^\d{1,9}(\.\d{1,10})?$/, 'give a plain rate in quotes, as "1.0850"')
      .refine((rate) => /[1-9]/.test(rate), 'give a rate above zero'),
  ),
});

export type ReferenceRates = z.infer<typeof referenceRatesSchema>;

/** Over a long weekend the rates of Thursday are still the newest. */
const MAX_AGE_DAYS = 5;

/**
 * What the newest of these rates say of a pair on a day, and whose they are; null: none of them does. `rates`: the newest first.
 */
export function newestReference(
  rates: readonly ReferenceRates[],
  pair: { sell: string; buy: string },
  day: string,
): { middle: Ratio; source: string } | null {
  for (const known of rates.filter(({ date }) => date <= day)) {
    const { middle } = ownReference(known, pair, day);
    if (middle !== null) return { middle, source: known.source };
  }
  return null;
}

/**
 * The price of a pair in units bought per unit sold, across the base if it is neither currency; or why there is none.
 * `today`: YYYY-MM-DD.
 */
export function ownReference(
  { base, rates, date, source }: ReferenceRates,
  { sell, buy }: { sell: string; buy: string },
  today: string,
): { middle: Ratio } | { middle: null; says: string } {
  const age = daysBetween(date, today);
  if (age > MAX_AGE_DAYS || age < -1) return { middle: null, says: `the rates of ${source} are of ${date}` };
  const perBase = (currency: string): string | undefined => (currency === base ? '1' : rates[currency]);
  const [sold, bought] = [perBase(sell), perBase(buy)];
  if (sold === undefined || bought === undefined) {
    return { middle: null, says: `the rates of ${source} have no ${sold === undefined ? sell : buy}` };
  }
  return { middle: ratioOf(bought, sold) };
}
