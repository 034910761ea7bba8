import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A request's content before its schemas read it, which is what can be kept exactly and read again. */
export interface AsGiven {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

const contents = new WeakMap<FastifyRequest, AsGiven>();

/** Has every request remember what it brought. */
export function rememberAsGiven(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { params, query, body } = request;
    contents.set(request, { params, query, body });
    done();
  });
}

/** What a request brought; nothing where that is not remembered. */
export const asGiven = (request: FastifyRequest): AsGiven => contents.get(request) ?? {};
