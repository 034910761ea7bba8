import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { operations } from '../areas/operations.ts';
import { writeJson } from '../core/json.ts';
import { notFound, WrongMethod } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import type { AllowedMethods } from './allowed-methods.ts';
import { asGiven } from './as-given.ts';
import { apiKeyAlone, apiKeyAndToken, type FailureStatus, failuresWith } from './description.ts';
import { type Admitted, admit } from './authorize.ts';
import { expireQuoteByFault, registerEarlyEnds } from './early-ends.ts';
import { jsonType } from './failure.ts';
import { failAfter, failBefore } from '../faults/inject-fault.ts';
import type { Operation } from './operation.ts';

/**
 * Puts the contract's operations on a server. Everything that is no operation is a 404 behind the same
 * door, or a 405 where the path has other methods.
 */
export function registerApi(app: FastifyInstance, world: World, allowedMethods: AllowedMethods): void {
  app.decorateRequest('admitted', null);
  registerEarlyEnds(world);
  for (const operation of operations) registerOperation(app, world, operation);
  // Before any body is read: it is of no interest here.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) refuseUnknown(request);
    done();
  });
  app.setNotFoundHandler(refuseUnknown);

  function refuseUnknown(request: FastifyRequest): void {
    const path = request.url.split('?', 1)[0] ?? '';
    const allow = allowedMethods(path);
    const others = allow.split(', ').includes(request.method) ? '' : allow;
    if (withoutDoor.test(path)) throw others ? new WrongMethod(others) : notFound('this address');
    letIn(world, request, null, { allow: others });
  }
}

/** The control calls, and the storage, which is another provider's. */
const withoutDoor = /^\/(__sandbox|storage)(\/|$)/;

/** Every status that an operation can refuse with. */
function refusalsOf({ ids, method, params, refusals = [] }: Operation, open: boolean): Record<string, z.ZodType> {
  const statuses = new Set<FailureStatus>([400, 403, 429, ...refusals]);
  if (!open || ids.includes('auth-authenticate')) statuses.add(401);
  if (params) statuses.add(404);
  if (method !== 'GET') statuses.add(413);
  return failuresWith(...statuses);
}

function registerOperation(app: FastifyInstance, world: World, operation: Operation): void {
  const { method, summary, params, answer } = operation;
  const query = operation.queryOf?.(world.options) ?? operation.query;
  const body = operation.bodyOf?.(world.options) ?? operation.body;
  const open = operation.ids.every((each) => world.options.openOperations.includes(each));
  const path = operation.pathOf?.(world.options) ?? operation.path;
  const [name] = operation.ids;
  world.redos.set(name, ({ account, token = null, ...given }) => {
    const call = { body: read(body, given.body), params: read(params, given.params), query: read(query, given.query) };
    return () => operation.perform({ world, account, token, fault: undefined, ...call });
  });
  app.route({
    method,
    url: path,
    schema: {
      operationId: operation.ids.join('_or_'),
      summary,
      tags: [path.split('/')[1] ?? 'api'],
      security: open ? apiKeyAlone : apiKeyAndToken,
      ...(body ? { body } : {}),
      ...(params ? { params } : {}),
      ...(query ? { querystring: query } : {}),
      response: { 200: answer, ...refusalsOf(operation, open) },
    },
    ...(operation.links ? { links: { 200: operation.links } } : {}),
    onRequest: async (request, reply) => {
      const arrivedAtMs = world.options.monotonicNow();
      const admitted = letIn(world, request, operation.idOf(request.params), { arrivedAtMs });
      reply.raw.once('close', () => noteRequest(world, admitted, reply, arrivedAtMs));
      await failBefore(admitted.fault, reply);
    },
    handler: async (request, reply) => {
      const admitted = request.getDecorator<Admitted>('admitted');
      const { account, token, fault } = admitted;
      const { body: given, params: named, query: asked } = request;
      expireQuoteByFault(world, account, fault, given);
      const deed = operation.reads || method === 'GET' ? null : { name, account, token, ...asGiven(request) };
      const call = { world, account, token, fault, body: given, params: named, query: asked };
      const text = writeJson(
        world.answers.answer(
          name,
          world.perform(deed, () => operation.perform(call)),
        ),
      );
      if (await failAfter(fault, reply, { content: text, type: jsonType })) return reply;
      return reply.type(jsonType).send(text);
    },
  });
}

/** What is not described by a schema is not looked at. @throws ZodError */
const read = (schema: z.ZodType | undefined, given: unknown): unknown => (schema ? schema.parse(given) : given);

function letIn(
  world: World,
  request: FastifyRequest,
  operation: string | null,
  { arrivedAtMs = world.options.monotonicNow(), allow = '' } = {},
): Admitted {
  const admitted = admit(world, {
    apiKey: headerOf(request, 'x-api-key'),
    token: headerOf(request, 'authorization'),
    arrivedAtMs,
    operation,
    allow,
  });
  request.setDecorator('admitted', admitted);
  return admitted;
}

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

function noteRequest(world: World, { account, operation }: Admitted, reply: FastifyReply, arrivedAtMs: number): void {
  const line = {
    at: new Date(world.clock.now()).toISOString(),
    operation,
    status: reply.raw.headersSent ? reply.statusCode : 0,
    tookMs: Math.round((world.options.monotonicNow() - arrivedAtMs) * 1000) / 1000,
  };
  account.requestLines.add(line);
  world.options.log?.(line);
}
