import { z } from 'zod';
import { HOLD_KINDS } from '../../domain/onboarding/onboarding-hold.ts';
import { instant } from '../fields.ts';

export const onboardingHoldSchema = z
  .object({
    account: z.string(),
    kind: z
      .enum(HOLD_KINDS)
      .describe(
        '`stopped`: a stop holds everything. The others hold sign-ups: `paused` after many equal refusals, `unreadable` while ' +
          'the provider lets no new user be read, `unanswered` for some minutes after a sign-up without an answer, `not_authenticated` while the provider does not ' +
          'accept the credentials.',
      ),
    since: instant,
    until: instant.nullable().describe('When it ends by itself; null: that is not known.'),
  })
  .meta({ id: 'OnboardingHold', description: "What keeps payrun from sending anything of an account's cases." });
export type OnboardingHold = z.infer<typeof onboardingHoldSchema>;
