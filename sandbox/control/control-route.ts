import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Account } from '../account/account.ts';
import { failureBody } from '../http/operation.ts';
import { jsonType } from '../http/failure.ts';
import { notFound } from '../refusal.ts';
import type { World } from '../world.ts';

interface ControlRoute<Body> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType<Body>;
  /** Returns what is answered as JSON. @throws Refusal */
  readonly perform: (call: { world: World; account: Account; allAccounts: boolean; body: Body }) => unknown;
}

const query = z.object({ key: z.string().optional().describe('The API key that is meant; absent: the first') });

/**
 * Adds one call of the control door: no key, no token, no limit.
 * @throws Refusal 404, when called, for a `key` that no account has
 */
export function addControl<Body = unknown>(app: FastifyInstance, world: World, route: ControlRoute<Body>): void {
  const { method, path, summary, body, perform } = route;
  app.route({
    method,
    url: `/__sandbox/${path}`,
    schema: {
      summary,
      tags: ['control'],
      querystring: query,
      ...(body ? { body } : {}),
      response: { 400: failureBody, 404: failureBody },
    },
    handler: (request, reply) => {
      const { key } = request.query as z.output<typeof query>;
      const account = key === undefined ? world.firstAccount() : world.account(key);
      if (!account) throw notFound('an account with this key');
      const answer = perform({ world, account, allAccounts: key === undefined, body: request.body as Body });
      return reply.type(jsonType).send(JSON.stringify(answer ?? {}));
    },
  });
}
