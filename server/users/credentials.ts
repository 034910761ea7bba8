import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Application } from '../../application/create-application.ts';
import type { SignIn } from '../../application/users/sign-in.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { CONSOLE_HEADER, USER_HEADER } from '../../api/users/session-headers.ts';
import { HttpError } from '../http-error.ts';
import type { RefusedAccessLog } from './refused-access.ts';
import { isBackground, refuseOtherSites } from './request-origin.ts';
import { clearSessionCookie, sessionSecretOf } from './session-cookie.ts';
import type { SignInDelay } from './sign-in-delay.ts';

export interface AccessGuards {
  signInDelay: SignInDelay;
  refused: RefusedAccessLog;
  /** Of the token of whoever scrapes; null: there is none. */
  metricsTokenHash?: Buffer | null;
}

/** Tokens are far shorter: a longer one is refused before it is hashed. */
const MAX_TOKEN_LENGTH = 512;

/**
 * The user of a request: by its bearer token, else by the cookie of a session. Repeated attempts with a wrong one wait longer
 * each time. @throws HttpError 401; 403 for a request of another site
 */
export async function userBehind(
  request: FastifyRequest,
  reply: FastifyReply,
  application: Pick<Application, 'signIn' | 'resumeSession'>,
  { guards, publicUrl }: { guards: AccessGuards; publicUrl: string | null },
): Promise<SignedIn> {
  const token = bearerToken(request.headers.authorization);
  if (token !== null) {
    // guard: token-known (2 lines)
    const found = await application.signIn(token);
    if (found.kind === 'signed_in') return found.user;
    await noteRefused(request, guards, found, 'unknown_token');
    void reply.header('www-authenticate', 'Bearer realm="payrun"');
    throw new HttpError(401, 'unauthenticated', 'the token is unknown, expired or revoked: sign in again');
  }
  const secret = sessionSecretOf(request);
  if (secret !== null) {
    refuseOtherSites(request, publicUrl);
    const found = await application.resumeSession(secret, !isBackground(request));
    if (found.kind === 'signed_in') {
      refusePagesOfOthers(request, found.user);
      return found.user;
    }
    // A session that has ended is what everybody finds in the morning.
    if (found.known === null) await noteRefused(request, guards, found, 'unknown_session');
    clearSessionCookie(request, reply);
    throw new HttpError(401, 'signed_out', 'the session has ended: sign in again');
  }
  if (request.headers[CONSOLE_HEADER] !== undefined) throw new HttpError(401, 'signed_out', 'nobody is signed in');
  void reply.header('www-authenticate', 'Bearer realm="payrun"');
  throw new HttpError(
    401,
    'unauthenticated',
    'nobody is signed in: a token is needed, as "Authorization: Bearer <token>"',
  );
}

/** A cookie is the same in all tabs of a browser: what was begun in one user's page is not done as another. */
function refusePagesOfOthers({ headers }: FastifyRequest, { userId }: SignedIn): void {
  const of = headers[USER_HEADER];
  if (of === undefined || of === userId) return;
  throw new HttpError(
    409,
    'signed_in_as_another',
    'somebody else has signed in with this browser since: nothing was done',
  );
}

async function noteRefused(
  request: FastifyRequest,
  guards: AccessGuards,
  { known }: Extract<SignIn, { kind: 'refused' }>,
  unknown: string,
): Promise<void> {
  guards.refused.note({
    kind: 'sign_in_refused',
    address: request.ip,
    userId: known?.userId ?? null,
    tokenId: known?.tokenId ?? null,
    route: null,
    why: known?.why ?? unknown,
  });
  // guard: sign-in-delayed
  await guards.signInDelay.wait(request.ip);
}

/** Null: there is none. */
export function bearerToken(header: string | undefined): string | null {
  const token = /^Bearer +([!-~]+)$/i.exec(header ?? '')?.[1];
  return token === undefined || token.length > MAX_TOKEN_LENGTH ? null : token;
}
