import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Application } from '../../application/application-api.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { managesUsers } from '../../application/users/signed-in.ts';
import { errorsOf, json, publicErrorsOf } from '../../api/answers.ts';
import { ownQuery } from '../../api/fields.ts';
import {
  passwordChangeSchema,
  sessionListSchema,
  sessionParams,
  sessionSchema,
  signInSchema,
  type SignInRequest,
  signInMethodsSchema,
} from '../../api/users/session.ts';
import type { BegunSession } from '../../application/users/sessions-api.ts';
import type { SignInOrigin } from '../../store/users/sign-ins.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import { userOf } from './access.ts';
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

/** Signing in at the console and out, and the sessions of users. */
export function addSessionRoutes(
  app: Api,
  application: SessionApplication,
  guards: AccessGuards,
  publicUrl: string | null,
): void {
  addSignInRoutes(app, application, guards, publicUrl);
  addSessionListRoutes(app, application);

  app.get('/session', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'getSession',
      tags: ['sign-in'],
      summary: 'Who is signed in, what they may do, and how they sign in',
      response: { 200: json('The session.', sessionSchema), ...errorsOf() },
    },
    handler: (request) => application.describeSession(userOf(request)),
  });

  app.delete('/session', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'endOwnSession',
      tags: ['sign-in'],
      summary: 'Sign out',
      response: { 204: z.undefined().describe('The session has ended.'), ...errorsOf(400, 404) },
    },
    handler: async (request, reply) => {
      const user = userOf(request);
      await application.endSession(user, user.tokenId);
      clearSessionCookie(request, reply);
      return reply.code(204).send();
    },
  });

  app.post('/session/password', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'setPassword',
      tags: ['sign-in'],
      summary: 'Set your password',
      description: 'Within 15 minutes after signing in, or with the present one. Ends all your other sessions.',
      body: passwordChangeSchema,
      response: { 204: z.undefined().describe('It is set.'), ...errorsOf(400, 409, 415, 429) },
    },
    handler: async (request, reply) => {
      const { secret } = await application.setPassword(userOf(request), request.body);
      setSessionCookie(request, reply, secret);
      return reply.code(204).send();
    },
  });
}

function addSignInRoutes(
  app: Api,
  application: SessionApplication,
  guards: AccessGuards,
  publicUrl: string | null,
): void {
  app.get('/session/methods', {
    config: { access: 'anyone' },
    schema: {
      operationId: 'getSignInMethods',
      tags: ['sign-in'],
      summary: 'How one can sign in here',
      response: { 200: json('What the page for signing in offers.', signInMethodsSchema), ...publicErrorsOf() },
    },
    handler: () => application.signInMethods(),
  });

  app.post('/session', {
    config: { access: 'anyone' },
    schema: {
      operationId: 'beginSession',
      tags: ['sign-in'],
      summary: 'Sign in with a password or a one-time link',
      description: 'The session is a cookie. A session that the browser had before ends.',
      body: signInSchema,
      response: {
        201: json('The session.', sessionSchema),
        ...publicErrorsOf(400, 401, 403, 415, 429, 503),
      },
    },
    handler: async (request, reply) => {
      // Nobody is to be signed in as somebody else by another site.
      refuseOtherSites(request, publicUrl);
      const begun = await signIn(application, request, reply, guards);
      await endFormer(application, sessionSecretOf(request));
      setSessionCookie(request, reply, begun.secret);
      return reply.code(201).send(await application.describeSession(begun.user));
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
  request: FastifyRequest<{ Body: SignInRequest }>,
  reply: FastifyReply,
  guards: AccessGuards,
): Promise<BegunSession> {
  const { body } = request;
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

function addSessionListRoutes(app: Api, application: Pick<SessionApplication, 'listSessions' | 'endSession'>): void {
  app.get('/sessions', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'listSessions',
      tags: ['sign-in'],
      summary: 'Your sessions of the last 30 days, or those of all users for an administrator',
      querystring: ownQuery,
      response: { 200: json('The sessions.', sessionListSchema), ...errorsOf(400) },
    },
    handler: async (request) => {
      const user = userOf(request);
      const all = request.query.own === 'false' && managesUsers(user);
      return { sessions: await application.listSessions(user, { all }) };
    },
  });

  app.delete('/sessions/:sessionId', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'endSession',
      tags: ['sign-in'],
      summary: 'End a session of yours, or any as an administrator',
      params: sessionParams,
      response: { 204: z.undefined().describe('It has ended.'), ...errorsOf(400, 404) },
    },
    handler: async (request, reply) => {
      await application.endSession(userOf(request), request.params.sessionId);
      return reply.code(204).send();
    },
  });
}
