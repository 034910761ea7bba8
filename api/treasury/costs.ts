import { z } from 'zod';
import { isCalendarDate } from '../../domain/calendar-date.ts';
import { amount } from '../fields.ts';

const date = z.string().refine(isCalendarDate, 'give a date, as 2026-01-31');

export const costQuery = z
  .object({
    from: date.describe('The first day, in the time zone of each account.'),
    to: date.describe('The last day, in the time zone of each account.'),
    by: z.enum(['currency', 'run'], 'give currency or run').default('currency'),
    account: z.string().min(1).max(100).nullable().default(null).describe('Only of this account.'),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'must not be before from' });
export type CostQuery = z.output<typeof costQuery>;

const costGroupSchema = z.object({
  of: z.enum(['payments', 'conversions']),
  runId: z
    .string()
    .nullable()
    .describe('With `by=run`, the run whose payments these are; otherwise null, and for conversions.'),
  fileName: z.string().nullable(),
  currency: z.string().describe('Sold currency. All amounts are in it.'),
  count: z.int(),
  total: amount.describe('What left the balance.'),
  fees: amount,
  exchangeCost: amount.describe('How much more was sold than at the reference rate of the day.'),
  withoutReference: z.int().describe('How many there was no reference rate for: they have fees only.'),
  costBps: z
    .string()
    .nullable()
    .describe(
      'Fees and exchange cost of those with a reference rate, in basis points of their total; null: there are none.',
    ),
});
export type CostGroup = z.infer<typeof costGroupSchema>;

export const costReportSchema = z
  .object({ from: z.string(), to: z.string(), groups: z.array(costGroupSchema) })
  .meta({ id: 'CostReport', description: 'What payments and conversions that were funded in a time have cost.' });
export type CostReport = z.infer<typeof costReportSchema>;

export const runCostsSchema = z
  .object({ costs: costReportSchema.nullable().describe('Null: no payment was funded yet.') })
  .meta({ id: 'RunCosts', description: 'What the payments of a run have cost until now.' });
