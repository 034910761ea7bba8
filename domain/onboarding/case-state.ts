import { statesWhere } from '../state-table.ts';
import { CASE_STATE_TABLE, type CaseStage, type CaseState, type CaseStateRow } from './case-state-table.ts';

/** What the code asks of the states of a case. Each answer is in the table. */

export { CASE_STATE_TABLE, CASE_STATES, type CaseStage, type CaseState } from './case-state-table.ts';

export function caseStatesWhere(isSo: (row: CaseStateRow) => boolean): readonly CaseState[] {
  return statesWhere(CASE_STATE_TABLE, isSo);
}

export function stageOfCase(state: CaseState): CaseStage {
  return CASE_STATE_TABLE[state].stage;
}

/** Neither payrun nor the provider has anything more to do by itself. */
export function isDoneForNow(state: CaseState): boolean {
  const stage = stageOfCase(state);
  return stage === 'ended' || stage === 'onboarder';
}

export function mayTransitionCase(from: CaseState, to: CaseState): boolean {
  return CASE_STATE_TABLE[from].next.includes(to);
}

/** The case has not ended. */
export const OPEN_CASE_STATES = caseStatesWhere(({ stage }) => stage !== 'ended');

/** Only the provider can bring the case further. */
export const PROVIDER_CASE_STATES = caseStatesWhere(({ stage }) => stage === 'provider');

/** The case waits for an onboarder. */
export const ONBOARDER_CASE_STATES = caseStatesWhere(({ stage }) => stage === 'onboarder');

/** The provider is not known to have the applicant's user. */
export const NOT_SIGNED_UP_CASE_STATES = caseStatesWhere(({ signUp }) => signUp.isAhead);

/** The outcome of the sign-up may be unknown. */
export const UNANSWERED_CASE_STATES = caseStatesWhere(({ signUp }) => signUp.mayBeUnanswered);

/** An onboarder may give new values and files. */
export const SUPPLIABLE_CASE_STATES = caseStatesWhere(({ case: { maySupply } }) => maySupply);

/** The provider has the user, and may show another status: the poll reads these. */
export const OBSERVED_CASE_STATES = caseStatesWhere(({ case: { isObserved } }) => isObserved);
