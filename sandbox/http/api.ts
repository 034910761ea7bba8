import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../areas/operations.ts';
import { writeJson } from '../json.ts';
import { notFound } from '../refusal.ts';
import type { World } from '../world.ts';
import { type Admitted, admit } from './door.ts';
import { jsonType } from './failure.ts';
import { failAfter, failBefore } from './misfortune.ts';
import { failureBody, type Operation } from './operation.ts';

const refusals = Object.fromEntries([400, 401, 403, 404, 409, 429].map((status) => [status, failureBody]));

/** Puts the contract's operations on a server. Everything that is no operation is a 404 behind the same door. */
export function registerApi(app: FastifyInstance, world: World): void {
  app.decorateRequest('admitted', null);
  for (const operation of operations) registerOperation(app, world, operation);
  app.setNotFoundHandler((request) => {
    if (request.url.startsWith('/__sandbox')) throw notFound('this control call');
    letIn(world, request, null);
  });
}

function registerOperation(app: FastifyInstance, world: World, operation: Operation): void {
  const { method, summary, body, params, query, answer } = operation;
  const path = operation.pathOf?.(world.options) ?? operation.path;
  app.route({
    method,
    url: path,
    schema: {
      operationId: operation.ids.join('_or_'),
      summary,
      tags: [path.split('/')[1] ?? 'api'],
      ...(body ? { body } : {}),
      ...(params ? { params } : {}),
      ...(query ? { querystring: query } : {}),
      response: { 200: answer, ...refusals },
    },
    onRequest: async (request, reply) => {
      const arrivedAtMs = world.options.monotonicNow();
      const admitted = letIn(world, request, operation.idOf(request.params), arrivedAtMs);
      reply.raw.once('close', () => noteRequest(world, admitted, reply, arrivedAtMs));
      await failBefore(admitted.fault, reply);
    },
    handler: async (request, reply) => {
      const admitted = request.getDecorator<Admitted>('admitted');
      const { account, token } = admitted;
      const { body: given, params: named, query: asked } = request;
      const text = writeJson(operation.perform({ world, account, token, body: given, params: named, query: asked }));
      if (await failAfter(admitted.fault, reply, text)) return reply;
      return reply.type(jsonType).send(text);
    },
  });
}

function letIn(
  world: World,
  request: FastifyRequest,
  operation: string | null,
  arrivedAtMs = world.options.monotonicNow(),
): Admitted {
  const admitted = admit(world, {
    apiKey: headerOf(request, 'x-api-key'),
    token: headerOf(request, 'authorization'),
    arrivedAtMs,
    operation,
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
