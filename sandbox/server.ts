import type { AddressInfo } from 'node:net';
import fastifySwagger from '@fastify/swagger';
import fastify, { type FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { addForceControl } from './control/force.ts';
import { addIncomingControls } from './control/incoming-money.ts';
import { type LedgerReport, ledgerReport } from './control/ledger-report.ts';
import { addMoneyControls } from './control/money.ts';
import { addRunningControls } from './control/running.ts';
import { defaultOptions, type SandboxOptions } from './defaults.ts';
import { registerApi } from './http/api.ts';
import { registerDocumentStorage } from './http/document-storage.ts';
import { answerFailure } from './http/failure.ts';
import { registerStorage } from './http/storage.ts';
import { readJson } from './json.ts';
import { invalidField, notFound, Refusal } from './refusal.ts';
import { World } from './world.ts';

export interface RunningSandbox {
  readonly url: string;
  readonly port: number;
  /** Moves the clock, as the control call does. */
  advance(byMs: number): void;
  /** What the control call `ledger` answers for an API key; without one for the first. @throws Refusal */
  ledger(apiKey?: string): LedgerReport;
  /** Stops listening, ends open connections, and lets nothing more happen. */
  close(): Promise<void>;
}

/**
 * Starts the simulated provider. What the options leave out keeps its default: the default port is any free one.
 * @throws Error when the port is taken, or the accounts are not distinct
 */
export async function startSandbox(options: Partial<SandboxOptions> = {}): Promise<RunningSandbox> {
  const all = { ...defaultOptions, ...options };
  const world = new World(all);
  const app = await buildServer(world);
  await app.listen({ port: all.port, host: all.host });
  const { port } = app.server.address() as AddressInfo;
  const host = all.host === '0.0.0.0' || all.host === '::' ? '127.0.0.1' : all.host;
  world.url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    url: world.url,
    port,
    advance: (byMs) => void world.clock.advance(byMs),
    ledger: (apiKey) => {
      const account = apiKey === undefined ? world.firstAccount() : world.account(apiKey);
      if (!account) throw notFound('an account with this key');
      return ledgerReport(account);
    },
    close: async () => {
      world.close();
      await app.close();
    },
  };
}

async function buildServer(world: World): Promise<FastifyInstance> {
  const app = fastify({ forceCloseConnections: true, exposeHeadRoutes: false, bodyLimit: 1_048_576 });
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? undefined : readJson(text.toString()));
    } catch {
      done(invalidField('body', 'is not JSON'));
    }
  });
  app.setValidatorCompiler(({ schema, httpPart }) => (value: unknown) => {
    const result = (schema as z.ZodType).safeParse(value);
    return result.success ? { value: result.data } : { error: fieldRefusal(result.error, httpPart ?? 'request') };
  });
  // Answers are written by the sandbox itself, exactly; schemas of answers describe them only.
  app.setSerializerCompiler(() => (body: unknown) => JSON.stringify(body));
  app.setErrorHandler((error, _request, reply) => answerFailure(error, reply));
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
    transform: jsonSchemaTransform,
  });
  await app.register((scope, _none, done) => {
    registerApi(scope, world);
    done();
  });
  for (const registerRoutes of [registerStorage, registerDocumentStorage]) {
    await app.register((scope, _none, done) => {
      registerRoutes(scope, world);
      done();
    });
  }
  await app.register((scope, _none, done) => {
    addMoneyControls(scope, world);
    addForceControl(scope, world);
    addIncomingControls(scope, world);
    addRunningControls(scope, world);
    scope.get('/__sandbox/openapi.json', { schema: { hide: true } }, () => app.swagger());
    done();
  });
  return app;
}

/** One message that names every wrong field; the values are left out, as they may be bank details. */
function fieldRefusal(error: z.ZodError, part: string): Refusal {
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || part}: ${message}`);
  return new Refusal(400, 'validation_failed', problems.join('; '));
}
