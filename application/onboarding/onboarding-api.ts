import type { AuditEntrySummary } from '../../api/audit/audit.ts';
import type { ApplicantProblems } from '../../api/onboarding/applicant-problem.ts';
import type { CaseDetail } from '../../api/onboarding/case-detail.ts';
import type { CaseExport } from '../../api/onboarding/case-export.ts';
import type { CaseConfirmation, CaseDenial, CaseResolutionProposal } from '../../api/onboarding/case-resolution.ts';
import type { CaseAuditQuery, CaseList, CaseListQuery } from '../../api/onboarding/case.ts';
import type { ResumedSignUps, SignUpPause, SignUpResumption } from '../../api/onboarding/sign-up-pause.ts';
import type { ApplicantFileFormat, SubmittedApplicants, SuppliedCase } from '../../api/onboarding/submission.ts';
import type { FileContent, SubmittedFile } from '../payment-file/file-content.ts';
import type { SignedIn } from '../users/signed-in.ts';

/** The onboarding of users and companies, as the server calls it. See `Application`. */
export interface OnboardingApplication {
  /**
   * Checks a file and, unless it is a dry run, makes a case of every applicant whose reference the account does not know.
   * Of a refused file nothing is stored.
   */
  submitApplicants(user: SignedIn, submission: ApplicantSubmission): Promise<ApplicantOutcome>;
  /**
   * Of the accounts that the user may use, the newest first, after the given case. Throws `invalid_input` for an account that
   * there is not.
   */
  listCases(user: SignedIn, page: CaseListQuery): Promise<CaseList>;
  /** Without values, no personal data is read (`isMasked`). Null when there is no such case. */
  findCase(user: SignedIn, caseId: string, may: { withValues: boolean }): Promise<CaseDetail | null>;
  /** The account that a case belongs to; null when there is no such case. */
  accountOfCase(caseId: string): Promise<string | null>;
  /**
   * New values and files for a case that waits for them. Throws `conflict` when it is not the revision that was seen, or the
   * case takes nothing now.
   */
  supplyCase(user: SignedIn, caseId: string, supply: CaseSupply): Promise<SupplyOutcome>;
  /** Like the calls below it answers the case afterwards, with personal data if the user may read it. */
  withdrawCase(user: SignedIn, caseId: string, reason: string | null): Promise<CaseDetail>;
  /** Has a refused sign-up tried again. Throws `conflict` for other cases, and when another one has the mail address. */
  retryCase(user: SignedIn, caseId: string): Promise<CaseDetail>;
  /** Pauses of sign-ups in force, of the accounts that the user may use. */
  listSignUpPauses(user: SignedIn): Promise<SignUpPause[]>;
  /** Throws `conflict` when the sign-ups of the account are not paused. */
  resumeSignUps(user: SignedIn, resumption: SignUpResumption): Promise<ResumedSignUps>;
  /** What became of a sign-up. Throws `conflict` when the case is not unknown, or has an open proposal. */
  proposeCaseResolution(user: SignedIn, caseId: string, proposal: CaseResolutionProposal): Promise<CaseDetail>;
  /** Throws `not_allowed` for the proposer. A worker then compares it with what the provider shows. */
  confirmCaseResolution(user: SignedIn, caseId: string, seen: CaseConfirmation): Promise<CaseDetail>;
  denyCaseResolution(user: SignedIn, caseId: string, denial: CaseDenial): Promise<CaseDetail>;
  /** Destroys the personal data of an ended case. Throws `conflict` before its retention date. */
  eraseCase(user: SignedIn, caseId: string): Promise<CaseDetail>;
  /** The case with all values, to be handed out; who took it is in the audit trail. Throws `conflict` when it was erased. */
  exportCase(user: SignedIn, caseId: string): Promise<CaseExport>;
  /** The file of a slot that was supplied last; null when there is none, or it was erased. */
  findCaseDocument(
    user: SignedIn,
    caseId: string,
    file: { slot: string; revision: number | null },
  ): Promise<CaseFile | null>;
  /** What happened to a case, in order, after the given entry. */
  listCaseAudit(caseId: string, page: CaseAuditQuery): Promise<AuditEntrySummary[]>;
}

interface SubmittedApplicantFile {
  fileName: string;
  content: FileContent;
  format: ApplicantFileFormat;
  /** The documents that it names. */
  files: readonly SubmittedFile[];
}

export interface ApplicantSubmission extends SubmittedApplicantFile {
  /** Null: the only account that the user is limited to, or the first configured one for a user without a limit. */
  account: string | null;
  dryRun: boolean;
}

export interface CaseSupply extends SubmittedApplicantFile {
  /** That the user has seen. */
  revision: number;
}

/** Problems are the first 1,000 in the order of the file; the count is of all. */
export type ApplicantOutcome = ({ kind: 'accepted' } & SubmittedApplicants) | ({ kind: 'refused' } & ApplicantProblems);
export type SupplyOutcome = ({ kind: 'accepted' } & SuppliedCase) | ({ kind: 'refused' } & ApplicantProblems);

/** A document with its content. */
export interface CaseFile {
  fileName: string;
  contentType: string;
  bytes: Uint8Array;
}
