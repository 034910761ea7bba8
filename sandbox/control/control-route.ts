import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Account } from '../account/account.ts';
import { rawRequestOf } from '../http/raw-request.ts';
import { failuresWith, noCredentials } from '../http/openapi.ts';
import { jsonType } from '../http/failure.ts';
import { notFound } from '../core/refusal.ts';
import type { World } from '../world.ts';

interface ControlRoute<Body> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType<Body>;
  /** False when a call other than GET needs no journal entry: it changes no stored state, or writes the entry itself. */
  readonly isJournaled?: false;
  /** Returns the answer, to be serialized as JSON, or a promise of it. @throws Refusal */
  readonly perform: (call: { world: World; account: Account; allAccounts: boolean; body: Body }) => unknown;
}

const query = z.object({ key: z.string().optional().describe('The API key of the account; absent: the first') });

/**
 * Adds a call of the control API, which needs no key and no token and has no limit.
 * @throws Refusal 404, when called, for a `key` that no account has
 */
export function addControl<Body = unknown>(app: FastifyInstance, world: World, route: ControlRoute<Body>): void {
  const { method, path, summary, body, perform } = route;
  const name = `${method} ${path}`;
  const isJournaled = method !== 'GET' && route.isJournaled !== false;
  if (isJournaled) {
    world.replayHandlers.set(name, ({ account, body: raw }) => {
      const parsed = body ? body.parse(raw) : (raw as Body);
      return () => perform({ world, account, allAccounts: false, body: parsed });
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
      const entry = isJournaled ? { name, account, body: rawRequestOf(request).body } : null;
      const call = { world, account, allAccounts: key === undefined, body: request.body as Body };
      const answer = await world.perform(entry, () => perform(call));
      return reply.type(jsonType).send(JSON.stringify(answer ?? {}));
    },
  });
}
