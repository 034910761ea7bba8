import type { CaseState } from '../../domain/onboarding/case-state.ts';
import { isStopped } from '../../store/approvals/stops.ts';
import { readOpenCaseRequest } from '../../store/onboarding/case-requests.ts';
import { moveCase } from '../../store/onboarding/case-transition.ts';
import { readCase } from '../../store/onboarding/cases.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { type CaseOutcome, stateOf } from './case-calls.ts';

/** Where a case goes whose step failed for days. What may have reached the provider is never called failed. */
const GIVEN_UP: Partial<Record<CaseState, CaseState>> = {
  signing_up: 'unknown',
  preparing: 'needs_provider',
  ready: 'needs_provider',
};

export function giveUpCaseActivity({ database }: ActivityDependencies) {
  return async function giveUpCase({ caseId }: { caseId: string }): Promise<CaseOutcome> {
    const { state, account } = await readCase(database, caseId);
    const to = GIVEN_UP[state];
    const open = state === 'signing_up' ? await readOpenCaseRequest(database, caseId, 'sign_up') : null;
    // After a long stop nothing has failed; and without a sign-up under way there is nothing to find out.
    const isHeld = (await isStopped(database, account, null)) || (state === 'signing_up' && open === null);
    if (to !== undefined && !isHeld) {
      await moveCase(database, caseId, to, { reason: to === 'unknown' ? 'sign_up_unknown' : 'step_failed' });
    }
    return stateOf(database, caseId);
  };
}
