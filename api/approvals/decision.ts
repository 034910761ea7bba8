import { z } from 'zod';
import { instant, person, remark } from '../fields.ts';
import { runSummarySchema } from '../runs/run.ts';

const contentHash = z
  .string('give the hash of the proposal that was seen')
  .regex(/^[0-9a-f]{64}$/, 'give the hash of the proposal that was seen, 64 characters')
  .describe('The hash of the proposal that was seen. A run that has changed since is refused.');

export const approvalSchema = z.strictObject({ comment: remark.nullable().default(null), contentHash });
export type Approval = z.input<typeof approvalSchema>;

export const rejectionSchema = z.strictObject({
  comment: remark.min(1, 'must say why the run is rejected'),
  contentHash,
});
export type Rejection = z.input<typeof rejectionSchema>;

export const sendingSchema = z.strictObject({ contentHash });

export const decidedRunSchema = z
  .object({
    run: runSummarySchema,
    stepsTaken: z.int().nullable().describe('How many steps of the policy are taken with it; null: a rejection.'),
    steps: z.int().nullable().describe('How many steps the policy asks for.'),
    decidedBy: person.describe('Whose decision was recorded.'),
    decidedAt: instant.describe('When it was recorded.'),
  })
  .meta({ id: 'DecidedRun' });
export type DecidedRun = z.infer<typeof decidedRunSchema>;
