import { type CaseState, NOT_SIGNED_UP_CASE_STATES, stageOfCase } from './case-state.ts';

/**
 * What keeps payrun from sending anything of an account's cases. `stopped`: a stop, which holds everything. The others hold
 * sign-ups alone: `paused` after many refusals with the same answer, `unreadable` for an hour after a sign-up whose user was not read while the provider lets another one not be read, `unanswered`
 * for some minutes after a sign-up without an answer, `not_authenticated` while the provider does not accept the credentials.
 */
export const HOLD_KINDS = ['stopped', 'paused', 'unreadable', 'unanswered', 'not_authenticated'] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];

/** Completes “Nothing is sent: …” for `stopped`, and “Nobody is signed up: …” for the others. */
export const HOLD_CAUSES: Readonly<Record<HoldKind, string>> = {
  stopped: 'a stop is in force',
  paused: 'the last sign-ups were all refused with the same answer',
  unreadable: 'the provider does not let payrun read a new user',
  unanswered: 'the last sign-up got no answer',
  not_authenticated: "the provider does not accept payrun's credentials, or does not let it sign users up",
};

/** What ends the hold. */
export const HOLD_ENDS: Readonly<Record<HoldKind, string>> = {
  stopped: 'Cases go on by themselves when two people have lifted it (`payrun stops`).',
  paused: 'See `payrun onboard pauses`.',
  unreadable:
    'Ask the provider to let the account read its users. Until then one applicant an hour is signed up; when one can be read, all go on.',
  unanswered: 'Sign-ups go on by themselves. Do not submit anybody again.',
  not_authenticated: 'Ask whoever runs payrun to run `payrun doctor`. Sign-ups are tried again each minute.',
};

/** Whether a hold of its account keeps this case waiting. A sign-up that was sent already waits for its answer alone. */
export function isHeldBy(
  kind: HoldKind,
  { state, isAdopted, isSignUpSent }: { state: CaseState; isAdopted: boolean; isSignUpSent: boolean },
): boolean {
  if (kind === 'stopped') return stageOfCase(state) === 'working';
  return NOT_SIGNED_UP_CASE_STATES.includes(state) && !isAdopted && !isSignUpSent;
}
