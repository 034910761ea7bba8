import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Account } from '../account/account.ts';
import { notFound, Refusal } from '../core/refusal.ts';
import { documentDownloadOperation, documentUploadOperation } from './storage-operations.ts';
import type { World } from '../world.ts';
import { failuresWith, noCredentials } from '../http/openapi.ts';
import { answerFailure } from '../http/failure.ts';
import { failAfter, failBefore } from '../faults/inject-fault.ts';
import { anyBytes } from './supporting-file-storage.ts';

const storedBytes = {
  description: 'The bytes, with the content type of the upload',
  content: { '*/*': { schema: z.unknown() } },
};

interface DocumentRoute {
  Params: { documentId: string };
  Querystring: Record<string, unknown>;
  Body: Buffer | undefined;
}

/**
 * The storage of identity documents, for uploads and downloads at the issued URLs. It needs no key and no special
 * header, and counts requests that send a credential. Contract: account 2.6 and 4.4.
 */
export function registerDocumentStorage(app: FastifyInstance, world: World): void {
  const { maxFileBytes, documentUploadMethod } = world.options;
  world.replayHandlers.set(documentUploadOperation, ({ account, body }) => {
    const { documentId, base64, contentType } = storedUpload.parse(body);
    return () => account.documents.store(documentId, { bytes: Buffer.from(base64, 'base64'), contentType });
  });
  app.removeAllContentTypeParsers();
  // The signature is checked first, and a document is any bytes: the schemas are for the description only.
  app.setValidatorCompiler(() => (value: unknown) => ({ value }));
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxFileBytes }, (_request, body, done) => {
    done(null, body);
  });
  const route = (method: 'PUT' | 'POST' | 'GET', operation: string, summary: string, handler: Handler): void => {
    const isUpload = operation === documentUploadOperation;
    app.route<DocumentRoute>({
      method,
      url: '/storage/documents/:documentId',
      schema: {
        operationId: operation,
        summary,
        tags: ['storage'],
        security: noCredentials,
        params: z.object({ documentId: z.string() }),
        querystring: z.object({ expires: z.string().optional(), signature: z.string().optional() }),
        ...(isUpload ? { consumes: ['application/octet-stream'], body: anyBytes } : {}),
        response: {
          200: isUpload ? z.null().describe('The document is stored') : storedBytes,
          ...(isUpload ? failuresWith(400, 403, 413) : failuresWith(400, 403, 404)),
        },
      },
      bodyLimit: maxFileBytes,
      onRequest: (request, _reply, done) => {
        const owner = ownerOf(world, request.params.documentId);
        owner.countOperation(operation);
        const { authorization, 'x-api-key': apiKey } = request.headers;
        if (apiKey !== undefined || authorization !== undefined) owner.credentialLeaks += 1;
        done();
      },
      errorHandler: (error, _request, reply) => {
        const tooLarge = 'statusCode' in error && error.statusCode === 413;
        const message = `the file is larger than ${maxFileBytes} bytes`;
        answerFailure(tooLarge ? new Refusal(413, 'file_too_large', message) : error, reply);
      },
      handler: (request, reply) => handler(world, request, reply),
    });
  };
  route(documentUploadMethod, documentUploadOperation, 'Uploads a document to the URL that was issued for it', upload);
  route('GET', documentDownloadOperation, 'Downloads the bytes of a document; 404 before the first upload', download);
}

const storedUpload = z.object({ documentId: z.string(), contentType: z.string(), base64: z.string() });

type Handler = (world: World, request: FastifyRequest<DocumentRoute>, reply: FastifyReply) => Promise<FastifyReply>;

/** The account of the document; the first account for an unknown document. */
const ownerOf = (world: World, documentId: string): Account =>
  world.accounts().find((account) => account.documents.has(documentId)) ?? world.firstAccount();

const upload: Handler = async (world, { params, query, headers, body }, reply) => {
  const owner = ownerOf(world, params.documentId);
  const fault = owner.faults.take(documentUploadOperation);
  await failBefore(fault, reply);
  if (reply.sent) return reply;
  const document = owner.documents.verify(params.documentId, 'upload', query, world.clock.now());
  const { id: documentId } = document;
  const bytes = body ?? Buffer.alloc(0);
  const contentType = headers['content-type'] ?? 'application/octet-stream';
  const stored = { documentId, contentType, base64: world.keepsState ? bytes.toString('base64') : '' };
  world.perform({ name: documentUploadOperation, account: owner, body: stored }, () =>
    owner.documents.store(documentId, { bytes, contentType }),
  );
  if (await failAfter(fault, reply, { content: '', type: 'text/plain' })) return reply;
  return reply.code(200).send();
};

const download: Handler = async (world, { params, query }, reply) => {
  const owner = ownerOf(world, params.documentId);
  const fault = owner.faults.take(documentDownloadOperation);
  await failBefore(fault, reply);
  if (reply.sent) return reply;
  const { stored } = owner.documents.verify(params.documentId, 'download', query, world.clock.now());
  if (!stored) throw notFound("the document's file");
  const content = Buffer.from(stored.bytes);
  if (await failAfter(fault, reply, { content, type: stored.contentType })) return reply;
  return reply.type(stored.contentType).send(content);
};
