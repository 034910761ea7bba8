import { z } from 'zod';
import type { Engine } from '../../client/engine/engine-api.ts';
import { EngineError } from '../../client/engine/engine-error.ts';
import { actorOf, personOf } from '../access.ts';
import type { Api } from '../api.ts';
import { json, refusalsOf } from '../schemas/answers.ts';
import { personSchema, tokenRequestSchema, tokenSchema } from '../schemas/token.ts';

const tokenParams = z.object({ tokenId: z.guid('is not a token id').toLowerCase() });

/** Who one is, and the tokens of everyone. */
export function addTokenRoutes(app: Api, engine: Pick<Engine, 'listTokens' | 'issueToken' | 'revokeToken'>): void {
  app.get('/me', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'getMe',
      tags: ['tokens'],
      summary: 'Whose token this is, and their role',
      response: { 200: json('The person.', personSchema), ...refusalsOf() },
    },
    handler: (request, reply) => void reply.send(personOf(request)),
  });

  app.get('/tokens', {
    config: { access: 'manage_tokens' },
    schema: {
      operationId: 'listTokens',
      tags: ['tokens'],
      summary: 'All tokens, without their secrets',
      response: { 200: json('The tokens.', z.object({ tokens: z.array(tokenSchema) })), ...refusalsOf() },
    },
    handler: async () => ({ tokens: await engine.listTokens() }),
  });

  app.post('/tokens', {
    config: { access: 'manage_tokens' },
    schema: {
      operationId: 'issueToken',
      tags: ['tokens'],
      summary: 'Issue a token',
      description: 'The answer is the only place where the token is ever shown.',
      body: tokenRequestSchema,
      response: {
        201: json('The token.', z.object({ token: z.string(), summary: tokenSchema })),
        ...refusalsOf(400, 409, 415),
      },
    },
    handler: async (request, reply) => reply.code(201).send(await engine.issueToken(actorOf(request), request.body)),
  });

  app.delete('/tokens/:tokenId', {
    config: { access: 'manage_tokens' },
    schema: {
      operationId: 'revokeToken',
      tags: ['tokens'],
      summary: 'Revoke a token',
      params: tokenParams,
      response: { 204: z.undefined().describe('It works no longer.'), ...refusalsOf(400, 404) },
    },
    handler: async (request, reply) => {
      const { tokenId } = request.params;
      if (await engine.revokeToken(actorOf(request), tokenId)) return reply.code(204).send();
      throw new EngineError('not_found', `there is no token ${tokenId}, or it is revoked already`);
    },
  });
}
