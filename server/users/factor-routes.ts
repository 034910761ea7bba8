import { factorEndpoints } from '../../api/users/sign-in-endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';
import { passkeySite } from './request-origin.ts';
import { setSessionCookie } from './session-cookie.ts';

type FactorApplication = Pick<
  Application,
  'beginTotp' | 'confirmTotp' | 'removeTotp' | 'beginPasskey' | 'addPasskey' | 'removePasskey'
>;

export function addFactorRoutes(app: Api, application: FactorApplication, publicUrl: string | null): void {
  serve(app, factorEndpoints, {
    beginTotp: ({ user }) => application.beginTotp(user),
    confirmTotp: async ({ user, body: { code }, request, reply }) => {
      const { secret } = await application.confirmTotp(user, code);
      // A program's token stays as it is.
      if (user.isSession === true) setSessionCookie(request, reply, secret);
    },
    removeTotp: ({ user }) => application.removeTotp(user),
    beginPasskey: async ({ user, request }) => ({
      options: await application.beginPasskey(user, passkeySite(request, publicUrl)),
    }),
    addPasskey: async ({ user, body, request, reply }) => {
      const { secret } = await application.addPasskey(user, body, passkeySite(request, publicUrl));
      setSessionCookie(request, reply, secret);
    },
    removePasskey: ({ user, params: { passkeyId } }) => application.removePasskey(user, passkeyId),
  });
}
