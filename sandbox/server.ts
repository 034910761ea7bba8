import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { drawRefusalWording } from './answers/refusal-wording.ts';
import { defaultOptions, type SandboxOptions } from './config/options.ts';
import { addFaultControls } from './control/fault-controls.ts';
import { addForceControl } from './control/force-control.ts';
import { addLedgerControls } from './control/ledger-controls.ts';
import { type LedgerReport, ledgerReport } from './control/ledger-report.ts';
import { addOperatorControls } from './control/operator-controls.ts';
import { addPageControls } from './control/page-controls.ts';
import { refuseForeignOrigins } from './control/refuse-foreign-origins.ts';
import { addSimulationControls } from './control/simulation-controls.ts';
import { addUserControls } from './control/user-controls.ts';
import { addWebhookControls } from './control/webhook-controls.ts';
import { readJson } from './core/json.ts';
import { invalidField, notFound, Refusal } from './core/refusal.ts';
import { registerDocumentStorage } from './documents/document-storage.ts';
import { registerSupportingFileStorage } from './documents/supporting-file-storage.ts';
import { collectAllowedMethods } from './http/allowed-methods.ts';
import { registerApi } from './http/api.ts';
import { answerFailure } from './http/failure.ts';
import { describeRoutes } from './http/openapi.ts';
import { registerPage } from './http/page.ts';
import { rememberRawRequests } from './http/raw-request.ts';
import { startWorld } from './state/start-world.ts';
import type { World } from './world.ts';

export interface RunningSandbox {
  readonly url: string;
  readonly port: number;
  /** Moves the clock, as the control call does. */
  advance(byMs: number): void;
  /** The answer of the control call `ledger` for an API key; without one for the first. @throws Refusal */
  ledger(apiKey?: string): LedgerReport;
  /** Stops listening, closes open connections, and cancels all scheduled events. */
  close(): Promise<void>;
}

/**
 * Starts the simulated provider. Options that are not given have their defaults; the default port is any free one.
 * @throws Error when the port is taken, or the accounts are not distinct; StateFileError when the state file cannot be used
 */
export async function startSandbox(options: Partial<SandboxOptions> = {}): Promise<RunningSandbox> {
  const all = { ...defaultOptions, ...options };
  const { world, restore } = startWorld(all);
  const app = await buildServer(world);
  try {
    restore();
    await app.listen({ port: all.port, host: all.host });
  } catch (error) {
    world.close();
    await app.close();
    throw error;
  }
  const { port } = app.server.address() as AddressInfo;
  const host = all.host === '0.0.0.0' || all.host === '::' ? '127.0.0.1' : all.host;
  world.resumeWebhooks();
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
    // An id of any length is answered with 404.
    routerOptions: { maxParamLength: 65_536 },
    frameworkErrors: (error, _request, reply) => void answerFailure(error, reply),
  });
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      const body = readJson(Buffer.from(bytes));
      // Validation receives null for a missing body, so that an explicit null has to be refused here.
      done(body === null ? invalidField('body', 'must not be null') : null, body);
    } catch {
      done(invalidField('body', 'is not JSON'));
    }
  });
  if (world.keepsState) rememberRawRequests(app);
  app.setValidatorCompiler(({ schema, httpPart }) => (value: unknown) => {
    const result = (schema as z.ZodType).safeParse(value ?? undefined);
    return result.success ? { value: result.data } : { error: fieldRefusal(result.error, httpPart ?? 'request') };
  });
  // The sandbox serializes its answers itself, exactly; the schemas of answers only describe them.
  app.setSerializerCompiler(() => (body: unknown) => JSON.stringify(body));
  app.setErrorHandler((error, _request, reply) => answerFailure(error, reply));
  const allowedMethods = collectAllowedMethods(app);
  await describeRoutes(app, world.options);
  const { answers, seed } = world.options;
  await app.register((scope, _none, done) => {
    if (answers === 'seeded') {
      scope.setErrorHandler((error, _request, reply) =>
        answerFailure(error, reply, (refusal) => drawRefusalWording(seed, refusal)),
      );
    }
    registerApi(scope, world, allowedMethods);
    done();
  });
  for (const registerRoutes of [registerSupportingFileStorage, registerDocumentStorage]) {
    await app.register((scope, _none, done) => {
      registerRoutes(scope, world);
      done();
    });
  }
  await app.register((scope, _none, done) => {
    refuseForeignOrigins(scope, world);
    registerPage(scope);
    addPageControls(scope, world);
    addLedgerControls(scope, world);
    addForceControl(scope, world);
    addOperatorControls(scope, world);
    addUserControls(scope, world);
    addWebhookControls(scope, world);
    addFaultControls(scope, world);
    addSimulationControls(scope, world);
    scope.get('/__sandbox/openapi.json', { schema: { hide: true } }, () => app.swagger());
    done();
  });
  return app;
}

/** One message with every wrong field, without the values, which may be bank details. */
function fieldRefusal(error: z.ZodError, part: string): Refusal {
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || part}: ${message}`);
  return new Refusal(400, 'validation_failed', problems.join('; '));
}
