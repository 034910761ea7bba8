import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Account } from '../account/account.ts';
import { documentDownloadOperation, documentUploadOperation } from '../areas/operations.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { World } from '../world.ts';
import { answerFailure } from './failure.ts';
import { failAfter, failBefore } from './misfortune.ts';

interface DocumentRoute {
  Params: { documentId: string };
  Querystring: Record<string, unknown>;
  Body: Buffer | undefined;
}

/**
 * The storage of identity documents: takes and gives their bytes at the addresses that were issued. It needs no key and
 * no special header, and counts who sends it a credential. Contract: account 2.6 and 4.4.
 */
export function registerDocumentStorage(app: FastifyInstance, world: World): void {
  const { fileMostBytes } = world.options;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: fileMostBytes }, (_request, body, done) => {
    done(null, body);
  });
  const route = (method: 'PUT' | 'GET', operation: string, summary: string, handler: Handler): void => {
    app.route<DocumentRoute>({
      method,
      url: '/storage/documents/:documentId',
      schema: { operationId: operation, summary, tags: ['storage'], params: z.object({ documentId: z.string() }) },
      bodyLimit: fileMostBytes,
      onRequest: (request, _reply, done) => {
        const owner = ownerOf(world, request.params.documentId);
        owner.countOperation(operation);
        const { authorization, 'x-api-key': apiKey } = request.headers;
        if (apiKey !== undefined || authorization !== undefined) owner.credentialLeaks += 1;
        done();
      },
      errorHandler: (error, _request, reply) => {
        const tooLarge = 'statusCode' in error && error.statusCode === 413;
        const message = `the file is larger than ${fileMostBytes} bytes`;
        answerFailure(tooLarge ? new Refusal(413, 'file_too_large', message) : error, reply);
      },
      handler: (request, reply) => handler(world, request, reply),
    });
  };
  route('PUT', documentUploadOperation, 'Takes a document at the address that was issued for it', store);
  route('GET', documentDownloadOperation, 'Gives the bytes of a document, 404 before any were uploaded', give);
}

type Handler = (world: World, request: FastifyRequest<DocumentRoute>, reply: FastifyReply) => Promise<FastifyReply>;

/** The account that the document belongs to; the first one for an address that nobody was given. */
const ownerOf = (world: World, documentId: string): Account =>
  world.accounts().find((account) => account.documents.has(documentId)) ?? world.firstAccount();

const store: Handler = async (world, { params, query, headers, body }, reply) => {
  const owner = ownerOf(world, params.documentId);
  const fault = owner.faults.take(documentUploadOperation);
  await failBefore(fault, reply);
  if (reply.sent) return reply;
  const document = owner.documents.named(params.documentId, 'upload', query, world.clock.now());
  document.stored = {
    bytes: body ?? new Uint8Array(),
    contentType: headers['content-type'] ?? 'application/octet-stream',
  };
  if (await failAfter(fault, reply, '')) return reply;
  return reply.code(200).send();
};

const give: Handler = async (world, { params, query }, reply) => {
  const owner = ownerOf(world, params.documentId);
  const fault = owner.faults.take(documentDownloadOperation);
  await failBefore(fault, reply);
  if (reply.sent) return reply;
  const { stored } = owner.documents.named(params.documentId, 'download', query, world.clock.now());
  if (!stored) throw notFound("the document's file");
  if (await failAfter(fault, reply, '')) return reply;
  return reply.type(stored.contentType).send(Buffer.from(stored.bytes));
};
