import type { CaseDetail, CaseDocument } from '../../api/onboarding/case-detail.ts';
import type { CaseListQuery, CaseSummary } from '../../api/onboarding/case.ts';
import { applicantValues } from '../../domain/onboarding/applicant-values.ts';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import { CASE_REASONS } from '../../domain/onboarding/case-reason-codes.ts';
import { CASE_STATE_MEANINGS } from '../../domain/onboarding/case-state-meanings.ts';
import { type CaseSeal, readApplicant } from '../../store/onboarding/case-content.ts';
import {
  type CaseDocument as StoredDocument,
  listDocuments,
  readSealedFile,
} from '../../store/onboarding/case-documents.ts';
import { listFormerDocuments } from '../../store/onboarding/case-revisions.ts';
import {
  type CaseView,
  findCaseView,
  listCaseRemarks,
  listCaseRequests,
  listCaseResolutions,
  listCaseViews,
} from '../../store/onboarding/case-views.ts';
import { areSignUpsPaused } from '../../store/onboarding/sign-up-pauses.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { iso } from '../iso-time.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';
import type { CaseFile } from './onboarding-api.ts';
import { openedSeal } from './personal-data-keys.ts';

export async function listCases(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { account, state, limit, after }: CaseListQuery,
): Promise<CaseSummary[]> {
  const accounts = account === null ? user.accounts : mayUse(user, account) ? [account] : [];
  return (await listCaseViews(database, { accounts, state, limit, after })).map(summaryOf);
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
  return {
    ...summaryOf(view),
    userId: view.userId,
    accountId: view.accountId,
    erasableFrom: iso(view.erasableFrom),
    values: applicant === null ? null : applicantValues(applicant),
    documents: documents.map((document) => documentOf(document, applicant)),
    remarks: remarks.map(({ providerStatus, sealed, seenAt }) => ({
      providerStatus,
      text: seal === null || sealed === null ? null : seal.openRemark(sealed),
      seenAt: seenAt.toISOString(),
    })),
    requests: (await listCaseRequests(database, caseId)).map(({ begunAt, answeredAt, outcome, ...request }) => ({
      ...request,
      begunAt: begunAt.toISOString(),
      answeredAt: iso(answeredAt),
      outcome: outcome ?? 'unknown',
    })),
    resolutions: (await listCaseResolutions(database, caseId)).map(({ proposedAt, closedAt, ...resolution }) => ({
      ...resolution,
      proposedAt: proposedAt.toISOString(),
      closedAt: iso(closedAt),
    })),
    advice: (await isHeldBack(database, view)) ? HELD_BACK : adviceOn(view),
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
    ...{ caseId, account, applicantRef, accountType, state, stateReason, isAdopted, revision, missing },
    providerStatus: view.providerStatus,
    submittedBy: { userId: view.submitterId, name: view.submitterName },
    submittedAt: view.submittedAt.toISOString(),
    changedAt: view.changedAt.toISOString(),
    endedAt: iso(view.endedAt),
    waitingSince: iso(view.waitingSince),
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

const HELD_BACK =
  'Sign-ups of the account are paused, since the last ones were all refused with the same answer. Read what the provider wrote ' +
  'in the refused cases (`payrun onboard pauses`); when the reason is gone, let sign-ups go on with `payrun onboard resume`.';

async function isHeldBack(database: Queryable, { state, account }: CaseView): Promise<boolean> {
  return (state === 'draft' || state === 'signing_up') && (await areSignUpsPaused(database, account));
}

/** What to do next, in the team's words. */
function adviceOn({ state, stateReason }: CaseView): string | null {
  if (stateReason !== null && Object.hasOwn(CASE_REASONS, stateReason)) return CASE_REASONS[stateReason].fix;
  const { action } = CASE_STATE_MEANINGS[state];
  return action === null ? null : `${action.charAt(0).toUpperCase()}${action.slice(1)}.`;
}
