import { stepUpEndpoints } from '../../api/users/sign-in-endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';
import type { AccessGuards } from './credentials.ts';
import { passkeySite } from './request-origin.ts';
import { setSessionCookie } from './session-cookie.ts';

type StepUpApplication = Pick<Application, 'stepUpWithTotp' | 'beginPasskeyStepUp' | 'stepUpWithPasskey'>;

export function addStepUpRoutes(
  app: Api,
  application: StepUpApplication,
  guards: AccessGuards,
  publicUrl: string | null,
): void {
  serve(app, stepUpEndpoints, {
    stepUpWithTotp: async ({ user, body: { subject, code }, request, reply }) => {
      const { secret, validUntil } = await application.stepUpWithTotp(user, subject, code).catch((error: unknown) => {
        if (error instanceof ApplicationError && error.code === 'invalid_input') {
          const { userId, tokenId } = user;
          const attempt = { address: request.ip, userId, tokenId, route: null, why: 'wrong_code' };
          guards.refused.note({ kind: 'access_refused', ...attempt });
        }
        throw error;
      });
      // A program's token stays as it is.
      if (user.isSession === true) setSessionCookie(request, reply, secret);
      return { validUntil };
    },
    beginPasskeyStepUp: async ({ user, body: { subject }, request }) => ({
      options: await application.beginPasskeyStepUp(user, subject, passkeySite(request, publicUrl)),
    }),
    stepUpWithPasskey: async ({ user, body: { subject, response }, request, reply }) => {
      const site = passkeySite(request, publicUrl);
      const { secret, validUntil } = await application.stepUpWithPasskey(user, subject, response, site);
      if (user.isSession === true) setSessionCookie(request, reply, secret);
      return { validUntil };
    },
  });
}
