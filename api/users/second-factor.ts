import { z } from 'zod';
import { instant, plainText } from '../fields.ts';

/** Second factors, and how one is shown for one decision (a step-up). */

/** Options and answers of the browser's WebAuthn calls, as `@simplewebauthn/browser` takes and gives them. */
const webAuthnJson = z.record(z.string(), z.unknown());

const counts = z
  .boolean()
  .describe(
    'Whether it counts for decisions; else another administrator than who made the code of the user confirms it first.',
  );

const passkeySchema = z.object({
  passkeyId: z.string(),
  label: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  counts,
});

export const factorsSchema = z
  .object({
    totp: z
      .object({ createdAt: instant, lastUsedAt: instant.nullable(), counts })
      .nullable()
      .describe('Null: no app shows codes.'),
    passkeys: z.array(passkeySchema),
  })
  .meta({ id: 'SecondFactors' });

export const passkeyParams = z.object({ passkeyId: z.guid('is not the id of a passkey').toLowerCase() });

export const totpCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/, 'give the six digits that the app shows');

export const totpEnrolmentSchema = z
  .object({
    secret: z.string().describe('Secret in base32, to be typed into the app. Shown only this once.'),
    uri: z.string().describe('`otpauth://…`, to be shown as a QR code.'),
  })
  .meta({ id: 'TotpEnrolment', description: 'Counts only once a code of it was confirmed.' });
export type TotpEnrolment = z.infer<typeof totpEnrolmentSchema>;

export const totpConfirmationSchema = z.strictObject({ code: totpCode });

export const webAuthnOptionsSchema = z
  .object({ options: webAuthnJson.describe('Passed to the browser unchanged.') })
  .meta({ id: 'WebAuthnOptions' });

export const passkeyRegistrationSchema = z
  .strictObject({ label: plainText(100).describe('So that one knows later which to remove.'), response: webAuthnJson })
  .meta({ id: 'PasskeyRegistration' });
export type PasskeyRegistration = z.infer<typeof passkeyRegistrationSchema>;

const contentHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'give the hash of what was seen, 64 characters')
  .describe(
    'The content hash of the run, the hash of the terms of the order, the definition hash of the schedule, or what the error ' +
      '`second_factor_needed` says.',
  );

/** Exactly what is decided: a step-up for one counts for no other, once, for five minutes, in the session that made it. */
export const stepUpSubjectSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.enum(['run', 'order']),
      id: z.guid('is not the id of a run or an order').toLowerCase(),
      contentHash,
      decision: z.enum(['approved', 'released']).describe('Of a run, `released` is about suspected duplicates of it.'),
    }),
    z.strictObject({
      kind: z.enum(['manual_outcome', 'schedule']),
      id: z.guid('is not the id of a proposal or a schedule').toLowerCase(),
      contentHash,
      decision: z.literal('confirmed'),
    }),
    z.strictObject({
      kind: z.literal('change').describe('Of users, policy, provider or endpoints, or of a stop.'),
      id: z.guid('is not the id of a user').toLowerCase(),
      contentHash,
      decision: z.literal('changed'),
    }),
    z.strictObject({ kind: z.literal('session').describe('The sign-in of a session that awaits one.') }),
    z.strictObject({ kind: z.literal('sign_in').describe('One change of passwords, factors or identities.') }),
  ])
  .meta({ id: 'StepUpSubject' });
export type StepUpSubject = z.infer<typeof stepUpSubjectSchema>;

export const totpStepUpSchema = z
  .strictObject({ subject: stepUpSubjectSchema, code: totpCode })
  .meta({ id: 'TotpStepUp' });
export const passkeyStepUpOptionsSchema = z.strictObject({ subject: stepUpSubjectSchema });
export const passkeyStepUpSchema = z
  .strictObject({ subject: stepUpSubjectSchema, response: webAuthnJson })
  .meta({ id: 'PasskeyStepUp' });

export const steppedUpSchema = z
  .object({ validUntil: instant.describe('Decide before.') })
  .meta({ id: 'SteppedUp', description: 'The decision may now be sent. The cookie of the session has a new value.' });
export type SteppedUp = z.infer<typeof steppedUpSchema>;
