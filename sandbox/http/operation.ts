import { z } from 'zod';
import type { Account } from '../account/account.ts';
import type { ResolvedOptions } from '../config/resolved-options.ts';
import type { Fault } from '../faults/faults.ts';
import type { Json } from '../core/json.ts';
import type { World } from '../world.ts';

/** An authorized request with a parsed body. */
interface Call<Body, Params, Query> {
  readonly world: World;
  readonly account: Account;
  /** The valid token of the request; null where none is needed. */
  readonly token: string | null;
  /** The fault of this request, for operations whose result it changes. */
  readonly fault: Readonly<Fault> | undefined;
  readonly body: Body;
  readonly params: Params;
  readonly query: Query;
}

/** An OpenAPI link: the operation that takes values of an answer. Values are runtime expressions. */
export interface OperationLink {
  readonly operationId: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly requestBody?: Readonly<Record<string, string>>;
}

interface Definition<Body, Params, Query> {
  /** The checklist ids of the route; more than one where two operations share a path. */
  readonly ids: readonly [string, ...string[]];
  /** Selects the id of a request; absent: the first. */
  readonly idOf?: (params: Params) => string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The path when an option sets it, with the same parameters. */
  readonly pathOf?: (options: ResolvedOptions) => string;
  readonly summary: string;
  readonly body?: z.ZodType<Body>;
  /** The schema of the body when it depends on options. */
  readonly bodyOf?: (options: ResolvedOptions) => z.ZodType<Body>;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  /** The schema of the query when it depends on options. */
  readonly queryOf?: (options: ResolvedOptions) => z.ZodType<Query>;
  readonly answer: z.ZodType;
  /** Whether it changes nothing and draws no random numbers although it is not a GET: it gets no journal entry. */
  readonly reads?: boolean;
  /** Statuses of its refusals, besides those that its schemas imply, e.g. 404 for a path with an id. */
  readonly refusals?: readonly (404 | 409)[];
  /** OpenAPI links from its answer to other operations, by name. */
  readonly links?: Readonly<Record<string, OperationLink>>;
  /** Runs synchronously, so that calls cannot interleave; returns the body of the answer. @throws Refusal */
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

/** The envelope of most answers. */
export const inData = <Schema extends z.ZodType>(schema: Schema): z.ZodObject<{ data: Schema }> =>
  z.object({ data: schema });
