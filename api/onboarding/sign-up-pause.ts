import { z } from 'zod';
import { instant } from '../fields.ts';

const signUpPauseSchema = z
  .object({
    account: z.string(),
    pausedAt: instant,
    httpStatus: z
      .int()
      .nullable()
      .describe("HTTP status of the answer. The provider's text is with the refused cases."),
    refusals: z.int().describe('Sign-ups that were refused with this answer, one after the other.'),
    waiting: z.int().describe('Cases that wait to be signed up.'),
  })
  .meta({
    id: 'SignUpPause',
    description: 'Nobody else of the account is signed up, since the last ones were all refused with the same answer.',
  });
export type SignUpPause = z.infer<typeof signUpPauseSchema>;

export const signUpPausesSchema = z.object({ pauses: z.array(signUpPauseSchema) });
export type SignUpPauses = z.infer<typeof signUpPausesSchema>;

export const signUpResumptionSchema = z
  .strictObject({
    account: z.string().min(1).max(100),
    retry: z
      .boolean()
      .default(false)
      .describe('Also try the sign-ups again that were refused with the answer which led to the pause.'),
  })
  .meta({ id: 'SignUpResumption' });
export type SignUpResumption = z.output<typeof signUpResumptionSchema>;

export const resumedSignUpsSchema = z
  .object({
    retried: z.int().describe('Refused sign-ups that are tried again.'),
    notRetried: z.int().describe('Refused ones whose mail address another case has by now.'),
  })
  .meta({ id: 'ResumedSignUps' });
export type ResumedSignUps = z.infer<typeof resumedSignUpsSchema>;
