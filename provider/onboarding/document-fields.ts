import { z } from 'zod';
import { DOCUMENT_TYPES } from '../../domain/onboarding/choices.ts';
import { nonEmptyText } from '../calls/request-fields.ts';
import type { Open } from '../statuses.ts';
import { fileSizeBytes, mediaType } from '../payment-file/upload-url.ts';
import { optionalText } from '../calls/answer-fields.ts';

/** The fields of identity documents, in requests and answers. Contract: account 2.6. */

/** The lists differ between versions of the contract, so any other value is sent with a warning. */
export type DocumentType = Open<(typeof DOCUMENT_TYPES)[number]>;

const documentTypeField = nonEmptyText.transform((type): DocumentType => type);

export const newDocumentRequest = z.strictObject({
  documentType: documentTypeField,
  documentName: nonEmptyText,
  contentType: mediaType.optional(),
  contentLength: fileSizeBytes.optional(),
});
export type NewDocument = Omit<z.input<typeof newDocumentRequest>, 'documentType'> & { documentType: DocumentType };

export const documentUpdateRequest = newDocumentRequest.partial();
export type DocumentUpdate = Partial<NewDocument>;

/** A warning about a type that no version of the contract lists or that no version accepts in an update; else null. */
export function documentTypeWarning(type: DocumentType | undefined, use: 'create' | 'update'): string | null {
  if (type === undefined) return null;
  if (!(DOCUMENT_TYPES as readonly string[]).includes(type))
    return 'no version of the contract lists this document type';
  if (use === 'update' && type === 'identity_report')
    return 'no version of the contract accepts identity_report in an update';
  return null;
}

/** Empty if there is no file yet. */
const address = z
  .union([z.url(), z.literal('').transform(() => null)])
  .nullish()
  .transform((url) => url ?? null);

/** Only the answer to a deletion calls the id `documentId`. */
const documentFields = {
  id: optionalText,
  documentId: optionalText,
  documentType: optionalText,
  documentName: optionalText,
};

const isIdentified = (answer: { id: string | null; documentId: string | null }): boolean =>
  (answer.id ?? answer.documentId ?? '') !== '';

/** A stored document. `downloadUrl` is valid for 5 minutes, and null without a file. It has two spellings. */
export const storedDocumentAnswer = z
  .looseObject({ ...documentFields, downloadUrl: address, downloadURL: address })
  .refine(isIdentified, { path: ['id'] })
  .transform(({ documentId, downloadURL, ...document }) => ({
    ...document,
    id: document.id ?? documentId ?? '',
    downloadUrl: document.downloadUrl ?? downloadURL,
  }));
export type StoredDocument = z.output<typeof storedDocumentAnswer>;

/** A document whose file is to be uploaded. `uploadUrl` is valid for 5 minutes. It has two spellings. */
export const pendingDocumentAnswer = z
  .looseObject({ ...documentFields, uploadUrl: address, uploadURL: address })
  .refine(isIdentified, { path: ['id'] })
  .refine((answer) => (answer.uploadUrl ?? answer.uploadURL) !== null, { path: ['uploadUrl'] })
  .transform(({ documentId, uploadURL, ...document }) => ({
    ...document,
    id: document.id ?? documentId ?? '',
    uploadUrl: document.uploadUrl ?? uploadURL ?? '',
  }));
export type PendingDocument = z.output<typeof pendingDocumentAnswer>;
