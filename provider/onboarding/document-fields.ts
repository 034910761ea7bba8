import { z } from 'zod';
import { sentText } from '../calls/sent-fields.ts';
import type { Open } from '../payments/payment-statuses.ts';
import { fileSizeBytes, mediaType } from '../payment-file/upload-url.ts';
import { optionalText } from '../calls/wire-fields.ts';

/** Identity documents on the wire, as sent and as read. Contract: account 2.6. */

const DOCUMENT_TYPES = [
  'national_identity',
  'company_proof',
  'company_address_proof',
  'nric',
  'passport',
  'ktp',
  'employment_pass',
  's_pass',
  'work_permit',
  'photo',
  'bank_statement',
  'utility_bill',
  'phone_bill',
  'tax_bill',
  'family_card',
  // The last two are not in every version of the contract.
  'identity_report',
  'fdw',
] as const;

/** Versions of the contract differ in their lists, so a value of none is passed on and only warned of. */
export type DocumentType = Open<(typeof DOCUMENT_TYPES)[number]>;

const sentType = sentText.transform((type): DocumentType => type);

export const newDocumentSent = z.strictObject({
  documentType: sentType,
  documentName: sentText,
  contentType: mediaType.optional(),
  contentLength: fileSizeBytes.optional(),
});
export type NewDocument = Omit<z.input<typeof newDocumentSent>, 'documentType'> & { documentType: DocumentType };

export const documentUpdateSent = newDocumentSent.partial();
export type DocumentUpdate = Partial<NewDocument>;

/** What to warn of, or null: a type that no list has, or that an update does not accept in any version. */
export function doubtfulType(type: DocumentType | undefined, use: 'create' | 'update'): string | null {
  if (type === undefined) return null;
  if (!(DOCUMENT_TYPES as readonly string[]).includes(type)) return 'a document type that no list of the contract has';
  if (use === 'update' && type === 'identity_report') return 'a document can hardly be changed to identity_report';
  return null;
}

/** Empty where there is nothing behind it yet. */
const address = z
  .union([z.url(), z.literal('').transform(() => null)])
  .nullish()
  .transform((url) => url ?? null);

/** `documentId` is what the answer to a deletion alone calls the id. */
const documentFields = {
  id: optionalText,
  documentId: optionalText,
  documentType: optionalText,
  documentName: optionalText,
};

const isIdentified = (answer: { id: string | null; documentId: string | null }): boolean =>
  (answer.id ?? answer.documentId ?? '') !== '';

/** One that is kept. `downloadUrl` is valid for 5 minutes, and null when there is none. Two spellings are in use. */
export const storedDocumentAnswer = z
  .looseObject({ ...documentFields, downloadUrl: address, downloadURL: address })
  .refine(isIdentified, { path: ['id'] })
  .transform(({ documentId, downloadURL, ...document }) => ({
    ...document,
    id: document.id ?? documentId ?? '',
    downloadUrl: document.downloadUrl ?? downloadURL,
  }));
export type StoredDocument = z.output<typeof storedDocumentAnswer>;

/** One that waits for its file. `uploadUrl` is valid for 5 minutes. Two spellings are in use. */
export const awaitedDocumentAnswer = z
  .looseObject({ ...documentFields, uploadUrl: address, uploadURL: address })
  .refine(isIdentified, { path: ['id'] })
  .refine((answer) => (answer.uploadUrl ?? answer.uploadURL) !== null, { path: ['uploadUrl'] })
  .transform(({ documentId, uploadURL, ...document }) => ({
    ...document,
    id: document.id ?? documentId ?? '',
    uploadUrl: document.uploadUrl ?? uploadURL ?? '',
  }));
export type AwaitedDocument = z.output<typeof awaitedDocumentAnswer>;
