import type { DoneOrChange } from '../../api/approvals/change.ts';
import type { CaseDetail } from '../../api/onboarding/case-detail.ts';
import type {
  CaseConfirmation,
  CaseOutcomeRejection,
  CaseManualOutcomeProposal,
} from '../../api/onboarding/case-manual-outcome.ts';
import {
  confirmCaseManualOutcomeAs,
  rejectCaseManualOutcomeAs,
  eraseCaseAs,
  proposeCaseManualOutcomeAs,
  withdrawCaseAs,
} from '../../store/onboarding/case-decisions.ts';
import { findCaseView, listCaseManualOutcomes } from '../../store/onboarding/case-views.ts';
import { ApplicationError, orNotFound } from '../application-error.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import { mayRead, type SignedIn } from '../users/signed-in.ts';
import { findCase } from './case-views.ts';
import { notifyCase } from './notify-cases.ts';

/** Ends a case. A user that the provider has stays there. */
export async function withdrawCase(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
  reason: string | null,
): Promise<CaseDetail> {
  await asApplicationError(withdrawCaseAs(dependencies.database, user.tokenHash, caseId, reason));
  return changedCase(dependencies, user, caseId);
}

export async function proposeCaseManualOutcome(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
  { outcome, userId, reason }: CaseManualOutcomeProposal,
): Promise<CaseDetail> {
  const open = (await listCaseManualOutcomes(dependencies.database, caseId)).find(({ state }) => state === 'proposed');
  if (open !== undefined && open.confirmedBy !== null) {
    const { name } = open.confirmedBy;
    throw new ApplicationError('conflict', `${name} has confirmed a proposal already, and payrun is carrying it out`);
  }
  const proposal = { caseId, outcome, userId, reason };
  await asApplicationError(proposeCaseManualOutcomeAs(dependencies.database, user.tokenHash, proposal));
  return shown(dependencies, user, caseId);
}

/** A worker then compares it with what the provider shows. */
export async function confirmCaseManualOutcome(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
  { manualOutcomeId }: CaseConfirmation,
): Promise<CaseDetail> {
  await requireManualOutcome(dependencies, caseId, manualOutcomeId);
  const confirmed = confirmCaseManualOutcomeAs(dependencies.database, user.tokenHash, manualOutcomeId);
  await asApplicationError(confirmed);
  return changedCase(dependencies, user, caseId);
}

export async function rejectCaseManualOutcome(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
  { manualOutcomeId, reason }: CaseOutcomeRejection,
): Promise<CaseDetail> {
  await requireManualOutcome(dependencies, caseId, manualOutcomeId);
  await asApplicationError(rejectCaseManualOutcomeAs(dependencies.database, user.tokenHash, manualOutcomeId, reason));
  return shown(dependencies, user, caseId);
}

/** What is decided on belongs to the case that the address names. @throws ApplicationError `not_found` */
async function requireManualOutcome(
  { database }: ApplicationDependencies,
  caseId: string,
  manualOutcomeId: string,
): Promise<void> {
  const manualOutcomes = await listCaseManualOutcomes(database, caseId);
  // guard: case-of-address (4 lines)
  orNotFound(
    manualOutcomes.find((one) => one.manualOutcomeId === manualOutcomeId) ?? null,
    'this case has no such proposal',
  );
}

/** Proposes to destroy the personal data of an ended case, once its retention is over: a second administrator confirms it. */
export function eraseCase(
  { database }: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
): Promise<DoneOrChange> {
  return asApplicationError(eraseCaseAs(database, user.tokenHash, caseId));
}

/** The case that a person has changed, of which its workflow is notified. */
export async function changedCase(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
): Promise<CaseDetail> {
  const { account } = orNotFound(await findCaseView(dependencies.database, caseId), 'there is no such case');
  await notifyCase(dependencies, { caseId, account });
  return shown(dependencies, user, caseId);
}

async function shown(dependencies: ApplicationDependencies, user: SignedIn, caseId: string): Promise<CaseDetail> {
  const withValues = mayRead(user, 'read_applicants');
  return orNotFound(await findCase(dependencies, caseId, { withValues }), 'there is no such case');
}
