import { z } from 'zod';
import { remark } from '../fields.ts';
import { rowDetailSchema } from './row-detail.ts';

export const releaseRequestSchema = z
  .strictObject({
    similarHash: z.string().regex(/^[0-9a-f]{64}$/, 'give the hash of the similar rows that were seen, 64 characters'),
    reason: remark.min(1, 'must say why it is to be paid all the same'),
  })
  .meta({ id: 'ReleaseRequest' });
export type ReleaseRequest = z.infer<typeof releaseRequestSchema>;

export const releasedRowSchema = z
  .object({
    row: rowDetailSchema,
    approvals: z.int().describe('Approvals given to the run before, which no longer count.'),
  })
  .meta({ id: 'ReleasedRow' });
export type ReleasedRow = z.infer<typeof releasedRowSchema>;
