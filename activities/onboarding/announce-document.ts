import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { PendingDocument } from '../../provider/onboarding/document-fields.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import {
  type CaseDocument,
  findDocumentOfEarlierCase,
  readDocument,
  saveAnnounced,
} from '../../store/onboarding/case-documents.ts';
import { beginCaseRequest, readOpenCaseRequest, recordCaseAnswer } from '../../store/onboarding/case-requests.ts';
import { holdIfStopped, isUnsent, retryIfStopped, unlessAccountStopped } from '../calls/account-stop.ts';
import { callProvider, callRepeatable, type ProviderReply } from '../calls/call-provider.ts';
import { callNonIdempotent, startSendDeadline } from '../calls/send-deadline.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { retryUntilVisible } from '../payments/visibility-delay.ts';
import { type CaseOutcome, returnToOnboarder, stateOf } from './case-calls.ts';
import { type OpenedCase, openedCase, userIdOf } from './case-data.ts';

/** Addresses are valid for five minutes; one that is about to expire is replaced. Contract: account 8. */
const URL_MAX_AGE_MS = 120_000;

interface Slot {
  caseId: string;
  slot: string;
}

/** `find_document`: a creation has an unknown outcome, so the documents are listed first. */
export type AnnounceOutcome = CaseOutcome & { next: 'upload' | 'find_document' | 'none' };

/** The name by which the document is found again. It names no person. */
function documentName({ caseId }: { caseId: string }, { slot, revision }: CaseDocument): string {
  return `${caseId}-${slot}-${revision}`;
}

/**
 * Has the provider give an address for a file: of a new document, or of the one that the file replaces, also one that an
 * earlier case of the same user sent. Documents of other origin are left alone. Contract: account 2.6, 4.4.
 */
export function announceDocumentActivity(dependencies: ActivityDependencies) {
  const { database, provider } = dependencies;

  return async function announceDocument({ caseId, slot }: Slot): Promise<AnnounceOutcome> {
    const opened = await openedCase(dependencies, caseId);
    const document = await readDocument(database, caseId, slot);
    if (opened.record.state !== 'preparing' || document.isVerified)
      return { ...(await stateOf(database, caseId)), next: 'none' };
    const isFresh = document.uploadUrl !== null && (document.uploadUrlAgeMs ?? 0) < URL_MAX_AGE_MS;
    if (document.isUploaded || (document.isAnnounced && isFresh)) return { state: 'preparing', next: 'upload' };
    if (document.documentId !== null) return replace(opened, document, document.documentId);
    const earlier = await findDocumentOfEarlierCase(database, opened.record, slot);
    return earlier === null ? create(opened, document) : replaceEarlier(opened, document, earlier);
  };

  /** Of a user who was taken over. The provider may have removed it since: then the document is a new one. */
  async function replaceEarlier(opened: OpenedCase, document: CaseDocument, earlier: string): Promise<AnnounceOutcome> {
    const reply = await requestReplacement(opened, document, earlier);
    if (!(reply instanceof ProviderFailure)) return saved(database, opened, document, reply);
    retryIfStopped(reply);
    if (reply.kind !== 'refused') throw retryLater(reply);
    return create(opened, document);
  }

  async function create(opened: OpenedCase, document: CaseDocument): Promise<AnnounceOutcome> {
    const { record } = opened;
    const { caseId, account } = record;
    const userId = userIdOf(record);
    await holdIfStopped(database, account);
    const deadline = startSendDeadline(dependencies);
    const begun = await beginCaseRequest(database, {
      caseId,
      operation: 'document',
      slot: document.slot,
      whileIn: ['preparing'],
      revision: record.revision,
    });
    if (begun === null) return { ...(await stateOf(database, caseId)), next: 'find_document' };
    const { documentType, contentType, sizeBytes } = document;
    const named = { documentType, documentName: documentName(record, document), contentType, contentLength: sizeBytes };
    const reply = await callNonIdempotent(deadline, unlessAccountStopped(database, account), (options) =>
      provider(account).documents.create(userId, named, options),
    );
    if (reply instanceof ProviderFailure) {
      return recordFailure(database, { opened, document, requestId: begun.requestId }, reply);
    }
    const { httpStatus } = reply;
    // At once: a document that took effect and has no id in the database would be created again.
    return inTransaction(database, async (transaction) => {
      await recordCaseAnswer(transaction, { ...begun, outcome: 'took_effect', answer: 'as_asked', httpStatus });
      return saved(transaction, opened, document, reply);
    });
  }

  function requestReplacement({ record }: OpenedCase, document: CaseDocument, documentId: string) {
    const userId = userIdOf(record);
    const { contentType, sizeBytes } = document;
    // The type is left out: the earlier variant of the contract accepts only some in an update.
    const change = { documentName: documentName(record, document), contentType, contentLength: sizeBytes };
    return callProvider(
      (options) => provider(record.account).documents.update(userId, documentId, change, options),
      unlessAccountStopped(database, record.account),
    );
  }

  async function replace(opened: OpenedCase, document: CaseDocument, documentId: string): Promise<AnnounceOutcome> {
    const reply = await requestReplacement(opened, document, documentId);
    if (!(reply instanceof ProviderFailure)) return saved(database, opened, document, reply);
    retryIfStopped(reply);
    if (reply.kind !== 'refused') throw retryLater(reply);
    return refused(database, opened, document, reply);
  }
}

async function saved(
  database: Queryable,
  { record: { caseId }, cipher }: OpenedCase,
  document: CaseDocument,
  { value: { id, uploadUrl } }: ProviderReply<PendingDocument>,
): Promise<AnnounceOutcome> {
  await saveAnnounced(database, caseId, document, {
    documentId: id,
    uploadUrl: cipher.encryptAddress(document.slot, uploadUrl),
  });
  return { ...(await stateOf(database, caseId)), next: 'upload' };
}

async function recordFailure(
  database: Queryable,
  { opened, document, requestId }: { opened: OpenedCase; document: CaseDocument; requestId: string },
  failure: ProviderFailure,
): Promise<AnnounceOutcome> {
  const { kind, httpStatus } = failure;
  if (isUnsent(failure)) {
    await recordCaseAnswer(database, { requestId, outcome: 'not_sent', answer: kind, httpStatus });
    retryIfStopped(failure);
    throw retryLater(failure);
  }
  const isRefused = kind === 'refused';
  await recordCaseAnswer(database, { requestId, outcome: isRefused ? 'refused' : null, answer: kind, httpStatus });
  return isRefused ? refused(database, opened, document, failure) : { state: 'preparing', next: 'find_document' };
}

async function refused(
  database: Queryable,
  opened: OpenedCase,
  { slot }: CaseDocument,
  failure: ProviderFailure,
): Promise<AnnounceOutcome> {
  const missing = [`document_${slot}`];
  const refusal = { failure, to: 'incomplete', reason: 'document_refused', missing } as const;
  return { ...(await returnToOnboarder(database, opened, refusal)), next: 'none' };
}

/** Finds a document whose creation has an unknown outcome, by its name, once it must be visible. Contract: account 4.4. */
export function findDocumentActivity(dependencies: ActivityDependencies) {
  const { database, provider, settings } = dependencies;
  return async function findDocument({ caseId, slot }: Slot): Promise<CaseOutcome> {
    const { record } = await openedCase(dependencies, caseId);
    const open = await readOpenCaseRequest(database, caseId, 'document', slot);
    if (open === null) return stateOf(database, caseId);
    retryUntilVisible(open, settings);
    const document = await readDocument(database, caseId, slot);
    const userId = userIdOf(record);
    const { value: listed } = await callRepeatable((options) =>
      provider(record.account).documents.list(userId, options),
    );
    const name = documentName(record, document);
    // Of two empty documents of one name either will do: the file is verified afterwards.
    const found = listed.find((candidate) => candidate.documentName === name);
    const { requestId } = open;
    const outcome = found === undefined ? 'not_seen' : 'took_effect';
    return inTransaction(database, async (transaction) => {
      await recordCaseAnswer(transaction, { requestId, outcome, answer: 'unknown_outcome', httpStatus: null });
      if (found !== undefined) {
        await saveAnnounced(transaction, caseId, document, { documentId: found.id, uploadUrl: null });
      }
      return stateOf(transaction, caseId);
    });
  };
}
