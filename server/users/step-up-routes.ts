import type { Application } from '../../application/application-api.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { errorsOf, json } from '../../api/answers.ts';
import {
  passkeyStepUpOptionsSchema,
  passkeyStepUpSchema,
  steppedUpSchema,
  totpStepUpSchema,
  webAuthnOptionsSchema,
} from '../../api/users/second-factor.ts';
import type { Api } from '../api.ts';
import { userOf } from './access.ts';
import type { AccessGuards } from './credentials.ts';
import { passkeySite } from './request-origin.ts';
import { setSessionCookie } from './session-cookie.ts';

type StepUpApplication = Pick<Application, 'stepUpWithTotp' | 'beginPasskeyStepUp' | 'stepUpWithPasskey'>;

/** Showing a second factor for one decision, immediately before it. */
export function addStepUpRoutes(
  app: Api,
  application: StepUpApplication,
  guards: AccessGuards,
  publicUrl: string | null,
): void {
  app.post('/session/step-up/totp', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'stepUpWithTotp',
      tags: ['sign-in'],
      summary: 'Show a code of your app, for one decision',
      body: totpStepUpSchema,
      response: { 200: json('The decision may be sent.', steppedUpSchema), ...errorsOf(400, 409, 415, 429) },
    },
    handler: async (request, reply) => {
      const user = userOf(request);
      const { subject, code } = request.body;
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
  });

  app.post('/session/step-up/passkey-options', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'beginPasskeyStepUp',
      tags: ['sign-in'],
      summary: 'What the browser needs to have a passkey sign one decision',
      body: passkeyStepUpOptionsSchema,
      response: { 200: json('Options for the browser.', webAuthnOptionsSchema), ...errorsOf(400, 409, 415) },
    },
    handler: async (request) => {
      const site = passkeySite(request, publicUrl);
      return { options: await application.beginPasskeyStepUp(userOf(request), request.body.subject, site) };
    },
  });

  app.post('/session/step-up/passkey', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'stepUpWithPasskey',
      tags: ['sign-in'],
      summary: 'Show what a passkey has signed, for one decision',
      body: passkeyStepUpSchema,
      response: { 200: json('The decision may be sent.', steppedUpSchema), ...errorsOf(400, 409, 415) },
    },
    handler: async (request, reply) => {
      const user = userOf(request);
      const site = passkeySite(request, publicUrl);
      const { subject, response } = request.body;
      const { secret, validUntil } = await application.stepUpWithPasskey(user, subject, response, site);
      if (user.isSession === true) setSessionCookie(request, reply, secret);
      return { validUntil };
    },
  });
}
