import { z } from 'zod';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { RESOLUTION_STATES, RESOLVED_AS } from '../../domain/payments/resolution.ts';
import { instant, person, rowSchema, runIdSchema } from './run.ts';

const requestSchema = z.object({
  operation: z.string().describe('`quote`, `create` or `fund`.'),
  attempt: z.int(),
  begunAt: instant,
  answeredAt: instant.nullable(),
  httpStatus: z.int().nullable(),
  outcome: z.string().describe('`took_effect`, `had_no_effect`, `refused`, or `unknown`.'),
});

const lookUpSchema = z.object({
  asked: z.enum(['find', 'read']),
  seen: z.string().describe("`nothing`, `only_others`, `several`, or the provider's status of the payment."),
  times: z.int(),
  firstAt: instant,
  lastAt: instant,
});

const resolutionSchema = z
  .object({
    resolutionId: z.string(),
    as: z.enum(RESOLVED_AS),
    providerPaymentId: z.string().nullable(),
    reason: z.string().nullable().describe('Null: it was erased.'),
    state: z.enum(RESOLUTION_STATES),
    proposedBy: person,
    proposedAt: instant,
    closedBy: person.nullable(),
    closedAt: instant.nullable(),
    closingReason: z.string().nullable(),
  })
  .meta({ id: 'Resolution', description: 'How one person proposed to settle an unknown row, and what came of it.' });

const similarSchema = z
  .object({
    rows: z
      .array(
        z.object({
          runId: z.string(),
          fileName: z.string(),
          line: z.int(),
          rowRef: z.string(),
          state: z.enum(PAYMENT_STATES),
          submittedAt: instant,
        }),
      )
      .describe('The first submitted first: 100 at most.'),
    rowCount: z.int(),
    hash: z.string().describe('Over all of them: a release is of what was seen.'),
  })
  .meta({ id: 'SimilarRows', description: 'Rows that pay the same to the same account, or have the same reference.' });

const releaseSchema = z
  .object({ by: person, reason: z.string().nullable().describe('Null: it was erased.'), at: instant })
  .meta({ id: 'RowRelease', description: 'Who let a suspected duplicate be paid, and why.' });

export const rowDetailSchema = rowSchema
  .extend({
    instruction: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('All that an approval of the row covers. Null of an invalid row, and without read_instructions.'),
    referenceId: z.string().nullable().describe('By which the provider knows it; null before a creation was tried.'),
    providerPaymentId: z.string().nullable(),
    providerStatus: z.string().nullable(),
    lastShownAt: instant.nullable().describe('When a read or a sweep last showed it.'),
    requests: z.array(requestSchema).describe('In the order in which they were sent.'),
    lookUps: z.array(lookUpSchema),
    resolutions: z.array(resolutionSchema).describe('The oldest first; at most one is `proposed`.'),
    similar: similarSchema.nullable().describe('Of a suspected duplicate: what it may pay a second time.'),
    release: releaseSchema.nullable(),
  })
  .meta({ id: 'RowDetail', description: 'One row, with the evidence of what became of it.' });

export const rowParams = z.object({ runId: runIdSchema, rowRef: z.string().min(1) });

const reason = z.string().trim().max(2000);

export const resolutionRequestSchema = z
  .strictObject({
    as: z.enum(RESOLVED_AS),
    providerPaymentId: z.string().trim().min(1).max(200).nullable().default(null),
    reason: reason.min(1, 'must say how it is known'),
  })
  .meta({ id: 'ResolutionRequest' });

export const releaseRequestSchema = z
  .strictObject({
    similarHash: z.string().regex(/^[0-9a-f]{64}$/, 'give the hash of the similar rows that were seen, 64 characters'),
    reason: reason.min(1, 'must say why it is to be paid all the same'),
  })
  .meta({ id: 'ReleaseRequest' });

const resolutionId = z.guid('is not a resolution id').toLowerCase().describe('The proposal that was seen.');
export const confirmationSchema = z.strictObject({ resolutionId });
export const denialSchema = z.strictObject({ resolutionId, reason: reason.min(1).nullable().default(null) });
