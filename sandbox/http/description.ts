import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { SandboxOptions } from '../config/defaults.ts';
import { operations } from '../areas/operations.ts';

const failure = z.object({ code: z.string(), message: z.string() });

/** What is answered instead of a success, by status. Faults that were ordered (502, 503) are not described. */
const failures = {
  400: failure.meta({ description: 'The request is not as it is described here, or asks for what cannot be done' }),
  401: failure.meta({ description: 'The token is missing, unknown or expired, or the sign-in is wrong' }),
  403: failure.meta({ description: 'The API key, or the signature of the address, is missing or wrong' }),
  404: failure.meta({ description: 'What the request names does not exist' }),
  405: failure.meta({
    description: 'The path does not take this method',
    headers: { Allow: { type: 'string', description: 'The methods that it takes' } },
  }),
  409: failure.meta({ description: 'It was done already, or what it is done to has moved on' }),
  413: failure.meta({ description: 'The body is too large' }),
  429: failure.meta({
    description: 'Too many requests in a second or in a day',
    headers: { 'Retry-After': { type: 'integer', description: 'Seconds to wait' } },
  }),
} as const;

export type FailureStatus = keyof typeof failures;

/** The failures that a route can answer, as its schema takes them. */
export const failuresWith = (...statuses: readonly FailureStatus[]): Record<string, z.ZodType> =>
  Object.fromEntries(statuses.map((status) => [status, failures[status]]));

/** What a request must carry: nothing, the API key, or the token as well. Contract: account 5. */
export const noCredentials: Record<string, string[]>[] = [];
export const apiKeyAlone = [{ apiKey: [] }];
export const apiKeyAndToken = [{ apiKey: [], token: [] }];

const transform = createJsonSchemaTransform({
  zodToJsonConfig: {
    // Answers may get more fields with time, as any provider's do: who reads them must not be surprised.
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'object' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  },
});

/** Operations whose body may be left out, which the plugin describes as needed whenever it is described at all. */
const bodyIsOptional = (options: SandboxOptions): ReadonlySet<string> =>
  new Set(
    operations
      .filter(({ body, bodyOf }) => (bodyOf?.(options) ?? body)?.safeParse(undefined).success)
      .map(({ ids }) => ids.join('_or_')),
  );

interface DescribedOperation {
  readonly operationId?: string;
  readonly requestBody?: { required?: boolean };
}

/** Has every route that is added from now on described by its schemas, for `app.swagger()`. */
export async function describeRoutes(app: FastifyInstance, options: SandboxOptions): Promise<void> {
  const optional = bodyIsOptional(options);
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
          token: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The token as it was issued' },
        },
      },
      info: { title: 'Payment provider sandbox', version: '1', description: 'A payment provider, simulated.' },
    },
    transform,
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject;
      for (const path of Object.values(document.openapiObject.paths ?? {})) {
        for (const each of Object.values(path ?? {}) as DescribedOperation[]) {
          if (each.requestBody && optional.has(each.operationId ?? '')) each.requestBody.required = false;
        }
      }
      return document.openapiObject;
    },
  });
}
