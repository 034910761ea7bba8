import { z } from 'zod';
import { accountInQuery, currencyInQuery } from '../accounts/balance.ts';
import { amount, countInQuery, day } from '../fields.ts';
import { CASH_VIEW_DAYS } from '../../domain/treasury/cash-view.ts';
import { isCalendarDate } from '../../domain/calendar-date.ts';

const MAX_DAYS = 90;
const EXPECTED = /^([A-Z]{3}):(\d{1,15}(?:\.\d{1,4})?):(\d{4}-\d{2}-\d{2})$/;

/** Money that somebody expects: `EUR:1000.00:2026-12-01`, several with commas. */
const expectedMoney = z
  .string()
  .default('')
  .transform((text, context) =>
    text
      .split(',')
      .filter((part) => part !== '')
      .map((part) => {
        const [, currency = '', expected = '', on = ''] = EXPECTED.exec(part) ?? [];
        if (!isCalendarDate(on)) context.addIssue('give currency:amount:date, as EUR:1000.00:2026-12-01');
        return { currency, amount: expected, on };
      }),
  )
  .describe('Money that you expect: `EUR:1000.00:2026-12-01`, several with commas. It is not stored.');

export const cashQuery = z.object({
  account: accountInQuery,
  currency: currencyInQuery,
  days: countInQuery(1, MAX_DAYS, CASH_VIEW_DAYS),
  expect: expectedMoney,
});
export type CashQuery = z.output<typeof cashQuery>;

export const accountCashSchema = z
  .object({
    account: z.string(),
    dates: z.array(day),
    currencies: z.array(
      z.object({
        currency: z.string(),
        isKnown: z
          .boolean()
          .describe('False: the history of the balance cannot be followed, so nothing is reserved of it.'),
        held: amount.nullable().describe('Balance by its history; null: it has none.'),
        committed: amount
          .nullable()
          .describe('Of it, reserved for runs, or committed to payments and conversions; null: no history.'),
        free: amount.describe('Available now: what is neither reserved nor committed.'),
        balances: z.array(amount).describe('What is free at the end of each day.'),
        needed: z.array(amount).describe('What approved rows without reserved money cost on each day.'),
        firstShortage: day.nullable().describe('The first day that ends below zero.'),
      }),
    ),
    withoutConversion: z
      .array(z.object({ on: day, schedule: z.string(), reason: z.string(), message: z.string() }))
      .describe('Occurrences of schedules that would convert nothing.'),
    warnings: z.array(z.string()).describe('What the view leaves out.'),
  })
  .meta({ id: 'AccountCash', description: 'A forecast at the prices of the last quotes, and no promise.' });
export type AccountCash = z.infer<typeof accountCashSchema>;

export const cashViewSchema = z.object({ accounts: z.array(accountCashSchema) });
