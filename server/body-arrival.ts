import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from './http-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may be large: it may take as long as a whole request, while enough of it arrives. */
    takesUploads?: boolean;
  }
}

export interface BodyLimits {
  /** How long a body may take to arrive; also what is left of it when its request is answered before. */
  bodyTimeoutMs: number;
  /** An upload is idle if it brings less than `uploadMinBytes` in this time. */
  uploadIdleMs: number;
  uploadMinBytes: number;
}

/** 512 MiB within the ten minutes of a whole request are 900 kB a second; 2 kB are a line that hardly works. */
export const BODY_LIMITS: BodyLimits = {
  bodyTimeoutMs: 30_000,
  uploadIdleMs: 30_000,
  uploadMinBytes: 64 * 1024,
};

/**
 * Cuts off who sends a body slowly, so that neither connections nor the places for uploads are held by a byte now and then. What is
 * left of a body after the answer, to a wrong token for example, is discarded for as long, as the sender may not have read the
 * answer; then the connection is closed.
 */
export function limitArrival(app: FastifyInstance, limits: BodyLimits): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) watch(request, reply, limits);
    done();
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

function watch(request: FastifyRequest, reply: FastifyReply, limits: BodyLimits): void {
  const { raw } = request;
  const isUpload = request.routeOptions.config.takesUploads === true;
  let bytesBefore = raw.socket.bytesRead;
  let isRefused = false;
  const check = (): void => {
    const bytes = raw.socket.bytesRead;
    const isMoving = isUpload && !reply.raw.writableEnded && bytes - bytesBefore >= limits.uploadMinBytes;
    bytesBefore = bytes;
    // It may have arrived and wait to be read, while the sender's token is looked up.
    if (raw.complete || (isMoving && !isRefused)) return;
    if (isRefused || reply.sent || raw.listenerCount('error') === 0) raw.destroy();
    else refuse(request, reply);
    isRefused = true;
  };
  const timer = setInterval(check, isUpload ? limits.uploadIdleMs : limits.bodyTimeoutMs);
  const stop = (): void => {
    clearInterval(timer);
  };
  timer.unref();
  raw.once('end', stop);
  raw.once('close', stop);
}

/** Whoever reads the body, of JSON or of a form, takes this for an error of its stream, and the request is answered with it. */
function refuse({ raw }: FastifyRequest, reply: FastifyReply): void {
  void reply.header('connection', 'close');
  raw.emit('error', new HttpError(408, 'invalid_input', 'the request took too long to arrive'));
}
