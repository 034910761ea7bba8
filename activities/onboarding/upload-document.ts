import { activityInfo } from '@temporalio/activity';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { contentSha256 } from '../../domain/sha256.ts';
import {
  type CaseDocument,
  forgetUpload,
  markUploaded,
  markVerified,
  readDocument,
  readEncryptedFile,
  saveDownloadUrl,
} from '../../store/onboarding/case-documents.ts';
import { moveCase } from '../../store/onboarding/case-transition.ts';
import type { CaseRecord } from '../../store/onboarding/cases.ts';
import { unlessAccountStopped } from '../calls/account-stop.ts';
import { callProvider, callRepeatable } from '../calls/call-provider.ts';
import { isDenied } from '../calls/failure-meaning.ts';
import { retryLater, tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { type CaseOutcome, stateOf } from './case-calls.ts';
import { openedCase, userIdOf } from './case-data.ts';

/** Attempts at one address whose host does not answer. */
const MAX_ATTEMPTS_PER_URL = 2;

/** After so many uploads that could not be verified, people look at it. */
const MAX_UPLOADS = 3;

interface Slot {
  caseId: string;
  slot: string;
}

/** `url_expired`: another address is needed. `no_answer`: the same after a pause, since its host did not answer. */
export type DocumentUploadOutcome = 'uploaded' | 'url_expired' | 'no_answer';

/** Uploads a file to its address: to a storage host, without credentials and outside the rate limit. Contract: account 2.6. */
export function uploadDocumentActivity(dependencies: ActivityDependencies) {
  const { database, provider } = dependencies;
  return async function uploadDocument({ caseId, slot }: Slot): Promise<DocumentUploadOutcome> {
    const { record, cipher } = await openedCase(dependencies, caseId);
    const document = await readDocument(database, caseId, slot);
    const { contentType, sha256 } = document;
    if (document.isUploaded || document.isVerified) return 'uploaded';
    if (document.uploadUrl === null) return 'url_expired';
    const uploadUrl = cipher.decryptAddress(slot, document.uploadUrl);
    const encrypted = await readEncryptedFile(database, caseId, document);
    if (encrypted === null) throw new Error(`case ${caseId}: the file of ${slot} is erased`);
    const bytes = cipher.decryptFile(slot, sha256, encrypted.file);
    const reply = await callProvider(
      (options) => provider(record.account).documents.uploadFile({ uploadUrl, contentType, bytes }, options),
      unlessAccountStopped(database, record.account),
    );
    if (!(reply instanceof ProviderFailure)) {
      await markUploaded(database, caseId, document);
      return 'uploaded';
    }
    // Storage hosts report an expired address by different status codes.
    const isExpired = isDenied(reply);
    if (!isExpired && activityInfo().attempt < MAX_ATTEMPTS_PER_URL) throw retryLater(reply);
    await forgetUpload(database, caseId, document);
    return isExpired ? 'url_expired' : 'no_answer';
  };
}

/** Has the provider give the address of the uploaded file. Contract: account 4.4. */
export function readDocumentActivity(dependencies: ActivityDependencies) {
  const { database, provider } = dependencies;
  return async function readUploadedDocument({ caseId, slot }: Slot): Promise<CaseOutcome & { hasAddress: boolean }> {
    const { record, cipher } = await openedCase(dependencies, caseId);
    const document = await readDocument(database, caseId, slot);
    const { documentId } = document;
    if (documentId === null) throw new Error(`case ${caseId}: ${slot} was not announced`);
    const userId = userIdOf(record);
    const { value } = await callRepeatable((options) =>
      provider(record.account).documents.get(userId, documentId, options),
    );
    if (value.downloadUrl !== null) {
      await saveDownloadUrl(database, caseId, document, cipher.encryptAddress(slot, value.downloadUrl));
    }
    return { ...(await stateOf(database, caseId)), hasAddress: value.downloadUrl !== null };
  };
}

/** `upload_again`: the provider has another file, or none. */
export type VerifyOutcome = CaseOutcome & { result: 'verified' | 'upload_again' | 'no_answer' | 'given_up' };

/** Downloads the file and compares it with the submitted one, byte for byte by SHA-256. */
export function verifyDocumentActivity(dependencies: ActivityDependencies) {
  const { database, provider, settings } = dependencies;

  return async function verifyDocument({ caseId, slot }: Slot): Promise<VerifyOutcome> {
    const { record, cipher } = await openedCase(dependencies, caseId);
    const document = await readDocument(database, caseId, slot);
    if (document.isVerified) return { ...(await stateOf(database, caseId)), result: 'verified' };
    if (document.downloadUrl === null) return uploadAgain(record, document);
    const downloadUrl = cipher.decryptAddress(slot, document.downloadUrl);
    const reply = await callProvider((options) =>
      provider(record.account).documents.downloadFile(downloadUrl, options),
    );
    if (reply instanceof ProviderFailure) {
      if (activityInfo().attempt < MAX_ATTEMPTS_PER_URL) throw retryLater(reply);
      return { ...(await stateOf(database, caseId)), result: 'no_answer' };
    }
    const file = reply.value;
    if (file === null || contentSha256(file.bytes) !== document.sha256) return uploadAgain(record, document);
    await markVerified(database, caseId, document);
    return { ...(await stateOf(database, caseId)), result: 'verified' };
  };

  async function uploadAgain({ caseId, revision }: CaseRecord, document: CaseDocument): Promise<VerifyOutcome> {
    const remainingMs = settings.visibilityDelayMs - (document.uploadedAgeMs ?? settings.visibilityDelayMs);
    if (remainingMs > 0) throw tryAgainIn(remainingMs, 'not_visible_yet', 'the file may not be visible yet');
    await forgetUpload(database, caseId, document);
    if (document.uploads < MAX_UPLOADS) return { ...(await stateOf(database, caseId)), result: 'upload_again' };
    const missing = [`document_${document.slot}`];
    await moveCase(database, caseId, 'needs_provider', { reason: 'document_unverified', missing, revision });
    return { ...(await stateOf(database, caseId)), result: 'given_up' };
  }
}
