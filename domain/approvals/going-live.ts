/**
 * Going live: with a real provider nothing is approved before two administrators have taken this step. `going_live` in the database
 * answers one of these.
 */
export const GOING_LIVE_STATES = ['sandbox', 'no_provider', 'not_live', 'proposed', 'live'] as const;
export type GoingLiveState = (typeof GOING_LIVE_STATES)[number];

/** Who takes the step, by name, and when both had. */
export interface GoingLive {
  state: GoingLiveState;
  changeId: string | null;
  proposedBy: string | null;
  confirmedBy: string | null;
  /** Its form is that of whoever shows it. */
  since: string | null;
}

/** How it stands, and what is to be done: the same at the command line and in the console. */
export function goingLiveSentence({ state, proposedBy, confirmedBy, since }: GoingLive): string {
  switch (state) {
    case 'sandbox':
      return 'This is the sandbox: no real money moves, and nothing has to go live.';
    case 'no_provider':
      return 'No provider is recorded yet: the first worker records it.';
    case 'not_live':
      return 'Not live: nothing is approved, and nobody is signed up. An administrator proposes to go live, and another one confirms it; each has a code of the owner of the database (payrun administrator).';
    case 'proposed':
      return `Not live: ${proposedBy ?? 'an administrator'} has proposed to go live, and another administrator confirms it. Everybody else signs in again afterwards, with a new code.`;
    case 'live':
      return `Live since ${since ?? 'an unknown time'}: ${proposedBy ?? 'somebody'} proposed it, and ${confirmedBy ?? 'somebody'} confirmed it.`;
  }
}
