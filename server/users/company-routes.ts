import { z } from 'zod';
import type { Application } from '../../application/application-api.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { errorsOf, json, publicErrorsOf } from '../../api/answers.ts';
import { identityLinkSchema, oidcStartQuery } from '../../api/users/session.ts';
import type { Api } from '../api.ts';
import { userOf } from './access.ts';
import type { AccessGuards } from './credentials.ts';
import { ownAddress } from './request-origin.ts';
import { setCompanyCookie, setSessionCookie, takeCompanyCookie } from './session-cookie.ts';
import { originOf, refusedSignIn } from './session-routes.ts';

type CompanyApplication = Pick<Application, 'beginCompanySignIn' | 'finishCompanySignIn' | 'removeIdentity'>;

const CALLBACK = '/api/v1/session/oidc/callback';
const redirected = (where: string) => ({ 302: z.undefined().describe(where) });

/** The sign-in of the company (OpenID Connect). The first two are addresses for the browser, not for scripts. */
export function addCompanyRoutes(
  app: Api,
  application: CompanyApplication,
  guards: AccessGuards,
  publicUrl: string | null,
): void {
  addCallbackRoute(app, application, guards, publicUrl);

  app.get('/session/oidc', {
    config: { access: 'anyone' },
    schema: {
      operationId: 'beginCompanySignIn',
      tags: ['sign-in'],
      summary: 'Go to the sign-in of the company',
      querystring: oidcStartQuery,
      response: { ...redirected('To the sign-in of the company.'), ...publicErrorsOf(400, 404, 503) },
    },
    handler: async (request, reply) => {
      const redirectUri = `${ownAddress(request, publicUrl)}${CALLBACK}`;
      const { url, secret } = await application.beginCompanySignIn({
        redirectUri,
        user: null,
        isAgain: request.query.again,
      });
      setCompanyCookie(request, reply, { secret, to: request.query.to });
      return reply.redirect(url);
    },
  });

  app.post('/session/identity', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'connectIdentity',
      tags: ['sign-in'],
      summary: 'Connect the sign-in of the company with your user',
      response: { 200: json('Where to go.', identityLinkSchema), ...errorsOf(404, 409) },
    },
    handler: async (request, reply) => {
      const redirectUri = `${ownAddress(request, publicUrl)}${CALLBACK}`;
      const { url, secret } = await application.beginCompanySignIn({
        redirectUri,
        user: userOf(request),
        isAgain: false,
      });
      setCompanyCookie(request, reply, { secret, to: '/' });
      return { url };
    },
  });

  app.delete('/session/identity', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'removeIdentity',
      tags: ['sign-in'],
      summary: 'Sign in with the sign-in of the company no longer',
      response: { 204: z.undefined().describe('Done.'), ...errorsOf(404, 409) },
    },
    handler: async (request, reply) => {
      await application.removeIdentity(userOf(request));
      return reply.code(204).send();
    },
  });
}

function addCallbackRoute(
  app: Api,
  application: CompanyApplication,
  guards: AccessGuards,
  publicUrl: string | null,
): void {
  app.get('/session/oidc/callback', {
    config: { access: 'anyone' },
    schema: {
      operationId: 'finishCompanySignIn',
      tags: ['sign-in'],
      summary: 'Where the sign-in of the company sends the browser back to',
      querystring: z.looseObject({}),
      response: { ...redirected('To the console, or to its page for signing in.'), ...publicErrorsOf() },
    },
    handler: async (request, reply) => {
      const cookie = takeCompanyCookie(request, reply);
      if (cookie === null) return reply.redirect('/sign-in#error=expired');
      const url = `${ownAddress(request, publicUrl)}${request.url}`;
      try {
        const begun = await application.finishCompanySignIn({ secret: cookie.secret, url }, originOf(request));
        if (begun !== null) setSessionCookie(request, reply, begun.secret);
        return await reply.redirect(oidcStartQuery.safeParse(cookie).data?.to ?? '/');
      } catch (error) {
        if (!(error instanceof ApplicationError)) throw error;
        await refusedSignIn(error, request, guards, 'company_sign_in');
        return reply.redirect(`/sign-in#error=${error.code}`);
      }
    },
  });
}
