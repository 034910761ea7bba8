export type { OnboardingApplication } from './use-cases.ts';
export type { ApplicantOutcome, ApplicantSubmission, CaseSupply, SupplyOutcome } from './submit-applicants.ts';
export type { CaseFile } from './case-views.ts';
