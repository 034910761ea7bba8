import { z } from 'zod';
import type { Application } from '../../application/application-api.ts';
import { errorsOf, json } from '../../api/answers.ts';
import {
  passkeyParams,
  passkeyRegistrationSchema,
  totpConfirmationSchema,
  totpEnrolmentSchema,
  webAuthnOptionsSchema,
} from '../../api/users/second-factor.ts';
import type { Api } from '../api.ts';
import { userOf } from './access.ts';
import { passkeySite } from './request-origin.ts';
import { setSessionCookie } from './session-cookie.ts';

type FactorApplication = Pick<
  Application,
  'beginTotp' | 'confirmTotp' | 'removeTotp' | 'beginPasskey' | 'addPasskey' | 'removePasskey'
>;

const done = { 204: z.undefined().describe('Done.'), ...errorsOf(400, 404, 409, 415, 429) };

/** One's own second factors, soon after one has signed in: apps that show codes, and passkeys. */
export function addFactorRoutes(app: Api, application: FactorApplication, publicUrl: string | null): void {
  addTotpRoutes(app, application);

  app.post('/session/passkeys/options', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'beginPasskey',
      tags: ['sign-in'],
      summary: 'What the browser needs to make a passkey',
      response: { 200: json('Options for the browser.', webAuthnOptionsSchema), ...errorsOf(409) },
    },
    handler: async (request) => ({
      options: await application.beginPasskey(userOf(request), passkeySite(request, publicUrl)),
    }),
  });

  app.post('/session/passkeys', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'addPasskey',
      tags: ['sign-in'],
      summary: 'Add the passkey that the browser has made',
      body: passkeyRegistrationSchema,
      response: done,
    },
    handler: async (request, reply) => {
      const site = passkeySite(request, publicUrl);
      const { secret } = await application.addPasskey(userOf(request), request.body, site);
      setSessionCookie(request, reply, secret);
      return reply.code(204).send();
    },
  });

  app.delete('/session/passkeys/:passkeyId', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'removePasskey',
      tags: ['sign-in'],
      summary: 'Remove a passkey of yours',
      params: passkeyParams,
      response: done,
    },
    handler: async (request, reply) => {
      await application.removePasskey(userOf(request), request.params.passkeyId);
      return reply.code(204).send();
    },
  });
}

function addTotpRoutes(app: Api, application: FactorApplication): void {
  app.post('/session/totp', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'beginTotp',
      tags: ['sign-in'],
      summary: 'Make a secret for an app that shows codes',
      response: { 200: json('The secret, for the app.', totpEnrolmentSchema), ...errorsOf(409) },
    },
    handler: (request) => application.beginTotp(userOf(request)),
  });

  app.post('/session/totp/confirm', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'confirmTotp',
      tags: ['sign-in'],
      summary: 'Confirm the app with a code that it shows',
      body: totpConfirmationSchema,
      response: done,
    },
    handler: async (request, reply) => {
      const { secret } = await application.confirmTotp(userOf(request), request.body.code);
      setSessionCookie(request, reply, secret);
      return reply.code(204).send();
    },
  });

  app.delete('/session/totp', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'removeTotp',
      tags: ['sign-in'],
      summary: 'Remove the app that shows codes',
      response: done,
    },
    handler: async (request, reply) => {
      await application.removeTotp(userOf(request));
      return reply.code(204).send();
    },
  });
}
