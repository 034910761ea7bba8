import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { HttpError } from '../http-error.ts';
import { type ConsoleAsset, type ConsoleFiles, NONCE_PLACEHOLDER } from './console-files.ts';

/** The addresses that the console shows a page for. An address below one of them is a page as well. */
const PAGES = [
  ...['inbox', 'runs', 'drafts', 'treasury', 'onboarding', 'accounts', 'reconciliation', 'operations', 'admin'],
  ...['account', 'sign-in', 'audit'],
] as const;

/** The name of an asset contains a hash of its content. */
const FOREVER = 'public, max-age=31536000, immutable';

/**
 * The console: one page for all its addresses, and the scripts and styles of it. It holds nothing that needs a sign-in; what
 * it shows comes from the API.
 */
export function addConsoleRoutes(app: FastifyInstance, files: ConsoleFiles): void {
  for (const url of ['/', ...PAGES.flatMap((name) => [`/${name}`, `/${name}/*`])]) {
    app.get(url, { schema: { hide: true } }, (_request, reply) => sendConsolePage(reply, files));
  }
  app.get<{ Params: { name: string } }>('/assets/:name', { schema: { hide: true } }, (request, reply) => {
    const asset = files.assets.get(request.params.name);
    if (asset === undefined) throw new HttpError(404, 'not_found', 'there is nothing at this address');
    return sendAsset(reply, asset, request.headers['accept-encoding'] ?? '');
  });
}

export function sendConsolePage(reply: FastifyReply, { page }: ConsoleFiles): FastifyReply {
  const nonce = randomBytes(18).toString('base64');
  return reply
    .headers({ 'content-security-policy': policyFor(nonce), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(NONCE_PLACEHOLDER, nonce));
}

/** Scripts and styles only from here, and inline only with the nonce of this very response. */
function policyFor(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

function sendAsset(reply: FastifyReply, asset: ConsoleAsset, accepted: string): FastifyReply {
  const { encoding, content } = encodingOf(asset, accepted);
  void reply.headers({ 'cache-control': FOREVER, vary: 'accept-encoding' }).type(asset.contentType);
  if (encoding !== null) void reply.header('content-encoding', encoding);
  return reply.send(content);
}

function encodingOf(asset: ConsoleAsset, accepted: string): { encoding: 'br' | 'gzip' | null; content: Buffer } {
  const names = accepted.split(',').map((each) => each.trim().toLowerCase());
  const accepts = (name: string): boolean => names.some((each) => each === name || isWanted(each, name));
  if (asset.brotli !== null && accepts('br')) return { encoding: 'br', content: asset.brotli };
  if (asset.gzip !== null && accepts('gzip')) return { encoding: 'gzip', content: asset.gzip };
  return { encoding: null, content: asset.content };
}

/** `gzip;q=0` refuses it. */
function isWanted(each: string, name: string): boolean {
  const [encoding, quality = ''] = each.split(';');
  return encoding?.trim() === name && !/q=0(\.0+)?$/.test(quality.trim());
}
