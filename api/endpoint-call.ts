import type { z } from 'zod';
import type { EndpointDefinition, Endpoints, Route } from './endpoint.ts';

/** How endpoints are called, by the SDK and by the console: without schemas, which the console does not load. */

type Fields<E, Part extends string> = E extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.input<S>
  : unknown;

/** In an address everything is text: flags and lists may be given as they are read there. */
type QueryFields<E> = E extends { readonly query: infer Q extends z.ZodObject }
  ? { [Name in keyof z.input<Q>]: z.input<Q>[Name] | Extract<z.output<Q>[Name & keyof z.output<Q>], TextInAddress> }
  : unknown;
type TextInAddress = boolean | readonly string[];

type Simplified<T> = { [Name in keyof T]: T[Name] };

/** What is given to an endpoint: the parameters of its path and the fields of its query or body; of a form, `form`. */
export type InputOf<E> = Simplified<
  Required<Fields<E, 'params'>> &
    QueryFields<E> &
    Fields<E, 'body'> &
    (E extends { form: z.ZodType } ? { form: FormData } : unknown)
>;

type Content<Answer> = Answer extends { content: infer C } ? C : undefined;
/** Of each answer, its schemas by media type; undefined of one without a body. */
type Contents<E extends EndpointDefinition> = Content<E['answers'][keyof E['answers']]>;

type KindOf<E extends EndpointDefinition> = 302 extends keyof E['answers']
  ? 'redirect'
  : Contents<E> extends undefined | { 'application/json': unknown }
    ? 'json'
    : Contents<E> extends { 'text/event-stream': unknown }
      ? 'events'
      : 'file';

type JsonOf<C> = C extends { 'application/json': { schema: infer S extends z.ZodType } } ? z.output<S> : undefined;
/** What an endpoint answers in JSON; nothing where there is no body. */
export type AnswerOf<E extends EndpointDefinition> = JsonOf<Contents<E>>;

type PieceOf<C> =
  C extends Record<string, { schema: infer S extends z.ZodType }>
    ? z.input<S> extends z.$brand<'bytes'>
      ? Uint8Array
      : string
    : never;

type Call<Input, Options, Result> = [Partial<Input>] extends [Input]
  ? (input?: Input, options?: Options) => Result
  : (input: Input, options?: Options) => Result;

/** A function for each endpoint that answers JSON or nothing. */
export type JsonCalls<T extends Endpoints, Options> = {
  readonly [Id in keyof T as KindOf<T[Id]> extends 'json' ? Id : never]: Call<
    InputOf<T[Id]>,
    Options,
    Promise<AnswerOf<T[Id]>>
  >;
};

/** A function for each endpoint that answers a file, which gives it piece by piece. */
export type FileCalls<T extends Endpoints, Options> = {
  readonly [Id in keyof T as KindOf<T[Id]> extends 'file' ? Id : never]: Call<
    InputOf<T[Id]>,
    Options,
    AsyncIterable<PieceOf<Contents<T[Id]>>>
  >;
};

/** A request as it is sent; the path is below `/api/v1`, each piece already encoded. */
export interface EndpointRequest {
  method: Route['method'];
  path: string;
  query?: Readonly<Record<string, string | null | undefined>>;
  body?: unknown;
  alsoExpected?: Route['alsoExpected'];
}

export function requestOf({ method, path, takes, alsoExpected }: Route, input: object): EndpointRequest {
  const rest = new Map<string, unknown>(Object.entries(input));
  const filled = path.replaceAll(/:(\w+)/g, (_parameter, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const request = { method, path: filled, ...(alsoExpected === undefined ? {} : { alsoExpected }) };
  switch (takes) {
    case 'query':
      return {
        ...request,
        query: Object.fromEntries([...rest].map(([name, value]) => [name, textInAddress(value as TextInAddress)])),
      };
    case 'body':
      return { ...request, body: Object.fromEntries(rest) };
    case 'form':
      return { ...request, body: rest.get('form') };
    case 'nothing':
      return request;
  }
}

/** Lists are joined by commas. */
function textInAddress(value: TextInAddress | string | number | null | undefined): string | null | undefined {
  return value === null || value === undefined ? value : String(value);
}
