import { type CallOptions, listOf, recordOf } from '../calls/api-call.ts';
import type { AuthorizedCaller } from '../calls/authorized-caller.ts';
import {
  type PendingDocument,
  pendingDocumentAnswer,
  type DocumentUpdate,
  documentUpdateRequest,
  documentTypeWarning,
  type NewDocument,
  newDocumentRequest,
  type StoredDocument,
  storedDocumentAnswer,
} from './document-fields.ts';
import { createDocumentFileCalls, type DocumentFileCalls, type DocumentStorage } from './document-files.ts';
import { checked } from '../calls/invalid-request.ts';
import type { Operation } from '../operations.ts';
import { pathId } from '../calls/request-fields.ts';
import { warnAboutSize } from '../payment-file/upload-url.ts';

/** Contract: account 2.6, 4.4. All throw `ProviderFailure`, and `InvalidRequest` before anything is sent. */
export interface DocumentCalls extends DocumentFileCalls {
  /**
   * Creates a document; then upload its file to `uploadUrl`. After an unknown outcome, list before creating it again.
   */
  create(userId: string, document: NewDocument, options?: CallOptions): Promise<PendingDocument>;
  get(userId: string, documentId: string, options?: CallOptions): Promise<StoredDocument>;
  /** Always returns a new `uploadUrl`, also without a change. */
  update(userId: string, documentId: string, change?: DocumentUpdate, options?: CallOptions): Promise<PendingDocument>;
  /** The deleted document, or null if the answer does not contain it. */
  remove(userId: string, documentId: string, options?: CallOptions): Promise<StoredDocument | null>;
  list(userId: string, options?: CallOptions): Promise<StoredDocument[]>;
}

export function createDocumentCalls(api: AuthorizedCaller, storage: DocumentStorage): DocumentCalls {
  const warnAbout = (document: DocumentUpdate, use: 'create' | 'update'): void => {
    warnAboutSize(document.contentLength ?? 0, storage.onWarning);
    const warning = documentTypeWarning(document.documentType, use);
    if (warning !== null) storage.onWarning?.(`${warning}: the provider may refuse it`);
  };
  return {
    create: async (userId, document, options) => {
      const operation = 'document-create';
      const path = documentsOf(operation, userId);
      const body = checked(operation, newDocumentRequest, document);
      warnAbout(body, 'create');
      const answer = recordOf(pendingDocumentAnswer);
      return api.call({ operation, method: 'POST', path, body, answer }, options);
    },
    get: async (userId, documentId, options) => {
      const path = documentOf('document-get', userId, documentId);
      const answer = recordOf(storedDocumentAnswer);
      return api.call({ operation: 'document-get', method: 'GET', path, answer }, options);
    },
    update: async (userId, documentId, change = {}, options) => {
      const operation = 'document-patch';
      const path = documentOf(operation, userId, documentId);
      const body = checked(operation, documentUpdateRequest, change);
      warnAbout(body, 'update');
      const answer = recordOf(pendingDocumentAnswer);
      return api.call({ operation, method: 'PATCH', path, body, answer }, options);
    },
    remove: async (userId, documentId, options) => {
      const path = documentOf('document-delete', userId, documentId);
      const answer = recordOf(storedDocumentAnswer.nullable().catch(null));
      return api.call({ operation: 'document-delete', method: 'DELETE', path, answer }, options);
    },
    list: async (userId, options) => {
      const path = documentsOf('document-list', userId);
      const answer = listOf(storedDocumentAnswer);
      return api.call({ operation: 'document-list', method: 'GET', path, answer }, options);
    },
    ...createDocumentFileCalls(storage),
  };
}

function documentsOf(operation: Operation, userId: string): string {
  return `/v2/users/${encodeURIComponent(checked(operation, pathId, userId))}/documents`;
}

function documentOf(operation: Operation, userId: string, documentId: string): string {
  return `${documentsOf(operation, userId)}/${encodeURIComponent(checked(operation, pathId, documentId))}`;
}
