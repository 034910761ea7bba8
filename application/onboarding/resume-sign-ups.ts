import type { CaseDetail } from '../../api/onboarding/case-detail.ts';
import type { ResumedSignUps, SignUpPause, SignUpResumption } from '../../api/onboarding/sign-up-pause.ts';
import { listSignUpPauses, resumeSignUpsAs, retryCaseAs } from '../../store/onboarding/sign-up-pauses.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { changedCase } from './decide-cases.ts';
import { notifyCasePoller } from './notify-cases.ts';

/** Pauses in force of the accounts that the user may use. */
export async function findSignUpPauses(
  { database }: ApplicationDependencies,
  { accounts }: SignedIn,
): Promise<SignUpPause[]> {
  const pauses = await listSignUpPauses(database, accounts);
  return pauses.map(({ pausedAt, ...pause }) => ({ ...pause, pausedAt: pausedAt.toISOString() }));
}

/** Lets the sign-ups of an account go on, on request with those again that were refused. */
export async function resumeSignUps(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  resumption: SignUpResumption,
): Promise<ResumedSignUps> {
  const resumed = await asApplicationError(resumeSignUpsAs(dependencies.database, user.tokenHash, resumption));
  await notifyCasePoller(dependencies, resumption.account);
  return resumed;
}

/** Has a refused sign-up tried again, with what was submitted. */
export async function retryCase(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  caseId: string,
): Promise<CaseDetail> {
  await asApplicationError(retryCaseAs(dependencies.database, user.tokenHash, caseId));
  return changedCase(dependencies, user, caseId);
}
