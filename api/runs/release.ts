import { z } from 'zod';
import { amount, instant, remark } from '../fields.ts';
import { rowSearch } from './row.ts';

const suspects = {
  rowRef: z.string().min(1).max(200).nullable().default(null).describe('Only the row with this reference.'),
  ...rowSearch,
  code: z
    .enum(['row_ref_used_before', 'same_beneficiary_and_amount'])
    .nullable()
    .default(null)
    .describe('Only rows that are suspected for this reason.'),
};

export const suspectQuery = z.object(suspects);
export type SuspectQuery = z.output<typeof suspectQuery>;

export const suspectedRowsSchema = z
  .object({
    rowCount: z.int(),
    amounts: z.array(z.object({ currency: z.string(), amount })).describe('Sums of them, by the currency they fix.'),
    alikeCount: z.int().describe('How many of them pay the same to the same account as another one of them.'),
    similarCount: z.int().describe('How many rows they may repeat.'),
    runs: z
      .array(
        z.object({
          runId: z.string(),
          fileName: z.string(),
          submittedAt: instant,
          rowCount: z.int().describe('Rows that may be repeated.'),
          paidCount: z.int(),
          paidAt: instant.nullable().describe('When the last of them was paid. Null: none was.'),
        }),
      )
      .describe(
        'The runs of these, this one among them: the latest ten, the latest first, without those of accounts you may not use.',
      ),
    hash: z.string().describe('Of these rows and all that they may repeat: a release names it.'),
  })
  .meta({ id: 'SuspectedRows', description: 'Suspected duplicates, and what a release of them would pay.' });
export type SuspectedRows = z.infer<typeof suspectedRowsSchema>;

export const releaseRequestSchema = z
  .strictObject({
    rows: z.strictObject(suspects).describe('Which suspected duplicates. Without a filter: all of the run.'),
    hash: z.string().regex(/^[0-9a-f]{64}$/, 'give the hash of the rows that were seen, 64 characters'),
    reason: remark.min(1, 'must say why it is to be paid all the same'),
  })
  .meta({ id: 'ReleaseRequest' });
export type ReleaseRequest = z.output<typeof releaseRequestSchema>;

export const releasedRowsSchema = z
  .object({
    rowCount: z.int().describe('How many rows were released.'),
    approvals: z.int().describe('Approvals given to the run before, which no longer count.'),
  })
  .meta({ id: 'ReleasedRows' });
export type ReleasedRows = z.infer<typeof releasedRowsSchema>;
