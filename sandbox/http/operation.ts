import { z } from 'zod';
import type { Account } from '../account/account.ts';
import type { SandboxOptions } from '../config/defaults.ts';
import type { Fault } from '../faults/faults.ts';
import type { Json } from '../core/json.ts';
import type { World } from '../core/world.ts';

/** One request, past the door: its caller is known, its body has the operation's shape. */
interface Call<Body, Params, Query> {
  readonly world: World;
  readonly account: Account;
  /** The valid token it carried; null where none is needed. */
  readonly token: string | null;
  /** What strikes this request, for operations that a fault strikes from within. */
  readonly fault: Readonly<Fault> | undefined;
  readonly body: Body;
  readonly params: Params;
  readonly query: Query;
}

/** An OpenAPI link: where the values of an answer go. Values are runtime expressions. */
export interface OperationLink {
  readonly operationId: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly requestBody?: Readonly<Record<string, string>>;
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
  /** The body's schema, where switches have a say in it. */
  readonly bodyOf?: (options: SandboxOptions) => z.ZodType<Body>;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  /** The query's schema, where switches have a say in it. */
  readonly queryOf?: (options: SandboxOptions) => z.ZodType<Query>;
  readonly answer: z.ZodType;
  /** Changes nothing and draws from no chance, although it is no GET: it is not written down for the next start. */
  readonly reads?: boolean;
  /** Statuses that it refuses with, beside those that its form implies: 404 for a path with an id, and so on. */
  readonly refusals?: readonly (404 | 409)[];
  /** What its answer leads to, by name: for who follows the description from one call to the next. */
  readonly links?: Readonly<Record<string, OperationLink>>;
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
  const { idOf, ids, body, bodyOf, params, query, queryOf } = definition;
  return {
    ...definition,
    idOf: (given) => idOf?.(given as Params) ?? ids[0],
    ...(body ? { body } : {}),
    ...(bodyOf ? { bodyOf } : {}),
    ...(params ? { params } : {}),
    ...(query ? { query } : {}),
    ...(queryOf ? { queryOf } : {}),
    perform: (call) => definition.perform(call as Call<Body, Params, Query>),
  };
}

/** Answers of most operations are wrapped so. */
export const inData = <Schema extends z.ZodType>(schema: Schema): z.ZodObject<{ data: Schema }> =>
  z.object({ data: schema });
