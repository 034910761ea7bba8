import { Writable } from 'node:stream';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Role } from '../../domain/users/role.ts';
import { type AppOptions, buildApp } from '../../server/app.ts';
import { type WebhookAccount, webhookAccount } from '../../server/webhooks/webhook-tokens.ts';
import { type RunningServer, startServer } from '../../server/listen.ts';
import { FakeApplication, TOKENS } from './fake-application.ts';

export const WEBHOOK_TOKEN = 'webhook-token-0123456789';

interface Setup {
  application: FakeApplication;
  options: AppOptions;
  /** Every line that was logged so far. */
  logged: () => string;
}

export const aWebhookAccount = (parts: Partial<Parameters<typeof webhookAccount>[0]> = {}): WebhookAccount =>
  webhookAccount({ name: 'default', tokens: [WEBHOOK_TOKEN], headers: {}, perMinute: 60_000, ...parts });

function setUp(fields: Partial<AppOptions>): Setup {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const application = new FakeApplication();
  const options: AppOptions = {
    application,
    webhookAccounts: [aWebhookAccount(), aWebhookAccount({ name: 'subsidiary', tokens: ['another-webhook-token'] })],
    log: pino({ level: 'trace' }, sink),
    version: '1.2.3',
    temporalUiUrl: 'http://127.0.0.1:8233',
    ...fields,
  };
  return { application, options, logged: () => lines.join('') };
}

export interface TestApp extends Setup {
  app: FastifyInstance;
  /** A request with a token of the role; null: without any. */
  as: (role: Role | null, request: InjectOptions) => Promise<LightMyRequestResponse>;
}

/**
 * The application over a fake application, called without a port. It is closed when the test has finished, or, for tests that
 * change nothing and share it, `afterAll` of them.
 */
export function anApp(
  fields: Partial<AppOptions> = {},
  whenDone: (close: () => Promise<void>) => void = onTestFinished,
): TestApp {
  const setup = setUp(fields);
  const app = buildApp(setup.options);
  whenDone(() => app.close());
  const as = (role: Role | null, request: InjectOptions) => {
    const authorization = role === null ? {} : { authorization: `Bearer ${TOKENS[role]}` };
    return app.inject({ ...request, headers: { ...authorization, ...request.headers } });
  };
  return { ...setup, app, as };
}

/** The same behind a real port. */
export async function aServer(fields: Partial<AppOptions> = {}): Promise<Setup & { server: RunningServer }> {
  const setup = setUp(fields);
  const server = await startServer({ ...setup.options, host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  return { ...setup, server };
}

/** The body of a form, as `inject` wants it. */
export async function formRequest(form: FormData): Promise<{ payload: Buffer; headers: Record<string, string> }> {
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? '';
  return { payload: Buffer.from(await encoded.arrayBuffer()), headers: { 'content-type': contentType } };
}
