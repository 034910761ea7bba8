import { z } from 'zod';
import { MANUAL_OUTCOME_STATES } from '../../domain/payments/manual-outcome-state.ts';
import { MANUAL_OUTCOME_KINDS } from '../../domain/payments/manual-outcome.ts';
import { instant, person, remark } from '../fields.ts';

const manualOutcomeKindSchema = z.enum(MANUAL_OUTCOME_KINDS);
export type ManualOutcomeKind = z.infer<typeof manualOutcomeKindSchema>;

export const manualOutcomeSchema = z
  .object({
    manualOutcomeId: z.string(),
    outcome: manualOutcomeKindSchema,
    providerPaymentId: z.string().nullable(),
    reason: z.string().nullable().describe('Null: it was erased.'),
    state: z.enum(MANUAL_OUTCOME_STATES),
    proposedBy: person,
    proposedAt: instant,
    closedBy: person.nullable(),
    closedAt: instant.nullable(),
    closingReason: z.string().nullable(),
  })
  .meta({
    id: 'ManualOutcome',
    description: 'How one person proposed to resolve an unknown row, and what came of it.',
  });
export type RowManualOutcome = z.infer<typeof manualOutcomeSchema>;

export const manualOutcomeRequestSchema = z
  .strictObject({
    outcome: manualOutcomeKindSchema,
    providerPaymentId: z.string().trim().min(1).max(200).nullable().default(null),
    reason: remark.min(1, 'must say how it is known'),
  })
  .meta({ id: 'ManualOutcomeRequest' });
export type ManualOutcomeRequest = z.input<typeof manualOutcomeRequestSchema>;
export type ManualOutcomeProposal = z.output<typeof manualOutcomeRequestSchema>;

const manualOutcomeId = z.guid('is not a manual outcome id').toLowerCase().describe('The proposal that was seen.');

export const confirmationSchema = z.strictObject({ manualOutcomeId });
export type Confirmation = z.infer<typeof confirmationSchema>;

export const outcomeRejectionSchema = z.strictObject({
  manualOutcomeId,
  reason: remark.min(1).nullable().default(null),
});
export type OutcomeRejectionRequest = z.input<typeof outcomeRejectionSchema>;
