import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Account } from '../account/account.ts';
import { uploadOperation } from '../areas/operations.ts';
import { invalidField, Refusal } from '../refusal.ts';
import type { World } from '../world.ts';
import { answerFailure } from './failure.ts';
import { failAfter, failBefore } from './misfortune.ts';

interface UploadRoute {
  Params: { fileId: string };
  Querystring: Record<string, unknown>;
  Body: Buffer | undefined;
}

/**
 * The storage provider beside the API: takes the bytes of a supporting file at the address that was issued for it.
 * It needs no key, has no limit, and counts who sends it a credential. Contract: payments 4.4.
 */
export function registerStorage(app: FastifyInstance, world: World): void {
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: world.options.fileMostBytes },
    (_request, body, done) => {
      done(null, body);
    },
  );
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.put<UploadRoute>('/storage/:fileId', {
    schema: {
      operationId: uploadOperation,
      summary: 'Takes a supporting file at the address that was issued for it; no key may be sent here',
      tags: ['storage'],
      params: z.object({ fileId: z.string() }),
    },
    bodyLimit: world.options.fileMostBytes,
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
      answerFailure(tooLarge ? fileTooLarge(world.options.fileMostBytes) : error, reply);
    },
    handler: (request, reply) => store(world, request, reply),
  });
}

const fileTooLarge = (mostBytes: number): Refusal =>
  new Refusal(413, 'file_too_large', `the file is larger than ${mostBytes} bytes`);

/** The account that the file was issued to; the first one for an address that nobody was given. */
const ownerOf = (world: World, fileId: string): Account =>
  world.accounts().find((account) => account.files.get(fileId)) ?? world.firstAccount();

async function store(world: World, request: FastifyRequest<UploadRoute>, reply: FastifyReply): Promise<FastifyReply> {
  const owner = ownerOf(world, request.params.fileId);
  const fault = owner.faults.take(uploadOperation);
  await failBefore(fault, reply);
  if (reply.sent) return reply;
  const file = owner.files.named(request.params.fileId, request.query, world.clock.now());
  const storageClass = `x-${world.options.storagePrefix}-storage-class`;
  if (request.headers[storageClass] !== 'STANDARD') {
    throw new Refusal(400, 'missing_storage_class', `${storageClass}: must be STANDARD`);
  }
  const contentType = request.headers['content-type'];
  if (!contentType) throw invalidField('Content-Type', "must be the file's MIME type");
  file.uploaded = { bytes: request.body?.length ?? 0, contentType };
  if (await failAfter(fault, reply, '')) return reply;
  return reply.code(200).send();
}
