import type { CaseDetail, CaseDocument } from '../../api/onboarding/case-detail.ts';
import type { CaseList, CaseListQuery, CaseSummary } from '../../api/onboarding/case.ts';
import type { OnboardingHold } from '../../api/onboarding/onboarding-hold.ts';
import { applicantValues } from '../../domain/onboarding/applicant-fields.ts';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import { caseSentences } from '../../domain/onboarding/case-sentences.ts';
import { isHeldBy } from '../../domain/onboarding/onboarding-hold.ts';
import { type CaseCipher, readApplicant } from '../../store/onboarding/case-content.ts';
import {
  type CaseDocument as StoredDocument,
  listDocuments,
  readEncryptedFile,
} from '../../store/onboarding/case-documents.ts';
import { listFormerDocuments } from '../../store/onboarding/case-revisions.ts';
import type { Queryable } from '../../store/database/database.ts';
import {
  type CaseActionView,
  type CaseView,
  countCases,
  findCaseView,
  listCaseActions,
  listCaseRemarks,
  listCaseRequests,
  listCaseManualOutcomes,
  listCaseUploads,
  listCaseViews,
} from '../../store/onboarding/case-views.ts';
import { listOnboardingHolds } from '../../store/onboarding/onboarding-holds.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { iso } from '../iso-time.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';
import { caseCipher } from './personal-data-keys.ts';

/** A document with its content. */
export interface CaseFile {
  fileName: string;
  contentType: string;
  bytes: Uint8Array;
}

/** The newest first. @throws ApplicationError `invalid_input` for an account that is unknown, also to this user */
export async function listCases(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { account, ...page }: CaseListQuery,
): Promise<CaseList> {
  const { database } = dependencies;
  const usable = dependencies.accounts.map(({ name }) => name).filter((name) => mayUse(user, name));
  const counts = account !== null && !mayUse(user, account) ? [] : await countCases(database, namedOr(user, account));
  // Cases of an account that is configured no longer are listed.
  if (account !== null && counts.length === 0 && !usable.includes(account)) {
    const known = usable.join(', ');
    throw new ApplicationError('invalid_input', `there is no provider account of that name; configured are: ${known}`);
  }
  const views = await listCaseViews(database, { accounts: namedOr(user, account), ...page });
  return {
    cases: views.map(summaryOf),
    counts,
    holds: await findHolds(dependencies, account === null ? usable : [account]),
  };
}

function namedOr({ accounts }: SignedIn, account: string | null): readonly string[] | null {
  return account === null ? accounts : [account];
}

/** One case; with values, what was supplied and what the provider wrote. Null when there is no such case. */
export async function findCase(
  dependencies: ApplicationDependencies,
  caseId: string,
  { withValues }: { withValues: boolean },
): Promise<CaseDetail | null> {
  const { database } = dependencies;
  const view = await findCaseView(database, caseId);
  if (view === null) return null;
  const cipher = withValues ? await caseCipher(dependencies, caseId) : null;
  const applicant = cipher === null ? null : await readApplicant(database, cipher, caseId);
  const documents = await listDocuments(database, caseId);
  const remarks = await listCaseRemarks(database, caseId);
  const requests = await listCaseRequests(database, caseId);
  const isSignUpSent = requests.some(({ operation, outcome }) => operation === 'sign_up' && outcome === null);
  const holds = await holdsOf(dependencies, { ...view, isSignUpSent });
  const actions = await listCaseActions(database, caseId);
  const manualOutcomes = await listCaseManualOutcomes(database, caseId);
  const [withdrawn, erased] = [withdrawalOf(actions), erasureOf(actions)];
  return {
    ...summaryOf(view),
    userId: view.userId,
    unlistedStatus:
      cipher === null || view.encryptedStatus === null ? null : cipher.decryptStatus(view.encryptedStatus),
    accountId: view.accountId,
    erasableFrom: iso(view.erasableFrom),
    values: applicant === null ? null : applicantValues(applicant),
    documents: documents.map((document) => documentOf(document, applicant)),
    remarks: remarks.map(({ providerStatus, encrypted, seenAt }) => ({
      providerStatus,
      text: cipher === null || encrypted === null ? null : cipher.decryptRemark(encrypted),
      seenAt: seenAt.toISOString(),
    })),
    requests: requests.map(({ begunAt, answeredAt, outcome, ...request }) => ({
      ...request,
      begunAt: begunAt.toISOString(),
      answeredAt: iso(answeredAt),
      outcome: outcome ?? 'unknown',
    })),
    uploads: (await listCaseUploads(database, caseId)).map(({ uploadedAt, verifiedAt, ...upload }) => ({
      ...upload,
      uploadedAt: uploadedAt.toISOString(),
      verifiedAt: iso(verifiedAt),
    })),
    holds,
    withdrawn,
    erased,
    manualOutcomes: manualOutcomes.map(({ proposedAt, closedAt, ...manualOutcome }) => ({
      ...manualOutcome,
      proposedAt: proposedAt.toISOString(),
      closedAt: iso(closedAt),
    })),
    sentences: caseSentences({ ...view, withdrawn, erased, holds, manualOutcomes }),
    isMasked: !withValues,
  };
}

/** The file of a slot that came with the revision; null: the last one. Null when there is none, or it was erased. */
export async function findCaseDocument(
  dependencies: ApplicationDependencies,
  caseId: string,
  { slot, revision }: { slot: string; revision: number | null },
): Promise<CaseFile | null> {
  const { database } = dependencies;
  const documents = revision === null ? await listDocuments(database, caseId) : await everyDocument(database, caseId);
  const document = documents.find(
    (candidate) => candidate.slot === slot && (revision === null || candidate.revision === revision),
  );
  const cipher = document === undefined ? null : await caseCipher(dependencies, caseId);
  const encrypted = document === undefined ? null : await readEncryptedFile(database, caseId, document);
  if (document === undefined || cipher === null || encrypted === null) return null;
  return {
    fileName: fileNameOf(cipher, slot, encrypted.name),
    contentType: document.contentType,
    bytes: cipher.decryptFile(slot, document.sha256, encrypted.file),
  };
}

async function everyDocument(
  database: Queryable,
  caseId: string,
): Promise<Pick<StoredDocument, 'slot' | 'revision' | 'contentType' | 'sha256'>[]> {
  return [...(await listDocuments(database, caseId)), ...(await listFormerDocuments(database, caseId))];
}

function fileNameOf(cipher: CaseCipher, slot: string, encrypted: Buffer | null): string {
  return encrypted === null ? slot : cipher.decryptFileName(slot, encrypted);
}

function summaryOf(view: CaseView): CaseSummary {
  const { caseId, account, applicantRef, accountType, state, stateReason, isAdopted, revision, missing } = view;
  return {
    ...{ caseId, account, applicantRef, accountType, state, stateReason, revision, missing },
    isExistingUser: isAdopted,
    providerStatus: view.providerStatus,
    submittedBy: { userId: view.submitterId, name: view.submitterName },
    submittedAt: view.submittedAt.toISOString(),
    changedAt: view.changedAt.toISOString(),
    endedAt: iso(view.endedAt),
    // A case that was withdrawn keeps the time in the database.
    waitingSince: view.endedAt === null ? iso(view.waitingSince) : null,
  };
}

function documentOf(document: StoredDocument, applicant: Applicant | null): CaseDocument {
  const { slot, documentType, contentType, sizeBytes, sha256, revision } = document;
  const named = applicant?.documents.find((candidate) => candidate.slot === slot);
  return {
    ...{ slot, documentType, contentType, sizeBytes, sha256, revision },
    fileName: named?.fileName ?? null,
    state: documentState(document),
  };
}

export function documentState({
  isAnnounced,
  isUploaded,
  isVerified,
}: Pick<StoredDocument, 'isAnnounced' | 'isUploaded' | 'isVerified'>): CaseDocument['state'] {
  return isVerified ? 'verified' : isUploaded ? 'uploaded' : isAnnounced ? 'announced' : 'pending';
}

async function holdsOf(
  dependencies: ApplicationDependencies,
  view: CaseView & { isSignUpSent: boolean },
): Promise<OnboardingHold[]> {
  if (!isHeldBy('stopped', view)) return [];
  return (await findHolds(dependencies, [view.account])).filter(({ kind }) => isHeldBy(kind, view));
}

function withdrawalOf(actions: readonly CaseActionView[]): CaseDetail['withdrawn'] {
  const action = actions.find(({ kind }) => kind === 'case_withdrawn');
  return action === undefined ? null : { by: action.by, at: action.at.toISOString(), reason: action.reason };
}

function erasureOf(actions: readonly CaseActionView[]): CaseDetail['erased'] {
  const action = actions.find(({ kind }) => kind === 'case_erased');
  return action === undefined ? null : { by: action.by, at: action.at.toISOString() };
}

/** What keeps payrun from sending anything of the cases of these accounts. */
export async function findHolds(
  { database, settings }: Pick<ApplicationDependencies, 'database' | 'settings'>,
  accounts: readonly string[],
): Promise<OnboardingHold[]> {
  const holds = await listOnboardingHolds(database, accounts, settings.unansweredSignUpMs);
  return holds.map(({ since, until, ...hold }) => ({ ...hold, since: since.toISOString(), until: iso(until) }));
}
