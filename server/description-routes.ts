import { z } from 'zod';
import type { Api } from './api.ts';
import { json, publicErrorsOf } from '../api/answers.ts';

/** The description of this API, in OpenAPI 3.1. */
export function addDescriptionRoute(app: Api): void {
  app.get('/openapi.json', {
    config: { access: 'anyone' },
    schema: {
      operationId: 'getDescription',
      tags: ['server'],
      summary: 'This description',
      response: { 200: json('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })), ...publicErrorsOf() },
    },
    handler: (_request, reply) => {
      const { openapi, ...rest } = { openapi: '3.1.0', ...app.swagger() };
      void reply.send({ openapi, ...rest });
    },
  });
}
