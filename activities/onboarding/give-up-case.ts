import type { CaseState } from '../../domain/onboarding/case-state.ts';
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
    const { state } = await readCase(database, caseId);
    const to = GIVEN_UP[state];
    if (to !== undefined) {
      await moveCase(database, caseId, to, { reason: to === 'unknown' ? 'sign_up_unknown' : 'gave_up' });
    }
    return stateOf(database, caseId);
  };
}
