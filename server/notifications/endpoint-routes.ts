import { z } from 'zod';
import type { Application } from '../../application/application-api.ts';
import { orNotFound } from '../../application/application-error.ts';
import { userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { json, errorsOf } from '../../api/answers.ts';
import {
  addedEndpointSchema,
  endpointListSchema,
  endpointParams,
  endpointRequestSchema,
  endpointSummarySchema,
  notificationTypeListSchema,
  rotatedSecretSchema,
  testedEndpointSchema,
} from '../../api/notifications/endpoint.ts';
import { NOTIFICATION_TYPES, ruleOf } from '../../domain/notifications/notification-types.ts';

const ENDPOINTS = '/notifications/endpoints';
const ENDPOINT = `${ENDPOINTS}/:endpointId`;

type EndpointApplication = Pick<
  Application,
  'addEndpoint' | 'listEndpoints' | 'findEndpoint' | 'disableEndpoint' | 'enableEndpoint' | 'rotateEndpointSecret'
> &
  Pick<Application, 'removeEndpoint' | 'testEndpoint'>;

/** Where notifications go. */
export function addEndpointRoutes(app: Api, application: EndpointApplication): void {
  addReadingRoutes(app, application);
  addChangingRoutes(app, application);
  addSecretRoutes(app, application);
}

function addReadingRoutes(app: Api, application: EndpointApplication): void {
  app.get('/notifications/types', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'listNotificationTypes',
      tags: ['notifications'],
      summary: 'List the types of notifications',
      response: { 200: json('The types.', notificationTypeListSchema), ...errorsOf() },
    },
    handler: () => ({ types: NOTIFICATION_TYPES.map((type) => ({ type, when: ruleOf(type).when })) }),
  });

  app.get(ENDPOINTS, {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'listEndpoints',
      tags: ['notifications'],
      summary: 'Where notifications go',
      response: { 200: json('The endpoints, by name.', endpointListSchema), ...errorsOf() },
    },
    handler: async (request) => ({ endpoints: await application.listEndpoints(userOf(request)) }),
  });

  app.get(ENDPOINT, {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'getEndpoint',
      tags: ['notifications'],
      summary: 'One of them',
      params: endpointParams,
      response: { 200: json('The endpoint.', endpointSummarySchema), ...errorsOf(400, 404) },
    },
    handler: async (request) =>
      orNotFound(
        await application.findEndpoint(userOf(request), request.params.endpointId),
        'there is no such endpoint',
      ),
  });
}

function addChangingRoutes(app: Api, application: EndpointApplication): void {
  app.post(ENDPOINTS, {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'addEndpoint',
      tags: ['notifications'],
      summary: 'Add an endpoint',
      description:
        'Nothing is sent to it until a second administrator confirms it. The secret is shown only in this answer.',
      body: endpointRequestSchema,
      response: { 201: json('The endpoint.', addedEndpointSchema), ...errorsOf(400, 409, 415) },
    },
    handler: async (request, reply) =>
      reply.code(201).send(await application.addEndpoint(userOf(request), request.body)),
  });

  for (const [verb, call, summary] of [
    ['disable', 'disableEndpoint', 'Send nothing to an endpoint until it is enabled again'],
    ['enable', 'enableEndpoint', 'Enable a disabled endpoint: it also gets what it missed in the last seven days'],
  ] as const) {
    app.post(`${ENDPOINT}/${verb}`, {
      config: { access: 'manage_users' },
      schema: {
        operationId: call,
        tags: ['notifications'],
        summary,
        params: endpointParams,
        response: { 200: json('The endpoint afterwards.', endpointSummarySchema), ...errorsOf(400, 404, 409) },
      },
      handler: (request) => application[call](userOf(request), request.params.endpointId),
    });
  }

  app.delete(ENDPOINT, {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'removeEndpoint',
      tags: ['notifications'],
      summary: 'Remove an endpoint; undelivered notifications are dropped',
      params: endpointParams,
      response: { 204: z.undefined().describe('It is removed.'), ...errorsOf(400, 404) },
    },
    handler: async (request, reply) => {
      await application.removeEndpoint(userOf(request), request.params.endpointId);
      return reply.code(204).send();
    },
  });
}

function addSecretRoutes(app: Api, application: EndpointApplication): void {
  app.post(`${ENDPOINT}/rotate-secret`, {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'rotateEndpointSecret',
      tags: ['notifications'],
      summary: 'Give a webhook a new secret',
      description: 'For a day, webhooks are signed with both. The new one is shown only in this answer.',
      params: endpointParams,
      response: { 200: json('The new secret.', rotatedSecretSchema), ...errorsOf(400, 404, 409) },
    },
    handler: (request) => application.rotateEndpointSecret(userOf(request), request.params.endpointId),
  });

  app.post(`${ENDPOINT}/test`, {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'testEndpoint',
      tags: ['notifications'],
      summary: 'Send a test to an endpoint',
      params: endpointParams,
      response: { 200: json('What is sent.', testedEndpointSchema), ...errorsOf(400, 404, 409) },
    },
    handler: (request) => application.testEndpoint(userOf(request), request.params.endpointId),
  });
}
