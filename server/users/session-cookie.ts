import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackHost } from '../../domain/loopback.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether people reach the server by https, as its public address says, whatever host a proxy names. */
    isReachedByHttps: boolean;
  }
}

/** The cookies of the console. None of them can be read by a script, and other sites' pages send none of them. */

const SESSION = 'payrun_session';
/**
 * Where the console is opened at another machine: browsers accept such a cookie only from this very host, by https, so no other
 * server below the same name can plant one.
 */
const SECURE_SESSION = `__Host-${SESSION}`;
/** Says that somebody has signed in with this browser before; it lets nobody in. */
const BROWSER = 'payrun_browser';
/** While the company's sign-in is under way. It comes back from another site, so it is lax. */
const COMPANY = 'payrun_company_sign_in';

const BROWSER_SECONDS = 400 * 86_400;
const COMPANY_SECONDS = 600;
const COMPANY_PATH = '/api/v1/session/oidc';
const SIGN_IN_PATH = '/api/v1/session';
/** Secrets are far shorter: a longer one is refused before it is hashed. */
const MAX_LENGTH = 200;

export function sessionSecretOf(request: FastifyRequest): string | null {
  return cookieOf(request, sessionName(request));
}

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, secret: string): void {
  void reply.setCookie(sessionName(request), secret, { ...flags(request), path: '/' });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  void reply.clearCookie(sessionName(request), { ...flags(request), path: '/' });
}

export function browserSecretOf(request: FastifyRequest): string | null {
  return cookieOf(request, BROWSER);
}

export function setBrowserCookie(request: FastifyRequest, reply: FastifyReply, secret: string): void {
  void reply.setCookie(BROWSER, secret, { ...flags(request), path: SIGN_IN_PATH, maxAge: BROWSER_SECONDS });
}

/** What the browser keeps until the company's sign-in sends it back: the secret of its request, and where to go then. */
export interface CompanyCookie {
  secret: string;
  to: string;
}

export function setCompanyCookie(request: FastifyRequest, reply: FastifyReply, { secret, to }: CompanyCookie): void {
  const value = `${secret}.${Buffer.from(to).toString('base64url')}`;
  const lax = { ...flags(request), sameSite: 'lax' } as const;
  void reply.setCookie(COMPANY, value, { ...lax, path: COMPANY_PATH, maxAge: COMPANY_SECONDS });
}

/** It works once. */
export function takeCompanyCookie(request: FastifyRequest, reply: FastifyReply): CompanyCookie | null {
  const value = request.cookies[COMPANY];
  void reply.clearCookie(COMPANY, { ...flags(request), sameSite: 'lax', path: COMPANY_PATH });
  const [secret = '', to = ''] = value?.split('.') ?? [];
  return secret === '' ? null : { secret, to: Buffer.from(to, 'base64url').toString() };
}

function sessionName(request: FastifyRequest): string {
  return flags(request).secure ? SECURE_SESSION : SESSION;
}

function flags(request: FastifyRequest): { httpOnly: true; sameSite: 'strict'; secure: boolean } {
  return {
    httpOnly: true,
    sameSite: 'strict',
    secure: request.server.isReachedByHttps || !isLoopbackHost(request.hostname),
  };
}

function cookieOf(request: FastifyRequest, name: string): string | null {
  const value = request.cookies[name];
  return value === undefined || value === '' || value.length > MAX_LENGTH ? null : value;
}
