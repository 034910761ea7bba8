import type { Application } from '../../application/application-api.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { AccessGuards } from './credentials.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import { json, publicErrorsOf } from '../../api/answers.ts';
import { invitationAcceptanceSchema } from '../../api/users/invitation.ts';
import { issuedTokenSchema } from '../../api/users/token.ts';

/** How a user gets their first token. Repeated attempts with wrong codes wait longer each time. */
export function addInvitationRoute(
  app: Api,
  application: Pick<Application, 'acceptInvitation'>,
  guards: AccessGuards,
): void {
  app.post('/invitations/accept', {
    config: { access: 'anyone' },
    schema: {
      operationId: 'acceptInvitation',
      tags: ['users'],
      summary: 'Exchange the code of an invitation for a token',
      body: invitationAcceptanceSchema,
      response: { 201: json('The token.', issuedTokenSchema), ...publicErrorsOf(400, 401, 415) },
    },
    handler: async (request, reply) => {
      try {
        return await reply.code(201).send(await application.acceptInvitation(request.body));
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
