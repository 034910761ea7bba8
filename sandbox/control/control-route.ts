import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Account } from '../account/account.ts';
import { asGiven } from '../http/as-given.ts';
import { failuresWith, noCredentials } from '../http/description.ts';
import { jsonType } from '../http/failure.ts';
import { notFound } from '../core/refusal.ts';
import type { World } from '../core/world.ts';

interface ControlRoute<Body> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType<Body>;
  /** False for a call that is no GET and yet changes nothing that a state file keeps, or sees to that itself. */
  readonly kept?: false;
  /** Returns what is answered as JSON, or a promise of it. @throws Refusal */
  readonly perform: (call: { world: World; account: Account; allAccounts: boolean; body: Body }) => unknown;
}

const query = z.object({ key: z.string().optional().describe('The API key that is meant; absent: the first') });

/**
 * Adds one call of the control door: no key, no token, no limit.
 * @throws Refusal 404, when called, for a `key` that no account has
 */
export function addControl<Body = unknown>(app: FastifyInstance, world: World, route: ControlRoute<Body>): void {
  const { method, path, summary, body, perform } = route;
  const name = `${method} ${path}`;
  const isKept = method !== 'GET' && route.kept !== false;
  if (isKept) {
    world.redos.set(name, ({ account, body: given }) => {
      const read = body ? body.parse(given) : (given as Body);
      return () => perform({ world, account, allAccounts: false, body: read });
    });
  }
  app.route({
    method,
    url: `/__sandbox/${path}`,
    schema: {
      summary,
      tags: ['control'],
      querystring: query,
      ...(body ? { body } : {}),
      security: noCredentials,
      response: { 200: z.unknown(), ...failuresWith(400, 404, ...(method === 'GET' ? [] : [413 as const])) },
    },
    handler: async (request, reply) => {
      const { key } = request.query as z.output<typeof query>;
      const account = key === undefined ? world.firstAccount() : world.account(key);
      if (!account) throw notFound('an account with this key');
      const deed = isKept ? { name, account, body: asGiven(request).body } : null;
      const call = { world, account, allAccounts: key === undefined, body: request.body as Body };
      const answer = await world.perform(deed, () => perform(call));
      return reply.type(jsonType).send(JSON.stringify(answer ?? {}));
    },
  });
}
