import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackHost } from '../../domain/loopback.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether people reach the server by https, as its public address says, whatever host a proxy names. */
    isReachedByHttps: boolean;
  }
}

/**
 * The cookies of the console. None of them can be read by a script, and other sites' pages send none of them. Where the console is
 * opened at another machine, their names begin with `__Host-`: browsers accept such a cookie only from this very host, by https and
 * with the path `/`, so no other server below the same name can plant one.
 */

const SECURE_PREFIX = '__Host-';
interface Cookie {
  name: string;
  /** At this machine; elsewhere it is `/`. */
  path: string;
}
const SESSION: Cookie = { name: 'payrun_session', path: '/' };
/** Says that somebody has signed in with this browser before; it lets nobody in. */
const BROWSER: Cookie = { name: 'payrun_browser', path: '/api/v1/session' };
/** While the company's sign-in is under way. It comes back from another site, so it is lax. */
const COMPANY: Cookie = { name: 'payrun_company_sign_in', path: '/api/v1/session/oidc' };

const BROWSER_SECONDS = 400 * 86_400;
const COMPANY_SECONDS = 600;
/** Secrets are far shorter: a longer one is refused before it is hashed. */
const MAX_LENGTH = 200;

export function sessionSecretOf(request: FastifyRequest): string | null {
  return valueOf(request, SESSION);
}

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, secret: string): void {
  const { name, flags } = asSent(request, SESSION);
  void reply.setCookie(name, secret, flags);
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  const { name, flags } = asSent(request, SESSION);
  void reply.clearCookie(name, flags);
}

export function browserSecretOf(request: FastifyRequest): string | null {
  return valueOf(request, BROWSER);
}

export function setBrowserCookie(request: FastifyRequest, reply: FastifyReply, secret: string): void {
  const { name, flags } = asSent(request, BROWSER);
  void reply.setCookie(name, secret, { ...flags, maxAge: BROWSER_SECONDS });
}

/** What the browser keeps until the company's sign-in sends it back: the secret of its request, and where to go then. */
export interface CompanyCookie {
  secret: string;
  to: string;
}

export function setCompanyCookie(request: FastifyRequest, reply: FastifyReply, { secret, to }: CompanyCookie): void {
  const { name, flags } = asSent(request, COMPANY);
  const value = `${secret}.${Buffer.from(to).toString('base64url')}`;
  void reply.setCookie(name, value, { ...flags, sameSite: 'lax', maxAge: COMPANY_SECONDS });
}

/** It works once. */
export function takeCompanyCookie(request: FastifyRequest, reply: FastifyReply): CompanyCookie | null {
  const { name, flags } = asSent(request, COMPANY);
  void reply.clearCookie(name, { ...flags, sameSite: 'lax' });
  const [secret = '', to = ''] = request.cookies[name]?.split('.') ?? [];
  return secret === '' ? null : { secret, to: Buffer.from(to, 'base64url').toString() };
}

interface Flags {
  httpOnly: true;
  sameSite: 'strict';
  secure: boolean;
  path: string;
}

/** A cookie as this browser gets it. */
function asSent(request: FastifyRequest, { name, path }: Cookie): { name: string; flags: Flags } {
  const secure = request.server.isReachedByHttps || !isLoopbackHost(request.hostname);
  return {
    // guard: cookie-of-this-host
    name: secure ? `${SECURE_PREFIX}${name}` : name,
    flags: { httpOnly: true, sameSite: 'strict', secure, path: secure ? '/' : path },
  };
}

function valueOf(request: FastifyRequest, cookie: Cookie): string | null {
  const value = request.cookies[asSent(request, cookie).name];
  return value === undefined || value === '' || value.length > MAX_LENGTH ? null : value;
}
