import { type CaseState, stageOfCase } from '../../domain/onboarding/case-state.ts';
import { listDocuments } from '../../store/onboarding/case-documents.ts';
import { readConfirmedManualOutcome } from '../../store/onboarding/case-manual-outcomes.ts';
import { isTooOld, isUndecided, noteLooked, remindIfDue } from '../../store/onboarding/case-poll.ts';
import { moveCase } from '../../store/onboarding/case-transition.ts';
import { readCase } from '../../store/onboarding/cases.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export interface CaseStageShown {
  state: CaseState;
  /** The user existed before the case. */
  isAdopted: boolean;
  isCompany: boolean;
  /** Documents that are not verified yet. */
  slots: string[];
  /** Two people have said what became of the sign-up. */
  isResolved: boolean;
  /** When to look again if no signal arrives, in milliseconds. */
  waitMs: number;
  hasEnded: boolean;
}

/**
 * Reads from the database what comes next. Onboarders are reminded of a case that waits for them or for the provider; after long
 * enough one that waits for the provider waits for them, and one that waits for them ends.
 */
export function readCaseStageActivity({ database, settings }: ActivityDependencies) {
  return async function readCaseStage({ caseId }: { caseId: string }): Promise<CaseStageShown> {
    const { reminderMs, providerReminderMs, undecidedMs, ageLimitMs } = settings.onboarding;
    await noteLooked(database, caseId);
    if (await isTooOld(database, caseId, ageLimitMs)) await moveCase(database, caseId, 'expired');
    if (await isUndecided(database, caseId, undecidedMs)) {
      await moveCase(database, caseId, 'needs_provider', { reason: 'undecided' });
    }
    await remindIfDue(database, caseId, { reminderMs, providerReminderMs });
    const { state, isAdopted, accountType } = await readCase(database, caseId);
    const documents = state === 'preparing' ? await listDocuments(database, caseId) : [];
    return {
      state,
      isAdopted,
      isCompany: accountType === 'company',
      slots: documents.filter(({ isVerified }) => !isVerified).map(({ slot }) => slot),
      isResolved: state === 'unknown' && (await readConfirmedManualOutcome(database, caseId)) !== null,
      waitMs: Math.min(reminderMs, providerReminderMs, undecidedMs, ageLimitMs),
      hasEnded: stageOfCase(state) === 'ended',
    };
  };
}
