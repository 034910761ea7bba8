import { SUPPORTED_KINDS } from '../../domain/payment-file/supporting-file-kind.ts';
import { bytes, json } from '../answers.ts';
import { doneOrChangeSchema } from '../approvals/change.ts';
import { reasonSchema } from '../approvals/stop.ts';
import { auditPageSchema } from '../audit/audit.ts';
import { endpoints } from '../endpoint.ts';
import {
  actionableCaseSchema,
  caseDetailSchema,
  caseDocumentParams,
  caseDocumentQuery,
  caseExportSchema,
  caseQuery,
} from './case-detail.ts';
import {
  caseConfirmationSchema,
  caseOutcomeRejectionSchema,
  caseManualOutcomeRequestSchema,
} from './case-manual-outcome.ts';
import { caseAuditQuery, caseListQuery, casePageSchema, caseParams } from './case.ts';
import { resumedSignUpsSchema, signUpPausesSchema, signUpResumptionSchema } from './sign-up-pause.ts';
import { applicantsFormSchema, submittedApplicantsSchema, suppliedCaseSchema, supplyFormSchema } from './submission.ts';

/** In milliseconds: a form with files, which are checked one by one. */
const FORM_TIMEOUT_MS = 600_000;

/** Submits applicants, and what a case of one waits for. */
export const applicantEndpoints = endpoints({
  submitApplicants: {
    method: 'POST',
    path: '/cases',
    access: 'onboard',
    limitedBy: 'account',
    tag: 'onboarding',
    summary: 'Submit applicants with their documents',
    description:
      'Checks every applicant, and begins a case of each whose reference the account does not know yet: the same file sent ' +
      'again begins nothing twice. A file with a problem is refused as a whole.',
    form: applicantsFormSchema,
    answers: { 201: json('The file was accepted.', submittedApplicantsSchema) },
    errors: [400, 409, 413, 415, 422],
    timeoutMs: FORM_TIMEOUT_MS,
  },
  supplyCase: {
    method: 'POST',
    path: '/cases/:caseId/supply',
    access: 'onboard',
    limitedBy: 'caseId',
    tag: 'onboarding',
    summary: 'Give what a case waits for',
    description:
      'The file has only what is new: null removes an optional value (in YAML and JSON), a document replaces the one of ' +
      'its name. The mail address and the kind of account cannot change.',
    params: caseParams,
    form: supplyFormSchema,
    answers: { 200: json('The case is prepared again.', suppliedCaseSchema) },
    errors: [400, 404, 409, 413, 415, 422],
    timeoutMs: FORM_TIMEOUT_MS,
  },
});

/** Cases, to read, to withdraw and to erase. */
export const caseEndpoints = endpoints({
  listCases: {
    method: 'GET',
    path: '/cases',
    access: 'read_cases',
    limitedBy: 'account',
    tag: 'onboarding',
    summary: 'Cases of the accounts that you may use, the newest first',
    query: caseListQuery,
    answers: { 200: json('A page of cases.', casePageSchema) },
    errors: [400],
  },
  getCase: {
    method: 'GET',
    path: '/cases/:caseId',
    access: 'read_cases',
    limitedBy: 'caseId',
    reads: ['read_applicants'],
    tag: 'onboarding',
    summary: 'One case: its state, what is asked for, what was supplied and sent',
    description: 'Values, file names and remarks need the permission read_applicants.',
    params: caseParams,
    query: caseQuery,
    answers: { 200: json('The case, and what you may do with it.', actionableCaseSchema) },
    errors: [400, 404],
  },
  listCaseAudit: {
    method: 'GET',
    path: '/cases/:caseId/audit',
    access: 'read_cases',
    limitedBy: 'caseId',
    tag: 'onboarding',
    summary: 'What happened to a case, in order',
    params: caseParams,
    query: caseAuditQuery,
    answers: { 200: json('A page of entries.', auditPageSchema) },
    errors: [400, 404],
  },
  withdrawCase: {
    method: 'POST',
    path: '/cases/:caseId/withdraw',
    access: 'onboard',
    limitedBy: 'caseId',
    reads: ['read_applicants'],
    tag: 'onboarding',
    summary: 'End a case that waits for an onboarder, or was not begun',
    description: 'A user that the provider has already stays there.',
    params: caseParams,
    body: reasonSchema,
    answers: { 200: json('The case afterwards.', caseDetailSchema) },
    errors: [400, 404, 409, 415],
  },
  eraseCase: {
    method: 'POST',
    path: '/cases/:caseId/erase',
    access: 'erase_case',
    limitedBy: 'caseId',
    tag: 'onboarding',
    summary:
      'Propose to destroy the personal data of an ended case, also in every backup; a second administrator confirms it',
    description: 'Not before its retention date, `erasableFrom`, which the policy sets. It cannot be undone.',
    params: caseParams,
    answers: { 200: json('What became of it.', doneOrChangeSchema) },
    errors: [400, 404, 409],
  },
});

/** Of a document that is of none of the kinds that can be supplied. */
export const OTHER_DOCUMENT_TYPE = 'application/octet-stream';
export const DOCUMENT_TYPES = SUPPORTED_KINDS.map(({ contentType }) => contentType);

/** The documents of a case, and its export. */
export const caseDocumentEndpoints = endpoints({
  exportCase: {
    method: 'POST',
    path: '/cases/:caseId/export',
    access: 'read_applicants',
    limitedBy: 'caseId',
    tag: 'onboarding',
    summary: 'Everything about an applicant, to be handed out',
    description: 'With all revisions. The audit trail says who exported it, and when. Documents are read one by one.',
    params: caseParams,
    answers: { 200: json('The case, with values and remarks.', caseExportSchema) },
    errors: [400, 404, 409],
  },
  getCaseDocument: {
    method: 'GET',
    path: '/cases/:caseId/documents/:slot',
    access: 'read_applicants',
    limitedBy: 'caseId',
    tag: 'onboarding',
    summary: 'A document of a case, as it was supplied last or with a revision',
    params: caseDocumentParams,
    query: caseDocumentQuery,
    answers: { 200: bytes('The file.', [...DOCUMENT_TYPES, OTHER_DOCUMENT_TYPE]) },
    errors: [400, 404],
  },
});

/** How two people resolve a case whose sign-up has an unknown outcome. */
export const caseManualOutcomeEndpoints = endpoints({
  proposeCaseManualOutcome: {
    method: 'POST',
    path: '/cases/:caseId/manual-outcome',
    access: 'onboard',
    limitedBy: 'caseId',
    reads: ['read_applicants'],
    tag: 'onboarding',
    summary: 'Propose what became of a sign-up',
    description:
      '`signed_up` names the user, who must have the mail address of the applicant. It takes effect when a second person ' +
      'confirms it.',
    params: caseParams,
    body: caseManualOutcomeRequestSchema,
    answers: { 200: json('The case afterwards.', caseDetailSchema) },
    errors: [400, 404, 409, 415],
  },
  confirmCaseManualOutcome: {
    method: 'POST',
    path: '/cases/:caseId/manual-outcome/confirm',
    access: 'confirm_case',
    limitedBy: 'caseId',
    reads: ['read_applicants'],
    tag: 'onboarding',
    summary: 'Confirm what became of a sign-up',
    description:
      'By another person than the proposer. payrun then reads the user: when the provider shows somebody else, the ' +
      'proposal is closed as `contradicted`.',
    params: caseParams,
    body: caseConfirmationSchema,
    answers: { 200: json('The case afterwards.', caseDetailSchema) },
    errors: [400, 404, 409, 415],
  },
  rejectCaseManualOutcome: {
    method: 'POST',
    path: '/cases/:caseId/manual-outcome/reject',
    access: 'confirm_case',
    limitedBy: 'caseId',
    reads: ['read_applicants'],
    tag: 'onboarding',
    summary: 'Reject a proposal, or take back one of your own',
    params: caseParams,
    body: caseOutcomeRejectionSchema,
    answers: { 200: json('The case afterwards.', caseDetailSchema) },
    errors: [400, 404, 409, 415],
  },
});

/** Refused sign-ups: those that are tried again, and pauses after many of them. */
export const signUpEndpoints = endpoints({
  listSignUpPauses: {
    method: 'GET',
    path: '/sign-ups/pauses',
    access: 'read_cases',
    limitedBy: 'user',
    tag: 'onboarding',
    summary: 'Accounts whose sign-ups are paused, since the last ones were all refused with the same answer',
    answers: { 200: json('The pauses in force.', signUpPausesSchema) },
  },
  resumeSignUps: {
    method: 'POST',
    path: '/sign-ups/resume',
    access: 'onboard',
    limitedBy: 'account',
    tag: 'onboarding',
    summary: 'Let the sign-ups of an account go on',
    body: signUpResumptionSchema,
    answers: { 200: json('What is tried again.', resumedSignUpsSchema) },
    errors: [400, 404, 409, 415],
  },
  retryCase: {
    method: 'POST',
    path: '/cases/:caseId/retry',
    access: 'onboard',
    limitedBy: 'caseId',
    reads: ['read_applicants'],
    tag: 'onboarding',
    summary: 'Have a refused sign-up tried again, with what was submitted',
    params: caseParams,
    answers: { 200: json('The case afterwards.', caseDetailSchema) },
    errors: [400, 404, 409],
  },
});

export const onboardingEndpoints = {
  ...applicantEndpoints,
  ...caseEndpoints,
  ...caseDocumentEndpoints,
  ...caseManualOutcomeEndpoints,
  ...signUpEndpoints,
};
