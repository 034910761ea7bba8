import { z } from 'zod';
import { manualOutcomeStatesOf } from '../../domain/payments/manual-outcome-state.ts';
import { PROVIDER_ID } from '../../domain/onboarding/check-value.ts';
import { instant, person, plainText, remark } from '../fields.ts';

export const CASE_OUTCOMES = ['signed_up', 'never_created'] as const;
export type CaseOutcome = (typeof CASE_OUTCOMES)[number];

export const caseManualOutcomeSchema = z
  .object({
    manualOutcomeId: z.string(),
    outcome: z.enum(CASE_OUTCOMES),
    userId: z.string().nullable().describe("The provider's id of the user who was signed up."),
    reason: z.string().nullable().describe('Null: it was erased.'),
    state: z.enum(manualOutcomeStatesOf('case')),
    proposedBy: person,
    proposedAt: instant,
    confirmedBy: person.nullable().describe('While the state is `proposed`: payrun is carrying it out.'),
    closedBy: person
      .nullable()
      .describe(
        'Of a rejected one: who rejected it; the person of `proposedBy` has taken it back. Null: payrun concluded it.',
      ),
    closedAt: instant.nullable(),
    closingReason: z
      .string()
      .nullable()
      .describe('Why it was rejected or contradicted; null: nothing was said, or it was erased.'),
  })
  .meta({ id: 'CaseManualOutcome', description: 'What one person says became of a sign-up, and what came of it.' });
export type CaseManualOutcome = z.infer<typeof caseManualOutcomeSchema>;

const reason = remark.min(1, 'must say how it is known');

const userId = plainText(128).regex(PROVIDER_ID, 'does not look like an id of the provider: copy it again');

export const caseManualOutcomeRequestSchema = z
  .discriminatedUnion('outcome', [
    z.strictObject({ outcome: z.literal('signed_up'), userId, reason }),
    z.strictObject({ outcome: z.literal('never_created'), userId: z.null().default(null), reason }),
  ])
  .meta({ id: 'CaseManualOutcomeRequest' });
export type CaseManualOutcomeRequest = z.input<typeof caseManualOutcomeRequestSchema>;
export type CaseManualOutcomeProposal = z.output<typeof caseManualOutcomeRequestSchema>;

const manualOutcomeId = z.guid('is not a manual outcome id').toLowerCase().describe('The proposal that was seen.');

export const caseConfirmationSchema = z.strictObject({ manualOutcomeId });
export type CaseConfirmation = z.infer<typeof caseConfirmationSchema>;

export const caseOutcomeRejectionSchema = z.strictObject({
  manualOutcomeId,
  reason: remark.min(1).nullable().default(null),
});
export type CaseOutcomeRejectionRequest = z.input<typeof caseOutcomeRejectionSchema>;
export type CaseOutcomeRejection = z.output<typeof caseOutcomeRejectionSchema>;
