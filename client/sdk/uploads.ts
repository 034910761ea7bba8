import type { SubmittedApplicants, SuppliedCase } from '../../api/onboarding/submission.ts';
import type { Draft } from '../../api/payment-file/draft.ts';
import type { SheetReadingProposal } from '../../api/payment-file/reading.ts';
import type { AcceptedSubmission } from '../../api/runs/submission.ts';
import type { EndpointCalls } from './endpoint-calls.ts';
import {
  applicantsForm,
  type ApplicantsToSubmit,
  type CaseSupplyToSubmit,
  supplyForm,
} from './onboarding-submission.ts';
import {
  type AccountsToAdd,
  appendFiles,
  bookForm,
  type FileToSubmit,
  type RunToSubmit,
  sheetForm,
  type SheetToRead,
  submissionForm,
} from './submission.ts';

/** Endpoints that take a form with files, which is made here. */
export interface Uploads {
  /** Throws FileRefusedError with the problems of the file. Never repeat it blindly: look at `listRuns` first. */
  submitRun(run: RunToSubmit): Promise<AcceptedSubmission>;
  /** How a sheet would be read: nothing of it is stored. Throws FileRefusedError for what is no sheet. */
  proposeReading(sheet: SheetToRead): Promise<SheetReadingProposal>;
  /** Takes a file of at most 10,000 rows, whatever is wrong with its cells. */
  addDraft(file: Omit<RunToSubmit, 'onInvalid' | 'checkOnly' | 'idempotencyKey'>): Promise<Draft>;
  /** Adds a supporting file to the draft as it was seen: throws `conflict` when it was changed since. */
  addDraftFile(added: { draftId: string; revision: number; file: FileToSubmit }): Promise<Draft>;
  /** Adds accounts to the book of beneficiaries. Throws FileRefusedError with the problems of the sheet. */
  addBeneficiaries(accounts: AccountsToAdd): Promise<{ added: number; known: number }>;
  /** Throws ApplicantsRefusedError with the problems of the file. Known applicants are not submitted again. */
  submitApplicants(applicants: ApplicantsToSubmit): Promise<SubmittedApplicants>;
  /** New values of a case as it was seen. Throws ApplicantsRefusedError. */
  supplyCase(supply: CaseSupplyToSubmit & { caseId: string }): Promise<SuppliedCase>;
}

export function uploads(calls: EndpointCalls): Uploads {
  return {
    submitRun: ({ idempotencyKey, ...run }) => {
      const headers: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      return calls.submitRun({ form: submissionForm(run) }, { headers });
    },
    proposeReading: (sheet) => calls.proposeReading({ form: sheetForm(sheet) }),
    addDraft: (file) => calls.addDraft({ form: submissionForm(file) }),
    addDraftFile: ({ draftId, revision, file }) => {
      const form = new FormData();
      form.set('revision', String(revision));
      appendFiles(form, 'file', [file]);
      return calls.addDraftFile({ draftId, form });
    },
    addBeneficiaries: (accounts) => calls.addBeneficiaries({ form: bookForm(accounts) }),
    submitApplicants: (applicants) => calls.submitApplicants({ form: applicantsForm(applicants) }),
    supplyCase: ({ caseId, ...supply }) => calls.supplyCase({ caseId, form: supplyForm(supply) }),
  };
}
