import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../core/refusal.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** No foreign or inline resources, and no frames, since another page could make people click its buttons. */
const headers = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const folder = new URL('../page/', import.meta.url);

/**
 * Serves the web page at `/__sandbox/`. Its files are read from `sandbox/page/` at the start: a requested name is looked
 * up among them and is never used as a path.
 */
export function registerPage(app: FastifyInstance): void {
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder))]));
  app.get('/__sandbox', { schema: { hide: true } }, (_request, reply) => reply.redirect('/__sandbox/'));
  app.get('/__sandbox/', { schema: { hide: true } }, (_request, reply) =>
    reply.headers(headers).type(typeOf('index.html')).send(files.get('index.html')),
  );
  app.get<{ Params: { name: string } }>('/__sandbox/page/:name', { schema: { hide: true } }, (request, reply) => {
    const { name } = request.params;
    const file = files.get(name);
    if (!file) throw notFound('this file of the page');
    return reply.headers(headers).type(typeOf(name)).send(file);
  });
}

const typeOf = (name: string): string => types[extname(name)] ?? 'application/octet-stream';
