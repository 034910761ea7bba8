import type Big from 'big.js';
import { z } from 'zod';
import type { Document } from '../account/documents.ts';
import type { SandboxOptions } from '../defaults.ts';
import { operation } from '../http/operation.ts';
import { exactNumber, type Json } from '../json.ts';
import { invalidField } from '../refusal.ts';
import type { World } from '../world.ts';

const earlierTypes = [
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
];

/** What documents can be created as and changed to, in each variant. Contract: account 2.6. */
const documentTypes: Record<SandboxOptions['documentsVariant'], { create: string[]; update: string[] }> = {
  later: { create: [...earlierTypes, 'identity_report', 'fdw'], update: [...earlierTypes, 'fdw'] },
  earlier: { create: earlierTypes, update: ['nric', 'passport'] },
};

const fileFields = { contentType: z.string().min(1).nullish(), contentLength: exactNumber.nullish() };
const createBody = z.object({ documentType: z.string(), documentName: z.string().min(1).max(255), ...fileFields });
const updateBody = z.object({
  documentType: z.string().nullish(),
  documentName: z.string().min(1).max(255).nullish(),
  ...fileFields,
});

const documentFields = { documentType: z.string(), documentName: z.string() };
const uploadable = z.object({
  id: z.string(),
  ...documentFields,
  uploadUrl: z.string().optional(),
  uploadURL: z.string().optional().describe('How uploadUrl may be spelled'),
});
const downloadable = z.object({
  id: z.string(),
  ...documentFields,
  downloadUrl: z.string().optional(),
  downloadURL: z.string().optional().describe('How downloadUrl may be spelled'),
});

const userParams = z.object({ userId: z.string() });
const documentParams = userParams.extend({ documentId: z.string() });

/** The earlier variant knows no length. @throws Refusal `validation_failed` */
function checkFile(world: World, contentLength: Big | null | undefined): void {
  const { fileMostBytes, documentsVariant } = world.options;
  if (documentsVariant === 'later' && contentLength && (contentLength.lt(0) || contentLength.gt(fileMostBytes))) {
    throw invalidField('contentLength', `must be from 0 to ${fileMostBytes} bytes`);
  }
}

function checkType(documentType: string, allowed: readonly string[]): void {
  if (!allowed.includes(documentType)) throw invalidField('documentType', `must be one of ${allowed.join(', ')}`);
}

const named = (document: Document): Record<string, Json> => ({
  documentType: document.documentType,
  documentName: document.documentName,
});

const addressAt = (world: World, path: string): string =>
  `${(world.options.publicUrl ?? world.url).replace(/\/$/, '')}${path}`;

const withUpload = (world: World, document: Document, path: string): Json => ({
  id: document.id,
  ...named(document),
  [`upload${world.options.documentUrlSpelling}`]: addressAt(world, path),
});

const withDownload = (world: World, document: Document, path: string): Json => ({
  id: document.id,
  ...named(document),
  [`download${world.options.documentUrlSpelling}`]: addressAt(world, path),
});

/** Contract: account 4.4. */
export const documents = [
  operation({
    ids: ['document-create'],
    method: 'POST',
    path: '/v2/users/:userId/documents',
    summary: 'Creates a document and gives an address to upload it to',
    params: userParams,
    body: createBody,
    answer: uploadable,
    perform: ({ world, account, params, body }) => {
      const user = account.users.get(params.userId);
      checkType(body.documentType, documentTypes[world.options.documentsVariant].create);
      checkFile(world, body.contentLength);
      const document = account.documents.add(user, body.documentType, body.documentName);
      return withUpload(world, document, account.documents.uploadPath(document, world.clock.now()));
    },
  }),
  operation({
    ids: ['document-get'],
    method: 'GET',
    path: '/v2/users/:userId/documents/:documentId',
    summary: 'One document, with an address to download it from',
    params: documentParams,
    answer: downloadable,
    perform: ({ world, account, params }) => {
      const document = account.documents.get(account.users.get(params.userId), params.documentId);
      return withDownload(world, document, account.documents.downloadPath(document, world.clock.now()));
    },
  }),
  operation({
    ids: ['document-patch'],
    method: 'PATCH',
    path: '/v2/users/:userId/documents/:documentId',
    summary: 'Changes a document; a new upload address replaces the one before',
    params: documentParams,
    body: updateBody.optional(),
    answer: uploadable,
    perform: ({ world, account, params, body }) => {
      const document = account.documents.get(account.users.get(params.userId), params.documentId);
      if (body?.documentType) checkType(body.documentType, documentTypes[world.options.documentsVariant].update);
      checkFile(world, body?.contentLength);
      document.documentType = body?.documentType ?? document.documentType;
      document.documentName = body?.documentName ?? document.documentName;
      return withUpload(world, document, account.documents.uploadPath(document, world.clock.now()));
    },
  }),
  operation({
    ids: ['document-delete'],
    method: 'DELETE',
    path: '/v2/users/:userId/documents/:documentId',
    summary: 'Deletes a document; the answer calls its id documentId',
    params: documentParams,
    answer: z.object({ documentId: z.string(), ...documentFields }),
    perform: ({ account, params }) => {
      const document = account.documents.get(account.users.get(params.userId), params.documentId);
      account.documents.delete(document);
      return { documentId: document.id, ...named(document) };
    },
  }),
  operation({
    ids: ['document-list'],
    method: 'GET',
    path: '/v2/users/:userId/documents',
    summary: "A user's documents, oldest first",
    params: userParams,
    answer: z.object({ value: z.array(downloadable) }),
    perform: ({ world, account, params }) => ({
      value: account.documents
        .of(account.users.get(params.userId))
        .map((document) => withDownload(world, document, account.documents.downloadPath(document, world.clock.now()))),
    }),
  }),
];
