import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Account } from '../account/account.ts';
import { exactNumber } from '../core/json.ts';
import { invalidField, Refusal } from '../core/refusal.ts';
import { uploadOperation } from './storage-operations.ts';
import type { World } from '../world.ts';
import { failuresWith, noCredentials } from '../http/openapi.ts';
import { answerFailure } from '../http/failure.ts';
import { failAfter, failBefore } from '../faults/inject-fault.ts';

interface UploadRoute {
  Params: { fileId: string };
  Querystring: Record<string, unknown>;
  Body: Buffer | undefined;
}

/**
 * The storage provider, which is separate from the API, for uploads of supporting files to the issued URLs. It needs no
 * key, has no limit, and counts requests that send a credential. Contract: payments 4.4.
 */
export function registerSupportingFileStorage(app: FastifyInstance, world: World): void {
  world.replayHandlers.set(uploadOperation, ({ account, body }) => {
    const { fileId, bytes, contentType } = storedUpload.parse(body);
    return () => {
      const file = account.files.get(fileId);
      if (file) file.uploaded = { bytes, contentType };
    };
  });
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: world.options.maxFileBytes },
    (_request, body, done) => {
      done(null, body);
    },
  );
  app.removeContentTypeParser(['application/json', 'text/plain']);
  // The signature is checked first, and a file is any bytes: the schemas are for the description only.
  app.setValidatorCompiler(() => (value: unknown) => ({ value }));
  app.put<UploadRoute>('/storage/:fileId', {
    schema: {
      operationId: uploadOperation,
      summary: 'Uploads a supporting file to the URL that was issued for it; no key may be sent here',
      tags: ['storage'],
      security: noCredentials,
      params: z.object({ fileId: z.string() }),
      querystring: signedQuery(world.options.storagePrefix),
      headers: z.object({ [`x-${world.options.storagePrefix}-storage-class`]: z.literal('STANDARD') }),
      consumes: ['application/octet-stream'],
      body: anyBytes,
      response: { 200: z.null().describe('The file is stored'), ...failuresWith(400, 403, 413) },
    },
    bodyLimit: world.options.maxFileBytes,
    onRequest: (request, _reply, done) => {
      const owner = ownerOf(world, request.params.fileId);
      owner.countOperation(uploadOperation);
      if (request.headers['x-api-key'] !== undefined || request.headers.authorization !== undefined) {
        owner.credentialLeaks += 1;
      }
      done();
    },
    errorHandler: (error, _request, reply) => {
      const tooLarge = 'statusCode' in error && error.statusCode === 413;
      answerFailure(tooLarge ? fileTooLarge(world.options.maxFileBytes) : error, reply);
    },
    handler: (request, reply) => upload(world, request, reply),
  });
}

/** Only the size and type of a supporting file are stored. */
const storedUpload = z.object({
  fileId: z.string(),
  bytes: exactNumber.transform((bytes) => bytes.toNumber()),
  contentType: z.string(),
});

/** The query of a signed upload URL; the prefix is the storage provider's name. */
const signedQuery = (storagePrefix: string): z.ZodType => {
  const prefix = `X-${storagePrefix.charAt(0).toUpperCase()}${storagePrefix.slice(1)}`;
  const names = [`${prefix}-Expires`, `${prefix}-SignedHeaders`, `${prefix}-UrlSignature`];
  return z.object(Object.fromEntries(names.map((name) => [name, z.string().optional()])));
};

/** A body of any bytes. */
export const anyBytes = z.unknown().meta({ type: 'string', contentMediaType: 'application/octet-stream' });

const fileTooLarge = (maxBytes: number): Refusal =>
  new Refusal(413, 'file_too_large', `the file is larger than ${maxBytes} bytes`);

/** The account of the file; the first account for an unknown file. */
const ownerOf = (world: World, fileId: string): Account =>
  world.accounts().find((account) => account.files.get(fileId)) ?? world.firstAccount();

async function upload(world: World, request: FastifyRequest<UploadRoute>, reply: FastifyReply): Promise<FastifyReply> {
  const owner = ownerOf(world, request.params.fileId);
  const fault = owner.faults.take(uploadOperation);
  await failBefore(fault, reply);
  if (reply.sent) return reply;
  const file = owner.files.verify(request.params.fileId, request.query, world.clock.now());
  const storageClass = `x-${world.options.storagePrefix}-storage-class`;
  if (request.headers[storageClass] !== 'STANDARD') {
    throw new Refusal(400, 'missing_storage_class', `${storageClass}: must be STANDARD`);
  }
  const contentType = request.headers['content-type'];
  if (!contentType) throw invalidField('Content-Type', "must be the file's MIME type");
  const uploaded = { bytes: request.body?.length ?? 0, contentType };
  const entry = { name: uploadOperation, account: owner, body: { fileId: file.id, ...uploaded } };
  world.perform(entry, () => {
    file.uploaded = uploaded;
  });
  if (await failAfter(fault, reply, { content: '', type: 'text/plain' })) return reply;
  return reply.code(200).send();
}
