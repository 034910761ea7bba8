import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The content of a request before its schemas parsed it, so that it can be stored exactly and parsed again. */
export interface RawRequest {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

const contents = new WeakMap<FastifyRequest, RawRequest>();

/** Remembers the raw content of every request from now on. */
export function rememberRawRequests(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { params, query, body } = request;
    contents.set(request, { params, query, body });
    done();
  });
}

/** The raw content of a request; empty where it was not remembered. */
export const rawRequestOf = (request: FastifyRequest): RawRequest => contents.get(request) ?? {};
