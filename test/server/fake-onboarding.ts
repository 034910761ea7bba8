import type { DoneOrChange } from '../../api/approvals/change.ts';
import type { AuditEntrySummary } from '../../api/audit/audit.ts';
import { type CaseDetail, type CaseExport, maskedCase } from '../../api/onboarding/case-detail.ts';
import type {
  CaseConfirmation,
  CaseOutcomeRejection,
  CaseManualOutcomeProposal,
} from '../../api/onboarding/case-manual-outcome.ts';
import type { CaseAuditQuery, CaseList, CaseListQuery } from '../../api/onboarding/case.ts';
import type { OnboardingHold } from '../../api/onboarding/onboarding-hold.ts';
import type { OnboardingApplication } from '../../application/onboarding/use-cases.ts';
import type {
  ApplicantOutcome,
  ApplicantSubmission,
  CaseSupply,
  SupplyOutcome,
} from '../../application/onboarding/submit-applicants.ts';
import type { CaseFile } from '../../application/onboarding/case-views.ts';
import type { ResumedSignUps, SignUpPause, SignUpResumption } from '../../api/onboarding/sign-up-pause.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { bytesOf } from '../../application/payment-file/file-content.ts';
import { mayUse, type SignedIn } from '../../application/users/signed-in.ts';
import { aCaseManualOutcome, CASE } from './case-records.ts';
import { FakeNotifications } from './fake-notifications.ts';

/** What was submitted or supplied, with everything that was spooled. */
interface ReceivedApplicants {
  user: SignedIn;
  given: object;
  content: string;
  files: { name: string; content: string }[];
}

/** Onboarding over plain memory. */
export class FakeOnboarding extends FakeNotifications implements OnboardingApplication {
  readonly cases = new Map<string, CaseDetail>();
  applicantOutcome: ApplicantOutcome = {
    kind: 'accepted',
    cases: [{ caseId: CASE, applicantRef: 'A-17', isNew: true, state: 'draft', differs: null }],
    newCount: 1,
    warnings: [],
    requestCount: 12,
    secondsToFinish: 3,
    holds: [],
  };
  supplyOutcome: SupplyOutcome = { kind: 'accepted', caseId: CASE, revision: 2 };
  readonly received: ReceivedApplicants[] = [];
  caseFiles = new Map<string, CaseFile>();
  caseEntries: AuditEntrySummary[] = [];
  /** Cases whose account was asked for. */
  readonly casesAsked: string[] = [];
  /** Of each read, whether values were asked for. */
  readonly valuesAsked: boolean[] = [];

  async submitApplicants(user: SignedIn, submission: ApplicantSubmission): Promise<ApplicantOutcome> {
    await this.meet('submitApplicants');
    await this.#receive(user, submission);
    return this.applicantOutcome;
  }

  async supplyCase(user: SignedIn, caseId: string, supply: CaseSupply): Promise<SupplyOutcome> {
    await this.meet('supplyCase');
    this.#case(caseId);
    await this.#receive(user, supply);
    return this.supplyOutcome;
  }

  holds: OnboardingHold[] = [];

  async listCases(user: SignedIn, { account, state, ref, limit, after }: CaseListQuery): Promise<CaseList> {
    await this.meet('listCases');
    const all = [...this.cases.values()].filter(
      (one) => mayUse(user, one.account) && (account === null || one.account === account),
    );
    const states = [...new Set(all.map((one) => one.state))];
    const found = all.filter(
      (one) => (state === null || one.state === state) && (ref === null || one.applicantRef === ref),
    );
    const begin = found.findIndex(({ caseId }) => caseId === after) + 1;
    return {
      cases: found.slice(begin, begin + limit),
      counts: states.map((of) => ({ state: of, count: all.filter((one) => one.state === of).length })),
      holds: this.holds,
    };
  }

  async findCase(_user: SignedIn, caseId: string, may: { withValues: boolean }): Promise<CaseDetail | null> {
    await this.meet('findCase');
    this.valuesAsked.push(may.withValues);
    const found = this.cases.get(caseId) ?? null;
    return found === null || may.withValues ? found : maskedCase(found);
  }

  async withdrawCase(user: SignedIn, caseId: string, reason: string | null): Promise<CaseDetail> {
    await this.asked('withdrawCase', user, { caseId, reason });
    return this.#change(caseId, { state: 'withdrawn' });
  }

  signUpPauses: SignUpPause[] = [];

  async retryCase(user: SignedIn, caseId: string): Promise<CaseDetail> {
    await this.asked('retryCase', user, { caseId });
    return this.#change(caseId, { state: 'draft', stateReason: null, endedAt: null });
  }

  async listSignUpPauses(user: SignedIn): Promise<SignUpPause[]> {
    await this.meet('listSignUpPauses');
    return this.signUpPauses.filter(({ account }) => mayUse(user, account));
  }

  async resumeSignUps(user: SignedIn, resumption: SignUpResumption): Promise<ResumedSignUps> {
    await this.asked('resumeSignUps', user, { ...resumption });
    this.signUpPauses = this.signUpPauses.filter(({ account }) => account !== resumption.account);
    return { retried: resumption.retry ? 10 : 0, notRetried: 0 };
  }

  async proposeCaseManualOutcome(
    user: SignedIn,
    caseId: string,
    proposal: CaseManualOutcomeProposal,
  ): Promise<CaseDetail> {
    await this.asked('proposeCaseManualOutcome', user, { caseId, ...proposal });
    return this.#change(caseId, { manualOutcomes: [aCaseManualOutcome(proposal)] });
  }

  async confirmCaseManualOutcome(user: SignedIn, caseId: string, seen: CaseConfirmation): Promise<CaseDetail> {
    await this.asked('confirmCaseManualOutcome', user, { caseId, ...seen });
    const confirmedBy = { userId: user.userId, name: user.name };
    return this.#change(caseId, { manualOutcomes: [aCaseManualOutcome({ confirmedBy })] });
  }

  async rejectCaseManualOutcome(user: SignedIn, caseId: string, rejection: CaseOutcomeRejection): Promise<CaseDetail> {
    await this.asked('rejectCaseManualOutcome', user, { caseId, ...rejection });
    return this.#change(caseId, { manualOutcomes: [aCaseManualOutcome({ state: 'rejected' })] });
  }

  async eraseCase(user: SignedIn, caseId: string): Promise<DoneOrChange> {
    return this.asked('eraseCase', user, { caseId }).then(() => ({ change: null }));
  }

  /** Of an export, beside the case. */
  caseBefore: Pick<CaseExport, 'revisions' | 'formerDocuments'> = { revisions: [], formerDocuments: [] };

  async exportCase(user: SignedIn, caseId: string): Promise<CaseExport> {
    await this.asked('exportCase', user, { caseId });
    if (this.#case(caseId).state === 'erased') throw new ApplicationError('conflict', 'there is nothing to export');
    return { ...this.#case(caseId), ...this.caseBefore };
  }

  readonly documentsAsked: { slot: string; revision: number | null }[] = [];

  async findCaseDocument(
    _user: SignedIn,
    caseId: string,
    file: { slot: string; revision: number | null },
  ): Promise<CaseFile | null> {
    this.documentsAsked.push(file);
    await this.meet('findCaseDocument');
    return this.cases.has(caseId) ? (this.caseFiles.get(file.slot) ?? null) : null;
  }

  async listCaseAudit(_caseId: string, { limit, afterEntry }: CaseAuditQuery): Promise<AuditEntrySummary[]> {
    await this.meet('listCaseAudit');
    return this.caseEntries.filter(({ entryId }) => entryId > afterEntry).slice(0, limit);
  }

  /** What was spooled is gone once this is answered. */
  async #receive(user: SignedIn, { content, files, ...given }: ApplicantSubmission | CaseSupply): Promise<void> {
    const textOf = async (file: typeof content) => Buffer.from(await bytesOf(file)).toString();
    const texts = await Promise.all(files.map(async ({ name, bytes }) => ({ name, content: await textOf(bytes) })));
    this.received.push({ user, given, content: await textOf(content), files: texts });
  }

  #change(caseId: string, fields: Partial<CaseDetail>): CaseDetail {
    const changed = { ...this.#case(caseId), ...fields };
    this.cases.set(caseId, changed);
    return changed;
  }

  #case(caseId: string): CaseDetail {
    const found = this.cases.get(caseId);
    if (found === undefined) throw new ApplicationError('not_found', `there is no case ${caseId}`);
    return found;
  }
}
