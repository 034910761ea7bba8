import { type CallOptions, listOf, recordOf } from '../calls/api-call.ts';
import type { AuthorisedCaller } from '../calls/authorised-caller.ts';
import {
  type AwaitedDocument,
  awaitedDocumentAnswer,
  type DocumentUpdate,
  documentUpdateSent,
  doubtfulType,
  type NewDocument,
  newDocumentSent,
  type StoredDocument,
  storedDocumentAnswer,
} from './document-fields.ts';
import { createDocumentFileCalls, type DocumentFileCalls, type DocumentStorage } from './document-files.ts';
import { checked } from '../calls/invalid-request.ts';
import type { Operation } from '../operations.ts';
import { pathId } from '../calls/sent-fields.ts';
import { warnOfSize } from '../payment-file/upload-url.ts';

/** Contract: account 2.6, 4.4. All throw `ProviderFailure`, and `InvalidRequest` before anything is sent. */
export interface DocumentCalls extends DocumentFileCalls {
  /** Announces a document; its file is then sent to `uploadUrl`. After an unknown outcome, list before repeating it. */
  create(userId: string, document: NewDocument, options?: CallOptions): Promise<AwaitedDocument>;
  get(userId: string, documentId: string, options?: CallOptions): Promise<StoredDocument>;
  /** Always gives a new `uploadUrl`; with no change it is a way to get one. */
  update(userId: string, documentId: string, change?: DocumentUpdate, options?: CallOptions): Promise<AwaitedDocument>;
  /** The document that was deleted, or null when the answer does not show it. */
  remove(userId: string, documentId: string, options?: CallOptions): Promise<StoredDocument | null>;
  list(userId: string, options?: CallOptions): Promise<StoredDocument[]>;
}

export function createDocumentCalls(api: AuthorisedCaller, storage: DocumentStorage): DocumentCalls {
  const warnOf = (document: DocumentUpdate, use: 'create' | 'update'): void => {
    warnOfSize(document.contentLength ?? 0, storage.onWarning);
    const doubt = doubtfulType(document.documentType, use);
    if (doubt !== null) storage.onWarning?.(`${doubt}: the provider may refuse it`);
  };
  return {
    create: async (userId, document, options) => {
      const operation = 'document-create';
      const path = documentsOf(operation, userId);
      const body = checked(operation, newDocumentSent, document);
      warnOf(body, 'create');
      const answer = recordOf(awaitedDocumentAnswer);
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
      const body = checked(operation, documentUpdateSent, change);
      warnOf(body, 'update');
      const answer = recordOf(awaitedDocumentAnswer);
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
