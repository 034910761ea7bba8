import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionEndpoints } from '../../api/users/sign-in-endpoints.ts';
import type { SignInRequest } from '../../api/users/session.ts';
import type { Application } from '../../application/create-application.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { BegunSession } from '../../application/users/console-sessions.ts';
import { managesUsers } from '../../application/users/signed-in.ts';
import type { SignInOrigin } from '../../store/users/sign-ins.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import { serve } from '../serve.ts';
import type { AccessGuards } from './credentials.ts';
import { refuseOtherSites } from './request-origin.ts';
import {
  browserSecretOf,
  clearSessionCookie,
  sessionSecretOf,
  setBrowserCookie,
  setSessionCookie,
} from './session-cookie.ts';

type SessionApplication = Pick<
  Application,
  | 'resumeSession'
  | 'signInMethods'
  | 'signInWithPassword'
  | 'signInWithLink'
  | 'describeSession'
  | 'listSessions'
  | 'endSession'
  | 'setPassword'
>;

/** Where somebody signs in from, as the browser and the connection say. */
export function originOf(request: FastifyRequest): SignInOrigin {
  return { browser: request.headers['user-agent'] ?? null, address: request.ip };
}

export function addSessionRoutes(
  app: Api,
  application: SessionApplication,
  guards: AccessGuards,
  publicUrl: string | null,
): void {
  serve(app, sessionEndpoints, {
    getSignInMethods: () => application.signInMethods(),
    beginSession: async ({ body, request, reply }) => {
      // Nobody is to be signed in as somebody else by another site.
      refuseOtherSites(request, publicUrl);
      const begun = await signIn(application, body, { request, reply }, guards);
      await endFormer(application, sessionSecretOf(request));
      setSessionCookie(request, reply, begun.secret);
      return application.describeSession(begun.user);
    },
    listSessions: async ({ user, query: { own } }) => {
      const all = !own && managesUsers(user);
      return { sessions: await application.listSessions(user, { all }) };
    },
    endSession: ({ user, params: { sessionId } }) => application.endSession(user, sessionId),
    getSession: ({ user }) => application.describeSession(user),
    endOwnSession: async ({ user, request, reply }) => {
      await application.endSession(user, user.tokenId);
      clearSessionCookie(request, reply);
    },
    setPassword: async ({ user, body, request, reply }) => {
      const { secret } = await application.setPassword(user, body);
      setSessionCookie(request, reply, secret);
    },
  });
}

/** The session that this browser had before, of whomever. */
async function endFormer(application: SessionApplication, secret: string | null): Promise<void> {
  const former = secret === null ? null : await application.resumeSession(secret, false);
  if (former?.kind !== 'signed_in') return;
  // It may end at the same moment.
  await application.endSession(former.user, former.user.tokenId).catch(() => undefined);
}

async function signIn(
  application: SessionApplication,
  body: SignInRequest,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  guards: AccessGuards,
): Promise<BegunSession> {
  try {
    if ('link' in body) return await application.signInWithLink(body.link, originOf(request));
    const given = { ...body, browserSecret: browserSecretOf(request) };
    const begun = await application.signInWithPassword(given, originOf(request));
    setBrowserCookie(request, reply, begun.newBrowserSecret);
    return begun;
  } catch (error) {
    const why = 'link' in body ? 'unknown_link' : 'wrong_password';
    throw await refusedSignIn(error, request, guards, why);
  }
}

/** Records a refused sign-in, and waits the longer the more there were from the same address. */
export async function refusedSignIn(
  error: unknown,
  request: FastifyRequest,
  guards: AccessGuards,
  why: string,
): Promise<unknown> {
  if (!(error instanceof ApplicationError) || (error.code !== 'unauthenticated' && error.code !== 'too_many'))
    return error;
  const userId = error.code === 'unauthenticated' ? error.userId : null;
  const kind = error.code === 'too_many' ? 'too_many_tries' : why;
  guards.refused.note({ kind: 'sign_in_refused', address: request.ip, userId, tokenId: null, route: null, why: kind });
  if (error.code === 'too_many') return error;
  await guards.signInDelay.wait(request.ip);
  return new HttpError(401, 'unauthenticated', error.message);
}
