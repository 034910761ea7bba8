import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { addForceControl } from './control/force.ts';
import { addIncomingControls } from './control/incoming-money.ts';
import { type LedgerReport, ledgerReport } from './control/ledger-report.ts';
import { addMoneyControls } from './control/money.ts';
import { addPageCalls } from './control/page-calls.ts';
import { addRunningControls } from './control/running.ts';
import { defaultOptions, type SandboxOptions } from './config/defaults.ts';
import { noteAllowedMethods } from './http/allowed-methods.ts';
import { registerApi } from './http/api.ts';
import { rememberAsGiven } from './http/as-given.ts';
import { describeRoutes } from './http/description.ts';
import { registerDocumentStorage } from './documents/document-storage.ts';
import { answerFailure } from './http/failure.ts';
import { inWordsOfSeed } from './http/refusal-words.ts';
import { refuseForeignPages } from './http/foreign-pages.ts';
import { registerPage } from './http/page.ts';
import { registerStorage } from './documents/storage.ts';
import { readJson } from './core/json.ts';
import { invalidField, notFound, Refusal } from './core/refusal.ts';
import { startWorld } from './state/start-world.ts';
import type { World } from './core/world.ts';

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
 * @throws Error when the port is taken, or the accounts are not distinct; StateFileError when the state file cannot be used
 */
export async function startSandbox(options: Partial<SandboxOptions> = {}): Promise<RunningSandbox> {
  const all = { ...defaultOptions, ...options };
  const { world, catchUp } = startWorld(all);
  const app = await buildServer(world);
  try {
    catchUp();
    await app.listen({ port: all.port, host: all.host });
  } catch (error) {
    world.close();
    await app.close();
    throw error;
  }
  const { port } = app.server.address() as AddressInfo;
  const host = all.host === '0.0.0.0' || all.host === '::' ? '127.0.0.1' : all.host;
  world.sendWaiting();
  world.url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    url: world.url,
    port,
    advance: (byMs) => world.advance(byMs),
    ledger: (apiKey) => {
      const account = apiKey === undefined ? world.firstAccount() : world.account(apiKey);
      if (!account) throw notFound('an account with this key');
      return world.perform(null, () => ledgerReport(account));
    },
    close: async () => {
      world.close();
      await app.close();
    },
  };
}

async function buildServer(world: World): Promise<FastifyInstance> {
  const app = fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    bodyLimit: 1_048_576,
    // An id of any length is one that does not exist.
    routerOptions: { maxParamLength: 65_536 },
    frameworkErrors: (error, _request, reply) => void answerFailure(error, reply),
  });
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      const body = readJson(Buffer.from(bytes));
      // Validation is given null for no body at all, so that a written null has to be told apart here.
      done(body === null ? invalidField('body', 'must not be null') : null, body);
    } catch {
      done(invalidField('body', 'is not JSON'));
    }
  });
  if (world.keepsState) rememberAsGiven(app);
  app.setValidatorCompiler(({ schema, httpPart }) => (value: unknown) => {
    const result = (schema as z.ZodType).safeParse(value ?? undefined);
    return result.success ? { value: result.data } : { error: fieldRefusal(result.error, httpPart ?? 'request') };
  });
  // Answers are written by the sandbox itself, exactly; schemas of answers describe them only.
  app.setSerializerCompiler(() => (body: unknown) => JSON.stringify(body));
  app.setErrorHandler((error, _request, reply) => answerFailure(error, reply));
  const allowedMethods = noteAllowedMethods(app);
  await describeRoutes(app, world.options);
  const { answers, seed } = world.options;
  await app.register((scope, _none, done) => {
    if (answers === 'drawn') {
      scope.setErrorHandler((error, _request, reply) =>
        answerFailure(error, reply, (refusal) => inWordsOfSeed(seed, refusal)),
      );
    }
    registerApi(scope, world, allowedMethods);
    done();
  });
  for (const registerRoutes of [registerStorage, registerDocumentStorage]) {
    await app.register((scope, _none, done) => {
      registerRoutes(scope, world);
      done();
    });
  }
  await app.register((scope, _none, done) => {
    refuseForeignPages(scope, world);
    registerPage(scope);
    addPageCalls(scope, world);
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
