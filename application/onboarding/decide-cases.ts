import type { CaseDetail } from '../../api/onboarding/case-detail.ts';
import type { CaseConfirmation, CaseDenial, CaseResolutionProposal } from '../../api/onboarding/case-resolution.ts';
import { mayAny } from '../../domain/users/role.ts';
import {
  confirmCaseResolutionAs,
  denyCaseResolutionAs,
  eraseCaseAs,
  proposeCaseResolutionAs,
  withdrawCaseAs,
} from '../../store/onboarding/case-decisions.ts';
import { listCaseResolutions, readAccountOfCase } from '../../store/onboarding/case-views.ts';
import { ApplicationError, orNotFound } from '../application-error.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import { sayingWhichFactor } from '../users/step-up-subject.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { findCase } from './case-views.ts';
import { notifyCase } from './notify-cases.ts';

/** Ends a case. A user that the provider has stays there. */
export async function withdrawCase(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
  reason: string | null,
): Promise<CaseDetail> {
  await asApplicationError(withdrawCaseAs(dependencies.database, user.proof, caseId, reason));
  return changedCase(dependencies, user, caseId);
}

export async function proposeCaseResolution(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
  { outcome, userId, reason }: CaseResolutionProposal,
): Promise<CaseDetail> {
  const open = (await listCaseResolutions(dependencies.database, caseId)).find(({ state }) => state === 'proposed');
  if (open !== undefined && open.confirmedBy !== null) {
    const { name } = open.confirmedBy;
    throw new ApplicationError('conflict', `${name} has confirmed a proposal already, and payrun is carrying it out`);
  }
  const proposal = { caseId, outcome, userId, reason };
  await asApplicationError(proposeCaseResolutionAs(dependencies.database, user.proof, proposal));
  return shown(dependencies, user, caseId);
}

/** A worker then compares it with what the provider shows. */
export async function confirmCaseResolution(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
  { resolutionId }: CaseConfirmation,
): Promise<CaseDetail> {
  await requireResolution(dependencies, caseId, resolutionId);
  const confirmed = confirmCaseResolutionAs(dependencies.database, user.proof, resolutionId);
  await asApplicationError(sayingWhichFactor(dependencies, user, null, confirmed));
  return changedCase(dependencies, user, caseId);
}

export async function denyCaseResolution(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
  { resolutionId, reason }: CaseDenial,
): Promise<CaseDetail> {
  await requireResolution(dependencies, caseId, resolutionId);
  await asApplicationError(denyCaseResolutionAs(dependencies.database, user.proof, resolutionId, reason));
  return shown(dependencies, user, caseId);
}

/** What is decided on belongs to the case that the address names. @throws ApplicationError `not_found` */
async function requireResolution(
  { database }: ApplicationDependencies,
  caseId: string,
  resolutionId: string,
): Promise<void> {
  const resolutions = await listCaseResolutions(database, caseId);
  // guard: case-of-address
  orNotFound(resolutions.find((one) => one.resolutionId === resolutionId) ?? null, 'this case has no such proposal');
}

/** Destroys the personal data of an ended case, once its retention is over. */
export async function eraseCase(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
): Promise<CaseDetail> {
  await asApplicationError(eraseCaseAs(dependencies.database, user.proof, caseId));
  return shown(dependencies, user, caseId);
}

/** The case that a person has changed, of which its workflow is told. */
export async function changedCase(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
): Promise<CaseDetail> {
  const account = orNotFound(await readAccountOfCase(dependencies.database, caseId), 'there is no such case');
  await notifyCase(dependencies, { caseId, account });
  return shown(dependencies, user, caseId);
}

async function shown(dependencies: ApplicationDependencies, user: SignedIn, caseId: string): Promise<CaseDetail> {
  const withValues = mayAny(user.roles, 'read_applicants');
  return orNotFound(await findCase(dependencies, caseId, { withValues }), 'there is no such case');
}
