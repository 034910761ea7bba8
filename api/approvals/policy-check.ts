import { z } from 'zod';
import { approvalPolicySchema } from '../../domain/approvals/approval-policy.ts';
import { policyExplanationSchema, policyQuestion, runUnderPolicySchema } from './policy-explanation.ts';

const thoughtOfRun = z.strictObject({
  ...policyQuestion.shape,
  newBeneficiary: z
    .boolean()
    .default(false)
    .describe('Whether an account is paid for the first time, or by another route.'),
});

/** A policy that is thought of, and a run under it. */
export const policyCheckRequestSchema = z
  .strictObject({
    policy: approvalPolicySchema,
    run: thoughtOfRun
      .nullable()
      .default(null)
      .describe('A hypothetical run, in one currency; null: none is asked about.'),
    runId: z.uuid('give the id of a run').nullable().default(null).describe('A run; null: none is asked about.'),
  })
  .meta({ id: 'PolicyCheckRequest' });
export type PolicyCheckRequest = z.infer<typeof policyCheckRequestSchema>;
export type ThoughtOfRun = NonNullable<PolicyCheckRequest['run']>;

export const policyCheckSchema = z
  .object({
    policy: approvalPolicySchema.describe('As it was read, with what holds where something was left out.'),
    remarks: z
      .array(z.string())
      .describe(
        'What is easily overlooked in the policy, such as a rule that is never reached. None of it prevents it.',
      ),
    explanation: policyExplanationSchema.nullable().describe('What the run would need; null: none was asked about.'),
    ofRun: runUnderPolicySchema.nullable().describe('What it says of the run; null: none was asked about.'),
  })
  .meta({ id: 'PolicyCheck', description: 'What a policy would mean, before it is proposed.' });
export type PolicyCheck = z.infer<typeof policyCheckSchema>;
