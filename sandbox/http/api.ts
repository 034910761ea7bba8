import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { writeJson } from '../core/json.ts';
import { notFound, WrongMethod } from '../core/refusal.ts';
import { operations } from '../endpoints/operations.ts';
import { expireQuoteByFault, registerEarlyExpiry } from '../faults/early-expiry.ts';
import { failAfter, failBefore } from '../faults/inject-fault.ts';
import type { World } from '../world.ts';
import type { AllowedMethods } from './allowed-methods.ts';
import { type AuthorizedRequest, authorize } from './authorize.ts';
import { jsonType } from './failure.ts';
import { apiKeyAlone, apiKeyAndToken, type FailureStatus, failuresWith } from './openapi.ts';
import type { Operation } from './operation.ts';
import { rawRequestOf } from './raw-request.ts';

/**
 * Registers the contract's operations on a server. Any other path is a 404 after the same authorization, or a 405
 * where the path has other methods.
 */
export function registerApi(app: FastifyInstance, world: World, allowedMethods: AllowedMethods): void {
  app.decorateRequest('authorized', null);
  registerEarlyExpiry(world);
  for (const operation of operations) registerOperation(app, world, operation);
  // Refuses before a body is read, as the body does not matter.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) refuseUnknown(request);
    done();
  });
  app.setNotFoundHandler(refuseUnknown);

  function refuseUnknown(request: FastifyRequest): void {
    const path = request.url.split('?', 1)[0] ?? '';
    const allow = allowedMethods(path);
    const others = allow.split(', ').includes(request.method) ? '' : allow;
    if (withoutCredentials.test(path)) throw others ? new WrongMethod(others) : notFound('this address');
    authorizeRequest(world, request, null, { allow: others });
  }
}

/** The control API, and the storage, which belongs to another provider. */
const withoutCredentials = /^\/(__sandbox|storage)(\/|$)/;

function registerOperation(app: FastifyInstance, world: World, operation: Operation): void {
  const { method } = operation;
  const query = operation.queryOf?.(world.options) ?? operation.query;
  const body = operation.bodyOf?.(world.options) ?? operation.body;
  const path = operation.pathOf?.(world.options) ?? operation.path;
  const schemas = { body, params: operation.params, query };
  addReplayHandler(world, operation, schemas);
  app.route({
    method,
    url: path,
    schema: routeSchema(world, operation, path, schemas),
    ...(operation.links ? { links: { 200: operation.links } } : {}),
    onRequest: async (request, reply) => {
      const arrivedAtMs = world.options.monotonicNow();
      const authorized = authorizeRequest(world, request, operation.idOf(request.params), { arrivedAtMs });
      reply.raw.once('close', () => logRequest(world, authorized, reply, arrivedAtMs));
      await failBefore(authorized.fault, reply);
    },
    handler: (request, reply) => perform(world, operation, request, reply),
  });
}

interface RequestSchemas {
  readonly body: z.ZodType | undefined;
  readonly params: z.ZodType | undefined;
  readonly query: z.ZodType | undefined;
}

function addReplayHandler(world: World, operation: Operation, schemas: RequestSchemas): void {
  world.replayHandlers.set(operation.ids[0], ({ account, token = null, ...raw }) => {
    const call = {
      body: parse(schemas.body, raw.body),
      params: parse(schemas.params, raw.params),
      query: parse(schemas.query, raw.query),
    };
    return () => operation.perform({ world, account, token, fault: undefined, ...call });
  });
}

/** Without a schema the value is unchanged. @throws ZodError */
const parse = (schema: z.ZodType | undefined, value: unknown): unknown => (schema ? schema.parse(value) : value);

function routeSchema(
  world: World,
  operation: Operation,
  path: string,
  { body, params, query }: RequestSchemas,
): Record<string, unknown> {
  const isOpen = operation.ids.every((id) => world.options.openOperations.includes(id));
  return {
    operationId: operation.ids.join('_or_'),
    summary: operation.summary,
    tags: [path.split('/')[1] ?? 'api'],
    security: isOpen ? apiKeyAlone : apiKeyAndToken,
    ...(body ? { body } : {}),
    ...(params ? { params } : {}),
    ...(query ? { querystring: query } : {}),
    response: { 200: operation.answer, ...refusalsOf(operation, isOpen) },
  };
}

/** Every status with which an operation can refuse. */
function refusalsOf({ ids, method, params, refusals = [] }: Operation, isOpen: boolean): Record<string, z.ZodType> {
  const statuses = new Set<FailureStatus>([400, 403, 429, ...refusals]);
  if (!isOpen || ids.includes('auth-authenticate')) statuses.add(401);
  if (params) statuses.add(404);
  if (method !== 'GET') statuses.add(413);
  return failuresWith(...statuses);
}

async function perform(
  world: World,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [name] = operation.ids;
  const { account, token, fault } = request.getDecorator<AuthorizedRequest>('authorized');
  const { body, params, query } = request;
  expireQuoteByFault(world, account, fault, body);
  const isRead = operation.reads || operation.method === 'GET';
  const entry = isRead ? null : { name, account, token, ...rawRequestOf(request) };
  const call = { world, account, token, fault, body, params, query };
  const answer = world.perform(entry, () => operation.perform(call));
  const text = writeJson(world.answers.answer(name, answer));
  if (await failAfter(fault, reply, { content: text, type: jsonType })) return reply;
  return reply.type(jsonType).send(text);
}

function authorizeRequest(
  world: World,
  request: FastifyRequest,
  operation: string | null,
  { arrivedAtMs = world.options.monotonicNow(), allow = '' } = {},
): AuthorizedRequest {
  const authorized = authorize(world, {
    apiKey: headerOf(request, 'x-api-key'),
    token: headerOf(request, 'authorization'),
    arrivedAtMs,
    operation,
    allow,
  });
  request.setDecorator('authorized', authorized);
  return authorized;
}

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

function logRequest(
  world: World,
  { account, operation }: AuthorizedRequest,
  reply: FastifyReply,
  arrivedAtMs: number,
): void {
  const line = {
    at: new Date(world.clock.now()).toISOString(),
    operation,
    status: reply.raw.headersSent ? reply.statusCode : 0,
    tookMs: Math.round((world.options.monotonicNow() - arrivedAtMs) * 1000) / 1000,
  };
  account.requestLines.add(line);
  world.options.log?.(line);
}
