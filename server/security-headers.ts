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

/** For a year; other hosts below the name are not payrun's to decide about. */
const HTTPS_ALONE = ['strict-transport-security', 'max-age=31536000'] as const;

/** Set first, so that a route can override them. */
export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Of a trusted proxy, the origin and the protocol count. Many pass this one on as the client has sent it.
    // guard: host-as-asked
    delete request.raw.headers['x-forwarded-host'];
    void reply.headers({ ...HEADERS, 'x-request-id': request.id });
    // guard: https-from-then-on
    if (app.isReachedByHttps || request.protocol === 'https') void reply.header(...HTTPS_ALONE);
    done();
  });
}
