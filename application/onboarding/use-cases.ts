import type { ApplicationDependencies } from '../application-dependencies.ts';
import { listCaseAudit } from '../audit/audit-views.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { findCase, findCaseDocument, listCases } from './case-views.ts';
import {
  confirmCaseManualOutcome,
  rejectCaseManualOutcome,
  eraseCase,
  proposeCaseManualOutcome,
  withdrawCase,
} from './decide-cases.ts';
import { exportCase } from './export-case.ts';
import { findSignUpPauses, resumeSignUps, retryCase } from './resume-sign-ups.ts';
import { submitApplicants, supplyCase } from './submit-applicants.ts';

export type OnboardingApplication = ReturnType<typeof onboardingUseCases>;

export function onboardingUseCases(dependencies: ApplicationDependencies) {
  return {
    findCase: (_user: SignedIn, caseId: string, may: { withValues: boolean }) => findCase(dependencies, caseId, may),
    findCaseDocument: (_user: SignedIn, caseId: string, file: { slot: string; revision: number | null }) =>
      findCaseDocument(dependencies, caseId, file),
    ...bindUseCases(dependencies, {
      submitApplicants,
      listCases,
      supplyCase,
      withdrawCase,
      retryCase,
      listSignUpPauses: findSignUpPauses,
      resumeSignUps,
      proposeCaseManualOutcome,
      confirmCaseManualOutcome,
      rejectCaseManualOutcome,
      eraseCase,
      exportCase,
      listCaseAudit,
    }),
  };
}
