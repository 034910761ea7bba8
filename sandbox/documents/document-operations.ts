import { z } from 'zod';
import type { Document } from './document-book.ts';
import type { SandboxOptions } from '../config/options.ts';
import { operation, type OperationLink } from '../http/operation.ts';
import { exactNumberIn, type Json } from '../core/json.ts';
import type { World } from '../world.ts';
import { id, shortText, withExample } from '../endpoints/field-types.ts';

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

/** The document types for creation and update, in each variant. Contract: account 2.6. */
const documentTypes: Record<SandboxOptions['documentsVariant'], { create: string[]; update: string[] }> = {
  later: { create: [...earlierTypes, 'identity_report', 'fdw'], update: [...earlierTypes, 'fdw'] },
  earlier: { create: earlierTypes, update: ['nric', 'passport'] },
};

/** The earlier variant has no fields for the file. */
const fileFields = ({ documentsVariant, maxFileBytes }: SandboxOptions): Record<string, z.ZodType> =>
  documentsVariant === 'earlier'
    ? {}
    : {
        contentType: z.string().min(1).nullish(),
        contentLength: exactNumberIn({ type: 'integer', minimum: 0, maximum: maxFileBytes }).nullish(),
      };

const oneOfTypes = (types: readonly string[]): z.ZodType<string, string> => z.enum(types as [string, ...string[]]);

const createBody = (options: SandboxOptions): z.ZodType<{ documentType: string; documentName: string }> =>
  withExample(
    z.object({
      documentType: oneOfTypes(documentTypes[options.documentsVariant].create),
      documentName: shortText,
      ...fileFields(options),
    }),
    { documentType: 'passport', documentName: 'passport.pdf' },
  );

interface DocumentChanges {
  readonly documentType?: string | null | undefined;
  readonly documentName?: string | null | undefined;
}

const updateBody = (options: SandboxOptions): z.ZodType<DocumentChanges | undefined> =>
  z
    .object({
      documentType: oneOfTypes(documentTypes[options.documentsVariant].update).nullish(),
      documentName: shortText.nullish(),
      ...fileFields(options),
    })
    .optional();

const documentFields = { documentType: z.string(), documentName: z.string() };
const uploadable = z.object({
  id,
  ...documentFields,
  uploadUrl: z.url().optional(),
  uploadURL: z.url().optional().describe('uploadUrl in another spelling'),
});
const downloadable = z.object({
  id,
  ...documentFields,
  downloadUrl: z.url().optional(),
  downloadURL: z.url().optional().describe('downloadUrl in another spelling'),
});

const userParams = z.object({ userId: z.string() });
const documentParams = userParams.extend({ documentId: z.string() });

const documentLinks = (documentId: string): Record<string, OperationLink> => {
  const parameters = { userId: '$request.path.userId', documentId };
  return {
    read: { operationId: 'document-get', parameters },
    change: { operationId: 'document-patch', parameters },
    delete: { operationId: 'document-delete', parameters },
  };
};

const namesOf = (document: Document): Record<string, Json> => ({
  documentType: document.documentType,
  documentName: document.documentName,
});

const addressAt = (world: World, path: string): string =>
  `${(world.options.publicUrl ?? world.url).replace(/\/$/, '')}${path}`;

const withUpload = (world: World, document: Document, path: string): Json => ({
  id: document.id,
  ...namesOf(document),
  [`upload${world.options.documentUrlSpelling}`]: addressAt(world, path),
});

const withDownload = (world: World, document: Document, path: string): Json => ({
  id: document.id,
  ...namesOf(document),
  [`download${world.options.documentUrlSpelling}`]: addressAt(world, path),
});

/** Contract: account 4.4. */
export const documents = [
  operation({
    ids: ['document-create'],
    method: 'POST',
    path: '/v2/users/:userId/documents',
    summary: 'Creates a document and returns its upload URL',
    params: userParams,
    bodyOf: createBody,
    answer: uploadable,
    links: documentLinks('$response.body#/id'),
    perform: ({ world, account, params, body }) => {
      const user = account.users.get(params.userId);
      const document = account.documents.add(user, body.documentType, body.documentName);
      return withUpload(world, document, account.documents.uploadPath(document, world.clock.now()));
    },
  }),
  operation({
    ids: ['document-get'],
    method: 'GET',
    path: '/v2/users/:userId/documents/:documentId',
    summary: 'One document, with its download URL',
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
    summary: 'Changes a document; a new upload URL replaces the previous one',
    params: documentParams,
    bodyOf: updateBody,
    answer: uploadable,
    perform: ({ world, account, params, body }) => {
      const document = account.documents.get(account.users.get(params.userId), params.documentId);
      document.documentType = body?.documentType ?? document.documentType;
      document.documentName = body?.documentName ?? document.documentName;
      return withUpload(world, document, account.documents.uploadPath(document, world.clock.now()));
    },
  }),
  operation({
    ids: ['document-delete'],
    method: 'DELETE',
    path: '/v2/users/:userId/documents/:documentId',
    summary: 'Deletes a document; its id in the answer is documentId',
    params: documentParams,
    answer: z.object({ documentId: id, ...documentFields }),
    perform: ({ account, params }) => {
      const document = account.documents.get(account.users.get(params.userId), params.documentId);
      account.documents.delete(document);
      return { documentId: document.id, ...namesOf(document) };
    },
  }),
  operation({
    ids: ['document-list'],
    method: 'GET',
    path: '/v2/users/:userId/documents',
    summary: "A user's documents, oldest first",
    params: userParams,
    answer: z.object({ value: z.array(downloadable) }),
    links: documentLinks('$response.body#/value/0/id'),
    perform: ({ world, account, params }) => ({
      value: account.documents
        .of(account.users.get(params.userId))
        .map((document) => withDownload(world, document, account.documents.downloadPath(document, world.clock.now()))),
    }),
  }),
];
