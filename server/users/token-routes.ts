import { z } from 'zod';
import type { Application } from '../../application/application-api.ts';
import { managesUsers } from '../../application/users/signed-in.ts';
import { userOf } from './access.ts';
import type { Api } from '../api.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { ownQuery } from '../../api/fields.ts';
import { issuedTokenSchema, tokenListSchema, tokenParams, tokenRequestSchema } from '../../api/users/token.ts';
import { selfSchema } from '../../api/users/user.ts';

const MAX_CHANGES_SHOWN = 20;

type TokenApplication = Pick<Application, 'listTokens' | 'issueToken' | 'revokeToken' | 'listChanges'>;

/** Who one is, and tokens: everyone makes their own. */
export function addTokenRoutes(app: Api, application: TokenApplication): void {
  app.get('/me', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'getMe',
      tags: ['users'],
      summary: 'Whose token this is, their roles, and what changes are pending',
      response: { 200: json('The user.', selfSchema), ...errorsOf() },
    },
    handler: async (request) => {
      const { userId, login, name, roles, accounts, tokenId } = userOf(request);
      const filter = { pendingOnly: true, limit: MAX_CHANGES_SHOWN };
      const pendingChanges = roles.length === 0 ? [] : await application.listChanges(filter);
      return {
        userId,
        login,
        name,
        roles: [...roles],
        accounts: accounts === null ? null : [...accounts],
        tokenId,
        pendingChanges,
      };
    },
  });

  app.get('/tokens', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'listTokens',
      tags: ['users'],
      summary: 'Your tokens, or all for an administrator, without their secrets',
      querystring: ownQuery,
      response: { 200: json('The tokens.', tokenListSchema), ...errorsOf(400) },
    },
    handler: async (request) => {
      const user = userOf(request);
      // guard: tokens-of-others
      const all = request.query.own === 'false' && managesUsers(user);
      return { tokens: await application.listTokens(all ? null : user.userId) };
    },
  });

  app.post('/tokens', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'issueToken',
      tags: ['users'],
      summary: 'Make a further token for yourself',
      description:
        'The answer is the only place where the token is ever shown. In a session: within 15 minutes after signing in, and ' +
        'after a second factor was shown, if you have one. Made with a token, it ends with that one at the latest, and is ' +
        'revoked with it.',
      body: tokenRequestSchema,
      response: { 201: json('The token.', issuedTokenSchema), ...errorsOf(400, 409, 415) },
    },
    handler: async (request, reply) =>
      reply.code(201).send(await application.issueToken(userOf(request), request.body)),
  });

  app.delete('/tokens/:tokenId', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'revokeToken',
      tags: ['users'],
      summary: 'Revoke a token of yours, or any as an administrator, with all that were made with it',
      params: tokenParams,
      response: { 204: z.undefined().describe('It is no longer valid.'), ...errorsOf(400, 404) },
    },
    handler: async (request, reply) => {
      await application.revokeToken(userOf(request), request.params.tokenId);
      return reply.code(204).send();
    },
  });
}
