import { invitationEndpoints } from '../../api/users/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import { serve } from '../serve.ts';
import type { AccessGuards } from './credentials.ts';

/** How a user gets their first token. Repeated attempts with wrong codes wait longer each time. */
export function addInvitationRoute(
  app: Api,
  application: Pick<Application, 'acceptInvitation'>,
  guards: AccessGuards,
): void {
  serve(app, invitationEndpoints, {
    acceptInvitation: async ({ body, request }) => {
      try {
        return await application.acceptInvitation(body);
      } catch (error) {
        if (!(error instanceof ApplicationError && error.code === 'unauthenticated')) throw error;
        const attempt = { address: request.ip, userId: null, tokenId: null, route: null, why: 'unknown_code' };
        guards.refused.note({ kind: 'sign_in_refused', ...attempt });
        // guard: code-delayed
        await guards.signInDelay.wait(request.ip);
        throw new HttpError(401, 'unauthenticated', error.message);
      }
    },
  });
}
