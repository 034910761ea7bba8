import { companyEndpoints } from '../../api/users/sign-in-endpoints.ts';
import { oidcStartQuery } from '../../api/users/session.ts';
import type { Application } from '../../application/create-application.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';
import type { AccessGuards } from './credentials.ts';
import { ownAddress } from './request-origin.ts';
import { setCompanyCookie, setSessionCookie, takeCompanyCookie } from './session-cookie.ts';
import { originOf, refusedSignIn } from './session-routes.ts';

type CompanyApplication = Pick<Application, 'beginCompanySignIn' | 'finishCompanySignIn' | 'removeIdentity'>;

const CALLBACK = `/api/v1${companyEndpoints.finishCompanySignIn.path}`;

export function addCompanyRoutes(
  app: Api,
  application: CompanyApplication,
  guards: AccessGuards,
  publicUrl: string | null,
): void {
  serve(app, companyEndpoints, {
    finishCompanySignIn: async ({ request, reply }) => {
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
    beginCompanySignIn: async ({ query: { to, again }, request, reply }) => {
      const redirectUri = `${ownAddress(request, publicUrl)}${CALLBACK}`;
      const { url, secret } = await application.beginCompanySignIn({ redirectUri, user: null, isAgain: again });
      setCompanyCookie(request, reply, { secret, to });
      return reply.redirect(url);
    },
    connectIdentity: async ({ user, request, reply }) => {
      const redirectUri = `${ownAddress(request, publicUrl)}${CALLBACK}`;
      const { url, secret } = await application.beginCompanySignIn({ redirectUri, user, isAgain: false });
      setCompanyCookie(request, reply, { secret, to: '/' });
      return { url };
    },
    removeIdentity: ({ user }) => application.removeIdentity(user),
  });
}
