import type { Readable } from 'node:stream';
import type {
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProviderDefault,
  RouteShorthandOptions,
} from 'fastify';
import type { z } from 'zod';
import { errorsOf, type ErrorStatus, publicErrorsOf } from '../api/answers.ts';
import type { AnswerOf } from '../api/endpoint-call.ts';
import type { Endpoint, Endpoints } from '../api/endpoint.ts';
import type { SignedIn } from '../application/users/signed-in.ts';
import { PERSONAL_READS } from '../domain/users/role.ts';
import type { Api } from './api.ts';
import { FORM_VALIDATOR } from './upload-form.ts';
import { userOf } from './users/access.ts';

type Read<E, Part extends string> = E extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** A request as its handler sees it, checked against the schemas of the endpoint. */
interface Asked<E extends Endpoint> {
  params: Read<E, 'params'>;
  query: Read<E, 'query'>;
  body: Read<E, 'body'>;
  user: E['access'] extends 'anyone' ? null : SignedIn;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What is sent; a file, piece by piece; or the reply, for a handler that has answered by itself. */
type Answered<E extends Endpoint> = AnswerOf<E> | Readable | FastifyReply;
type Nothing<E extends Endpoint> = undefined extends AnswerOf<E> ? Promise<void> : never;

type Handlers<T extends Endpoints> = {
  readonly [Id in keyof T]: (asked: Asked<T[Id]>) => Answered<T[Id]> | Promise<Answered<T[Id]>> | Nothing<T[Id]>;
};

/** Any handler: what it is given was read by the schemas of its endpoint. */
type Handler = (asked: Record<keyof Asked<Endpoint>, unknown>) => unknown;

interface Settings extends Pick<RouteShorthandOptions, 'bodyLimit'> {
  /** Whether a body may be as large as a form with files, and take as long. */
  takesUploads?: boolean;
}

/** Registers endpoints, each with its handler: one without a handler does not compile. */
export function serve<T extends Endpoints>(
  app: Api,
  endpoints: T,
  handlers: Handlers<NoInfer<T>>,
  settings: { readonly [Id in keyof T]?: Settings } = {},
): void {
  for (const [id, endpoint] of Object.entries(endpoints)) {
    register(app, endpoint, handlers[id] as unknown as Handler, settings[id] ?? {});
  }
}

function register(app: Api, endpoint: Endpoint, handler: Handler, { takesUploads, ...settings }: Settings): void {
  const { method, path: url, access, limitedBy, takes, answers } = endpoint;
  const reads = PERSONAL_READS.filter((permission) => permission === access || endpoint.reads?.includes(permission));
  const isForm = takes === 'form';
  const status = Number(Object.keys(answers)[0]);
  app.withTypeProvider<FastifyTypeProviderDefault>().route({
    method,
    url,
    config: {
      access,
      limitedBy,
      reads,
      whileSigningIn: endpoint.whileSigningIn === true,
      isReport: endpoint.isReport ?? false,
      takesUploads: takesUploads ?? isForm,
    },
    ...(isForm ? { validatorCompiler: FORM_VALIDATOR } : {}),
    ...settings,
    schema: schemaOf(endpoint),
    handler: async (request, reply) => {
      const { params, query, body } = request;
      const user = access === 'anyone' ? null : userOf(request);
      const answered = await handler({ params, query, body, user, request, reply: reply.code(status) });
      return answered === undefined && !reply.sent ? reply.send() : answered;
    },
  });
}

/** The framework warns of parts that are undefined. */
function schemaOf(endpoint: Endpoint): FastifySchema {
  const { access, takes, operationId, tag, summary, description, query, answers, errors = [] } = endpoint;
  const { params, headers, body = endpoint.form } = endpoint;
  const limited: readonly ErrorStatus[] = takes === 'form' || endpoint.isReport === true ? [429] : [];
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(headers === undefined ? {} : { headers }),
    ...(takes === 'form' ? { consumes: ['multipart/form-data'] } : {}),
    ...(body === undefined ? {} : { body }),
    response: { ...answers, ...(access === 'anyone' ? publicErrorsOf(...errors) : errorsOf(...errors, ...limited)) },
  };
}
