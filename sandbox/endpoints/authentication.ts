import { z } from 'zod';
import { operation } from '../http/operation.ts';
import { Refusal } from '../core/refusal.ts';
import { withExample } from './field-types.ts';

/** Contract: account 4.1 and 5. */
export const authentication = [
  operation({
    ids: ['auth-authenticate'],
    method: 'POST',
    path: '/users/v1/authenticate',
    summary: 'Issues a token, valid for eight hours; earlier tokens stay valid',
    body: withExample(z.object({ accessKeyId: z.string().min(1), secretAccessKey: z.string().min(1) }), {
      accessKeyId: 'sandbox-access-key-id',
      secretAccessKey: 'sandbox-secret-access-key',
    }),
    answer: z.object({ token: z.string() }),
    perform: ({ world, account, body }) => {
      if (!account.signIns.accepts(body)) {
        throw new Refusal(401, 'authentication_failed', 'authentication_failed');
      }
      return { token: account.tokens.issue(world.clock.now()) };
    },
  }),
  operation({
    ids: ['auth-logout'],
    method: 'POST',
    path: '/users/v1/logout',
    summary: 'Revokes the token of the request; others stay valid',
    answer: z.object({}),
    perform: ({ account, token }) => {
      if (token !== null) account.tokens.revoke(token);
      return {};
    },
  }),
];
