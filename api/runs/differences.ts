import { z } from 'zod';
import { DIFFERENCE_KINDS } from '../../domain/runs/run-difference.ts';
import { amount, countInQuery, instant } from '../fields.ts';
import { currencyTotalSchema } from './run.ts';

const sumSchema = z
  .object({ rows: z.int(), amount, runId: z.string(), line: z.int().describe('Of the first of them.') })
  .nullable();

const differenceSchema = z.object({
  kind: z.enum(DIFFERENCE_KINDS),
  beneficiary: z.string().nullable().describe('Null: it cannot be read, as its data is erased.'),
  ...currencyTotalSchema.pick({ currency: true, side: true }).shape,
  now: sumSchema.describe(
    'What this run would pay, or was approved to pay; null: nothing, or (`held`) all of it is on hold.',
  ),
  before: sumSchema.describe('What the earlier run has paid; null: nothing.'),
});

export const differencesQuery = z.object({
  limit: countInQuery(1, 500, 100),
  after: z
    .string()
    .max(2000)
    .regex(/^[A-Za-z0-9_-]+$/, 'is not `next` of a page')
    .nullable()
    .default(null)
    .describe('`next` of the page before.'),
});
export type DifferencesQuery = z.output<typeof differencesQuery>;

export const differencesSchema = z
  .object({
    comparedWith: z
      .object({ runId: z.string(), fileName: z.string(), submittedAt: instant })
      .nullable()
      .describe(
        'The last run before it that has paid something, of the same account, from a sheet with the same columns, read by a profile for ' +
          'the same headers. Null: there is none, so that there are no differences.',
      ),
    counts: z
      .partialRecord(z.enum([...DIFFERENCE_KINDS, 'same']), z.int())
      .describe(
        'Payees by what is different, in each currency and side; `same`: the same account, and an amount within the bound of the policy.',
      ),
    differences: z.array(differenceSchema),
    next: z.string().nullable().describe('`after` of the next page; null: this is the last.'),
  })
  .meta({ id: 'RunDifferences', description: 'How a run differs from the last paid run of its kind.' });
export type RunDifferences = z.infer<typeof differencesSchema>;
