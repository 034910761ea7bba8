import { z } from 'zod';
import { resolutionStatesOf } from '../../domain/payments/resolution-state.ts';
import { PROVIDER_ID } from '../../domain/onboarding/check-value.ts';
import { instant, person, plainText, remark } from '../fields.ts';

export const CASE_OUTCOMES = ['signed_up', 'never_created'] as const;
export type CaseOutcome = (typeof CASE_OUTCOMES)[number];

export const caseResolutionSchema = z
  .object({
    resolutionId: z.string(),
    outcome: z.enum(CASE_OUTCOMES),
    userId: z.string().nullable().describe("The provider's id of the user who was signed up."),
    reason: z.string().nullable().describe('Null: it was erased.'),
    state: z.enum(resolutionStatesOf('case')),
    proposedBy: person,
    proposedAt: instant,
    confirmedBy: person.nullable().describe('While the state is `proposed`: payrun is carrying it out.'),
    closedBy: person
      .nullable()
      .describe(
        'Of a denied one: who denied it; the person of `proposedBy` has taken it back. Null: payrun concluded it.',
      ),
    closedAt: instant.nullable(),
    closingReason: z
      .string()
      .nullable()
      .describe('Why it was denied or contradicted; null: nothing was said, or it was erased.'),
  })
  .meta({ id: 'CaseResolution', description: 'What one person says became of a sign-up, and what came of it.' });
export type CaseResolution = z.infer<typeof caseResolutionSchema>;

const reason = remark.min(1, 'must say how it is known');

const userId = plainText(128).regex(PROVIDER_ID, 'does not look like an id of the provider: copy it again');

export const caseResolutionRequestSchema = z
  .discriminatedUnion('outcome', [
    z.strictObject({ outcome: z.literal('signed_up'), userId, reason }),
    z.strictObject({ outcome: z.literal('never_created'), userId: z.null().default(null), reason }),
  ])
  .meta({ id: 'CaseResolutionRequest' });
export type CaseResolutionRequest = z.input<typeof caseResolutionRequestSchema>;
export type CaseResolutionProposal = z.output<typeof caseResolutionRequestSchema>;

const resolutionId = z.guid('is not a resolution id').toLowerCase().describe('The proposal that was seen.');

export const caseConfirmationSchema = z.strictObject({ resolutionId });
export type CaseConfirmation = z.infer<typeof caseConfirmationSchema>;

export const caseDenialSchema = z.strictObject({ resolutionId, reason: remark.min(1).nullable().default(null) });
export type CaseDenialRequest = z.input<typeof caseDenialSchema>;
export type CaseDenial = z.output<typeof caseDenialSchema>;
