import type { FastifyInstance } from 'fastify';

/** What a browser is told about every answer: guess no types, frame nothing, run nothing, send no address onwards. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cache-control': 'no-store',
} as const;

/** Set first, so that a route that knows better can set its own. */
export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ ...HEADERS, 'x-request-id': request.id });
    done();
  });
}
