import { z } from 'zod';
import { RESOLUTION_STATES } from '../../domain/payments/resolution-state.ts';
import { RESOLUTION_OUTCOMES } from '../../domain/payments/resolution.ts';
import { instant, person, remark } from '../fields.ts';

const resolutionOutcomeSchema = z.enum(RESOLUTION_OUTCOMES);
export type ResolutionOutcome = z.infer<typeof resolutionOutcomeSchema>;

export const resolutionSchema = z
  .object({
    resolutionId: z.string(),
    outcome: resolutionOutcomeSchema,
    providerPaymentId: z.string().nullable(),
    reason: z.string().nullable().describe('Null: it was erased.'),
    state: z.enum(RESOLUTION_STATES),
    proposedBy: person,
    proposedAt: instant,
    closedBy: person.nullable(),
    closedAt: instant.nullable(),
    closingReason: z.string().nullable(),
  })
  .meta({ id: 'Resolution', description: 'How one person proposed to resolve an unknown row, and what came of it.' });
export type RowResolution = z.infer<typeof resolutionSchema>;

export const resolutionRequestSchema = z
  .strictObject({
    outcome: resolutionOutcomeSchema,
    providerPaymentId: z.string().trim().min(1).max(200).nullable().default(null),
    reason: remark.min(1, 'must say how it is known'),
  })
  .meta({ id: 'ResolutionRequest' });
export type ResolutionRequest = z.input<typeof resolutionRequestSchema>;
export type ResolutionProposal = z.output<typeof resolutionRequestSchema>;

const resolutionId = z.guid('is not a resolution id').toLowerCase().describe('The proposal that was seen.');

export const confirmationSchema = z.strictObject({ resolutionId });
export type Confirmation = z.infer<typeof confirmationSchema>;

export const denialSchema = z.strictObject({ resolutionId, reason: remark.min(1).nullable().default(null) });
export type DenialRequest = z.input<typeof denialSchema>;
