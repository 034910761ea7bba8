import type { CaseDetail, CaseDocument } from '../../api/onboarding/case-detail.ts';
import type { CaseList, CaseListQuery, CaseSummary } from '../../api/onboarding/case.ts';
import type { OnboardingHold } from '../../api/onboarding/onboarding-hold.ts';
import { applicantValues } from '../../domain/onboarding/applicant-fields.ts';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import { CASE_REASONS } from '../../domain/onboarding/case-reason-codes.ts';
import { isHeldBy } from '../../domain/onboarding/onboarding-hold.ts';
import { actionSentence } from '../../domain/state-table.ts';
import { CASE_STATE_TABLE } from '../../domain/onboarding/case-state.ts';
import { type CaseSeal, readApplicant } from '../../store/onboarding/case-content.ts';
import {
  type CaseDocument as StoredDocument,
  listDocuments,
  readSealedFile,
} from '../../store/onboarding/case-documents.ts';
import { listFormerDocuments } from '../../store/onboarding/case-revisions.ts';
import type { Queryable } from '../../store/database/database.ts';
import {
  type CaseDeedView,
  type CaseView,
  countCases,
  findCaseView,
  listCaseDeeds,
  listCaseRemarks,
  listCaseRequests,
  listCaseResolutions,
  listCaseUploads,
  listCaseViews,
} from '../../store/onboarding/case-views.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { iso } from '../iso-time.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';
import { findHolds } from './find-holds.ts';
import { openedSeal } from './personal-data-keys.ts';

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
  const seal = withValues ? await openedSeal(dependencies, caseId) : null;
  const applicant = seal === null ? null : await readApplicant(database, seal, caseId);
  const documents = await listDocuments(database, caseId);
  const remarks = await listCaseRemarks(database, caseId);
  const requests = await listCaseRequests(database, caseId);
  const isSignUpSent = requests.some(({ operation, outcome }) => operation === 'sign_up' && outcome === null);
  const holds = await holdsOf(dependencies, { ...view, isSignUpSent });
  const deeds = await listCaseDeeds(database, caseId);
  const resolutions = await listCaseResolutions(database, caseId);
  const isBeingResolved = resolutions.some(({ state, confirmedBy }) => state === 'proposed' && confirmedBy !== null);
  return {
    ...summaryOf(view),
    userId: view.userId,
    unlistedStatus: seal === null || view.sealedStatus === null ? null : seal.openStatus(view.sealedStatus),
    accountId: view.accountId,
    erasableFrom: iso(view.erasableFrom),
    values: applicant === null ? null : applicantValues(applicant),
    documents: documents.map((document) => documentOf(document, applicant)),
    remarks: remarks.map(({ providerStatus, sealed, seenAt }) => ({
      providerStatus,
      text: seal === null || sealed === null ? null : seal.openRemark(sealed),
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
    withdrawn: withdrawalOf(deeds),
    erased: erasureOf(deeds),
    resolutions: resolutions.map(({ proposedAt, closedAt, ...resolution }) => ({
      ...resolution,
      proposedAt: proposedAt.toISOString(),
      closedAt: iso(closedAt),
    })),
    advice: isBeingResolved ? BEING_RESOLVED : holds.some(({ kind }) => kind === 'paused') ? HELD_BACK : adviceOn(view),
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
  const seal = document === undefined ? null : await openedSeal(dependencies, caseId);
  const sealed = document === undefined ? null : await readSealedFile(database, caseId, document);
  if (document === undefined || seal === null || sealed === null) return null;
  return {
    fileName: fileNameOf(seal, slot, sealed.name),
    contentType: document.contentType,
    bytes: seal.openFile(slot, document.sha256, sealed.file),
  };
}

async function everyDocument(
  database: Queryable,
  caseId: string,
): Promise<Pick<StoredDocument, 'slot' | 'revision' | 'contentType' | 'sha256'>[]> {
  return [...(await listDocuments(database, caseId)), ...(await listFormerDocuments(database, caseId))];
}

function fileNameOf(seal: CaseSeal, slot: string, sealed: Buffer | null): string {
  return sealed === null ? slot : seal.openFileName(slot, sealed);
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
    // A case that was withdrawn keeps the time on record.
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

const BEING_RESOLVED =
  'Nothing: two people have said what became of the sign-up, and payrun is carrying it out. Look again in a minute.';

const HELD_BACK =
  'Sign-ups of the account are paused, since the last ones were all refused with the same answer. Read what the provider wrote ' +
  'in the refused cases (`payrun onboard pauses`); when the reason is gone, let sign-ups go on with `payrun onboard resume`.';

async function holdsOf(
  dependencies: ApplicationDependencies,
  view: CaseView & { isSignUpSent: boolean },
): Promise<OnboardingHold[]> {
  if (!isHeldBy('stopped', view)) return [];
  return (await findHolds(dependencies, [view.account])).filter(({ kind }) => isHeldBy(kind, view));
}

function withdrawalOf(deeds: readonly CaseDeedView[]): CaseDetail['withdrawn'] {
  const deed = deeds.find(({ kind }) => kind === 'case_withdrawn');
  return deed === undefined ? null : { by: deed.by, at: deed.at.toISOString(), reason: deed.reason };
}

function erasureOf(deeds: readonly CaseDeedView[]): CaseDetail['erased'] {
  const deed = deeds.find(({ kind }) => kind === 'case_erased');
  return deed === undefined ? null : { by: deed.by, at: deed.at.toISOString() };
}

/** What to do next, in the team's words. */
function adviceOn({ state, stateReason }: CaseView): string | null {
  if (stateReason !== null && Object.hasOwn(CASE_REASONS, stateReason)) return CASE_REASONS[stateReason].fix;
  return actionSentence(CASE_STATE_TABLE[state]);
}
