import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ResolvedOptions } from '../config/resolved-options.ts';
import { operations } from '../endpoints/operations.ts';

const failure = z.object({ code: z.string(), message: z.string() });

/** The error answers by status. The answers of injected faults (502, 503) are not described. */
const failures = {
  400: failure.meta({ description: 'The request does not match this description, or cannot be performed' }),
  401: failure.meta({ description: 'The token is missing, unknown or expired, or the access key is wrong' }),
  403: failure.meta({ description: 'The API key, or the signature of the URL, is missing or wrong' }),
  404: failure.meta({ description: 'The requested resource does not exist' }),
  405: failure.meta({
    description: 'The path does not support this method',
    headers: { Allow: { type: 'string', description: 'The supported methods' } },
  }),
  409: failure.meta({ description: 'It was done already, or the status of the resource does not allow it' }),
  413: failure.meta({ description: 'The body is too large' }),
  429: failure.meta({
    description: 'Too many requests in a second or in a day',
    headers: { 'Retry-After': { type: 'integer', description: 'Seconds to wait' } },
  }),
} as const;

export type FailureStatus = keyof typeof failures;

/** The error answers of a route, for its schema. */
export const failuresWith = (...statuses: readonly FailureStatus[]): Record<string, z.ZodType> =>
  Object.fromEntries(statuses.map((status) => [status, failures[status]]));

/** The required credentials: none, the API key, or the API key and a token. Contract: account 5. */
export const noCredentials: Record<string, string[]>[] = [];
export const apiKeyAlone = [{ apiKey: [] }];
export const apiKeyAndToken = [{ apiKey: [], token: [] }];

const transform = createJsonSchemaTransform({
  zodToJsonConfig: {
    // Answers may get additional fields later, as with any provider, so that clients must accept them.
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'object' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  },
});

/** Operations with an optional body: the plugin describes every body as required. */
const bodyIsOptional = (options: ResolvedOptions): ReadonlySet<string> =>
  new Set(
    operations
      .filter(({ body, bodyOf }) => (bodyOf?.(options) ?? body)?.safeParse(undefined).success)
      .map(({ ids }) => ids.join('_or_')),
  );

interface DescribedOperation {
  readonly operationId?: string;
  readonly requestBody?: { required?: boolean };
}

/** Describes every route that is added from now on by its schemas, for `app.swagger()`. */
export async function describeRoutes(app: FastifyInstance, options: ResolvedOptions): Promise<void> {
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
        for (const operation of Object.values(path ?? {}) as DescribedOperation[]) {
          if (operation.requestBody && optional.has(operation.operationId ?? ''))
            operation.requestBody.required = false;
        }
      }
      return document.openapiObject;
    },
  });
}
