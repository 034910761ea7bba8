import type { AuditEntrySummary } from '../../api/audit/audit.ts';
import { type CaseDetail, caseDetailSchema } from '../../api/onboarding/case-detail.ts';
import { type CaseExport, caseExportSchema } from '../../api/onboarding/case-export.ts';
import type {
  CaseConfirmation,
  CaseDenialRequest,
  CaseResolutionRequest,
} from '../../api/onboarding/case-resolution.ts';
import { type CasePage, casePageSchema, type CaseState } from '../../api/onboarding/case.ts';
import {
  type ResumedSignUps,
  resumedSignUpsSchema,
  type SignUpPauses,
  signUpPausesSchema,
  type SignUpResumptionRequest,
} from '../../api/onboarding/sign-up-pause.ts';
import {
  type SubmittedApplicants,
  submittedApplicantsSchema,
  type SuppliedCase,
  suppliedCaseSchema,
} from '../../api/onboarding/submission.ts';
import type { JsonCaller } from './json-caller.ts';
import {
  type ApplicantsToSubmit,
  applicantsForm,
  type CaseSupplyToSubmit,
  supplyForm,
} from './onboarding-submission.ts';
import { type CaseWatchOptions, watchCases } from './watch-cases.ts';

/** Onboarding users and companies. Personal data is in what `get` and `getDocument` answer, for users who may read it. */
export interface OnboardingCalls {
  readonly onboarding: {
    /**
     * Throws ApplicantsRefusedError with the problems of the file. May be repeated: an applicant whose reference is known is
     * left as they are.
     */
    submit(applicants: ApplicantsToSubmit): Promise<SubmittedApplicants>;
    /** The newest first; `ref`: of this reference of the team. `nextAfter` is `after` of the next page; null: this is the last. */
    list(page?: {
      account?: string | null;
      state?: CaseState | null;
      ref?: string | null;
      limit?: number;
      after?: string | null;
    }): Promise<CasePage>;
    /** `values: false` leaves personal data out, also for users who may read it. */
    get(caseId: string, options?: { values?: boolean }): Promise<CaseDetail>;
    /** Throws ApplicantsRefusedError, and `conflict` when somebody else has supplied something since. */
    supply(caseId: string, supply: CaseSupplyToSubmit): Promise<SuppliedCase>;
    withdraw(caseId: string, reason?: string | null): Promise<CaseDetail>;
    /** Has a refused sign-up tried again. Throws `conflict` for other cases. */
    retry(caseId: string): Promise<CaseDetail>;
    /** Accounts whose sign-ups are paused, since the last ones were all refused with the same answer. */
    signUpPauses(): Promise<SignUpPauses>;
    /** Lets them go on; with `retry`, those that were refused with that answer are tried again. */
    resumeSignUps(resumption: SignUpResumptionRequest): Promise<ResumedSignUps>;
    /** Proposes what became of a sign-up with an unknown outcome; a second person confirms it. */
    proposeResolution(caseId: string, proposal: CaseResolutionRequest): Promise<CaseDetail>;
    confirmResolution(caseId: string, seen: CaseConfirmation): Promise<CaseDetail>;
    denyResolution(caseId: string, denial: CaseDenialRequest): Promise<CaseDetail>;
    /** Destroys the personal data of an ended case. Throws `conflict` before its retention date. */
    erase(caseId: string): Promise<CaseDetail>;
    /** The case with all values, to be handed out: the audit trail says who exported it. Throws `conflict` when it was erased. */
    export(caseId: string): Promise<CaseExport>;
    /**
     * The content of a document, as it was supplied last or with `revision`. A stream that breaks throws: the bytes so far are
     * then not the whole file.
     */
    getDocument(caseId: string, slot: string, options?: { revision?: number }): AsyncIterable<Uint8Array>;
    /** What happened to a case, in order; pages are fetched as the entries are read. */
    listAudit(caseId: string): AsyncIterable<AuditEntrySummary>;
    /** Each case at once, then whenever its state has changed, until all are done. Without personal data. */
    watch(
      caseIds: readonly string[],
      isDone: (state: CaseState) => boolean,
      options?: CaseWatchOptions,
    ): AsyncIterable<CaseDetail>;
  };
}

/** How the client sends what is not one JSON answer. */
interface Streams {
  bytesAt: (path: string) => AsyncIterable<Uint8Array>;
  entriesAt: (path: string) => AsyncIterable<AuditEntrySummary>;
  /** For forms with files, in milliseconds. */
  submitTimeoutMs: number;
}

export function onboardingCalls(call: JsonCaller, { bytesAt, entriesAt, submitTimeoutMs }: Streams): OnboardingCalls {
  const get: OnboardingCalls['onboarding']['get'] = (caseId, { values = true } = {}) =>
    call(caseDetailSchema, { path: casePath(caseId), query: { values: String(values) } });
  const change = (caseId: string, verb: string, body?: object): Promise<CaseDetail> =>
    call(caseDetailSchema, { method: 'POST', path: `${casePath(caseId)}/${verb}`, body });
  return {
    onboarding: {
      submit: (applicants) => {
        const body = applicantsForm(applicants);
        return call(submittedApplicantsSchema, { method: 'POST', path: '/cases', body }, submitTimeoutMs);
      },
      list: (page = {}) => call(casePageSchema, { path: '/cases', query: page }),
      get,
      supply: (caseId, supply) => {
        const form = { method: 'POST', path: `${casePath(caseId)}/supply`, body: supplyForm(supply) } as const;
        return call(suppliedCaseSchema, form, submitTimeoutMs);
      },
      withdraw: (caseId, reason = null) => change(caseId, 'withdraw', { reason }),
      retry: (caseId) => change(caseId, 'retry'),
      signUpPauses: () => call(signUpPausesSchema, { path: '/sign-ups/pauses' }),
      resumeSignUps: (resumption) =>
        call(resumedSignUpsSchema, { method: 'POST', path: '/sign-ups/resume', body: resumption }),
      proposeResolution: (caseId, proposal) => change(caseId, 'resolution', proposal),
      confirmResolution: (caseId, seen) => change(caseId, 'resolution/confirm', seen),
      denyResolution: (caseId, denial) => change(caseId, 'resolution/deny', denial),
      erase: (caseId) => change(caseId, 'erase'),
      export: (caseId) => call(caseExportSchema, { method: 'POST', path: `${casePath(caseId)}/export` }),
      getDocument: (caseId, slot, { revision } = {}) =>
        bytesAt(
          `${casePath(caseId)}/documents/${encodeURIComponent(slot)}${revision === undefined ? '' : `?revision=${revision}`}`,
        ),
      listAudit: (caseId) => entriesAt(`${casePath(caseId)}/audit`),
      watch: (caseIds, isDone, options) =>
        watchCases((caseId) => get(caseId, { values: false }), caseIds, isDone, options),
    },
  };
}

function casePath(caseId: string): string {
  return `/cases/${encodeURIComponent(caseId)}`;
}
