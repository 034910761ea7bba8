import type { ApplicantProblem } from '../../api/onboarding/applicant-problem.ts';
import type { CaseDetail, CaseDocument } from '../../api/onboarding/case-detail.ts';
import type { CaseManualOutcome } from '../../api/onboarding/case-manual-outcome.ts';
import type { CaseSummary } from '../../api/onboarding/case.ts';
import type { SignUpPause } from '../../api/onboarding/sign-up-pause.ts';

export const CASE = '018f2a00-0000-5000-8000-000000000001';
export const OTHER_CASE = '018f2a00-0000-5000-8000-000000000002';

/** Stands in everything of a case that not everyone may read. */
export const CASE_SECRETS = ['Anna Probe', 'anna@example.test', 'anna passport.pdf', 'the passport of Anna is blurred'];

export function aCase(fields: Partial<CaseSummary> = {}): CaseSummary {
  return {
    caseId: CASE,
    account: 'default',
    applicantRef: 'A-17',
    accountType: 'individual',
    state: 'resubmission',
    stateReason: null,
    isExistingUser: false,
    revision: 1,
    missing: [],
    providerStatus: 'documents_need_resubmission',
    submittedBy: { userId: 'user-onboarder', name: 'Oda' },
    submittedAt: '2026-01-05T09:00:00.000Z',
    changedAt: '2026-01-06T09:00:00.000Z',
    endedAt: null,
    waitingSince: '2026-01-06T09:00:00.000Z',
    ...fields,
  };
}

export function aCaseDocument(fields: Partial<CaseDocument> = {}): CaseDocument {
  return {
    slot: 'passport',
    documentType: 'passport',
    contentType: 'application/pdf',
    sizeBytes: 12_345,
    sha256: 'b'.repeat(64),
    revision: 1,
    fileName: 'anna passport.pdf',
    state: 'verified',
    ...fields,
  };
}

/** A case for which the provider asks for another passport. */
export function aCaseDetail(fields: Partial<CaseDetail> = {}): CaseDetail {
  return {
    ...aCase(),
    userId: 'user-0001',
    accountId: 'account-0001',
    unlistedStatus: 'Anna Probe must call us',
    erasableFrom: null,
    values: { first_name: 'Anna Probe', email: 'anna@example.test' },
    documents: [aCaseDocument()],
    remarks: [
      {
        providerStatus: 'documents_need_resubmission',
        text: 'the passport of Anna is blurred',
        seenAt: '2026-01-06T09:00:00.000Z',
      },
    ],
    requests: [
      {
        operation: 'sign_up',
        revision: 1,
        slot: null,
        begunAt: '2026-01-05T09:00:01.000Z',
        answeredAt: '2026-01-05T09:00:02.000Z',
        outcome: 'took_effect',
        httpStatus: 200,
      },
    ],
    uploads: [],
    holds: [],
    withdrawn: null,
    erased: null,
    manualOutcomes: [],
    sentences: { status: 'The provider asks for documents or details again.', toDo: 'Supply another passport.' },
    isMasked: false,
    ...fields,
  };
}

export function aCaseManualOutcome(fields: Partial<CaseManualOutcome> = {}): CaseManualOutcome {
  return {
    manualOutcomeId: '018f2a00-0000-7000-8000-0000000000b1',
    outcome: 'signed_up',
    userId: 'user-0001',
    reason: 'the provider names it in their mail',
    state: 'proposed',
    proposedBy: { userId: 'user-onboarder', name: 'Oda' },
    proposedAt: '2026-01-06T09:00:00.000Z',
    confirmedBy: null,
    closedBy: null,
    closedAt: null,
    closingReason: null,
    ...fields,
  };
}

export function aSignUpPause(fields: Partial<SignUpPause> = {}): SignUpPause {
  return {
    account: 'default',
    pausedAt: '2026-01-06T09:00:00.000Z',
    httpStatus: 422,
    refusals: 10,
    waiting: 990,
    ...fields,
  };
}

export function anApplicantProblem(fields: Partial<ApplicantProblem> = {}): ApplicantProblem {
  return {
    file: 'applicants.csv',
    line: 2,
    applicantRef: 'A-17',
    field: 'email',
    value: 'anna',
    problem: 'is not one e-mail address',
    fix: 'write one address without a name',
    code: 'email_form',
    ...fields,
  };
}
