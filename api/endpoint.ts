import type { z } from 'zod';
import type { Permission, PersonalRead } from '../domain/users/role.ts';
import type { bytes, ErrorStatus, json, nothing, text } from './answers.ts';

/** Who may call an endpoint: anyone, any signed-in user, or users with a role that has the permission. */
export type Access = 'anyone' | 'signed_in' | Permission;

/**
 * How an endpoint is limited to the accounts with the provider that a user may use:
 * - a parameter of the path: the server looks up the account of what it names, before the handler;
 * - `account`: a field of its query or body names the account, which the server compares, or of its form, which the use case
 *   does; without one it is about those that the user may use;
 * - `user`: the use case shows, or the database lets the user change, only what is of their accounts;
 * - `all_accounts`: it is about all of them at once, so the server refuses users who are limited;
 * - `nothing`: it has nothing of an account.
 */
export type LimitedBy = ParameterOfAccount | 'account' | 'user' | 'all_accounts' | 'nothing';

/** A parameter that names what belongs to an account, in whichever path. */
export type ParameterOfAccount =
  | 'runId'
  | 'caseId'
  | 'orderId'
  | 'scheduleId'
  | 'breakId'
  | 'virtualAccountId'
  | 'stopId'
  | 'webhookId';

type Answer =
  | ReturnType<typeof json<z.ZodType>>
  | ReturnType<typeof text<string>>
  | ReturnType<typeof bytes<string>>
  | ReturnType<typeof nothing>;

/** An endpoint, as it is written: the server, the SDK, the console and the description of the API follow from it. */
export interface EndpointDefinition {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, its parameters as `:runId`. */
  readonly path: `/${string}`;
  readonly access: Access;
  readonly limitedBy: LimitedBy;
  /**
   * The permissions by which its answer shows personal data or bank details: each such read is in the audit trail, and by others
   * nothing is shown. An `access` that is one of them counts by itself.
   */
  readonly reads?: readonly PersonalRead[];
  /** One of the reports and dry runs that a user may ask for in a day: they take the time of processors, of workers or of the provider. */
  readonly isReport?: true;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  /** Only one of query, body and form: whoever calls gives their fields together with the parameters. */
  readonly query?: z.ZodObject;
  /** Sent as JSON. */
  readonly body?: z.ZodType;
  /** A form with files, which the handler reads part by part. */
  readonly form?: z.ZodType;
  readonly headers?: z.ZodObject;
  /** By status; the first one is that of a success. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Also in a session that awaits the second factor of its sign-in. */
  readonly whileSigningIn?: true;
  /** Beside those that every endpoint with this access may answer. */
  readonly errors?: readonly ErrorStatus[];
  /** How long a client waits for the answer, where that may be longer than usual. */
  readonly timeoutMs?: number;
}

/** What sends a request needs to know of an endpoint. */
export interface Route {
  readonly method: EndpointDefinition['method'];
  readonly path: string;
  /** Where the fields go that are not in the path. */
  readonly takes: 'query' | 'body' | 'form' | 'nothing';
  /** Statuses besides 2xx whose body is an answer, not an error. */
  readonly alsoExpected?: readonly number[];
}

export type Endpoint = EndpointDefinition & Route & { readonly operationId: string };
export type Endpoints = Readonly<Record<string, Endpoint>>;

type Named<T> = { readonly [Id in keyof T]: T[Id] & Route & { readonly operationId: Id } };

/** Endpoints by their operation ids. */
export function endpoints<const T extends Readonly<Record<string, EndpointDefinition>>>(definitions: T): Named<T> {
  const named = Object.entries(definitions).map(([operationId, definition]) => {
    const takes = (['query', 'body', 'form'] as const).find((part) => definition[part] !== undefined) ?? 'nothing';
    const others = Object.keys(definition.answers)
      .map(Number)
      .filter((status) => status >= 300);
    const alsoExpected = others.length === 0 ? {} : { alsoExpected: others };
    return [operationId, { ...definition, ...alsoExpected, operationId, takes }] as const;
  });
  return Object.fromEntries(named) as Named<T>;
}
