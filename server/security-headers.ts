import type { FastifyInstance } from 'fastify';

/** For browsers, on every answer: no type sniffing, no framing, no scripts, no referrer. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cache-control': 'no-store',
} as const;

/** Set first, so that a route can override them. */
export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ ...HEADERS, 'x-request-id': request.id });
    done();
  });
}
