import { z } from 'zod';
import type { Account } from '../account/account.ts';
import type { SandboxOptions } from '../defaults.ts';
import type { Json } from '../json.ts';
import type { World } from '../world.ts';

/** One request, past the door: its caller is known, its body has the operation's shape. */
interface Call<Body, Params, Query> {
  readonly world: World;
  readonly account: Account;
  /** The valid token it carried; null where none is needed. */
  readonly token: string | null;
  readonly body: Body;
  readonly params: Params;
  readonly query: Query;
}

interface Definition<Body, Params, Query> {
  /** The checklist ids that the route answers for; more than one where two operations share a path form. */
  readonly ids: readonly [string, ...string[]];
  /** Tells which of several ids a request is; absent: the first. */
  readonly idOf?: (params: Params) => string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Where it is instead, when that can be set; it has the same parameters. */
  readonly pathOf?: (options: SandboxOptions) => string;
  readonly summary: string;
  readonly body?: z.ZodType<Body>;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  readonly answer: z.ZodType;
  /** Takes effect at once, so that nothing comes between; what it returns is the answer's body. @throws Refusal */
  readonly perform: (call: Call<Body, Params, Query>) => Json;
}

/** An operation of the API as the router takes it. */
export interface Operation extends Omit<Definition<unknown, unknown, unknown>, 'idOf'> {
  readonly idOf: (params: unknown) => string;
}

/** Defines an operation; the types of body, parameters and query come from their schemas. */
export function operation<Body = unknown, Params = unknown, Query = unknown>(
  definition: Definition<Body, Params, Query>,
): Operation {
  const { idOf, ids, body, params, query } = definition;
  return {
    ...definition,
    idOf: (given) => idOf?.(given as Params) ?? ids[0],
    ...(body ? { body } : {}),
    ...(params ? { params } : {}),
    ...(query ? { query } : {}),
    perform: (call) => definition.perform(call as Call<Body, Params, Query>),
  };
}

/** Answers of most operations are wrapped so. */
export const inData = <Schema extends z.ZodType>(schema: Schema): z.ZodObject<{ data: Schema }> =>
  z.object({ data: schema });

export const failureBody = z.object({ code: z.string(), message: z.string() });
