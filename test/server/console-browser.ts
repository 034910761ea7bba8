import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { createApplication } from '../../application/create-application.ts';
import { buildApp } from '../../server/app.ts';
import { SignInDelay } from '../../server/users/sign-in-delay.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import type { TestDatabase } from '../helpers/test-database.ts';

export const CONSOLE_ORIGIN = 'http://localhost:8700';

/** A server on a real database, without Temporal: what only signs in and decides needs none. */
export function aConsoleServer(
  { asServer }: TestDatabase,
  parts: Partial<ApplicationDependencies> & { publicUrl?: string } = {},
): FastifyInstance {
  const { publicUrl, ...dependencies } = parts;
  const application = createApplication({
    database: asServer,
    accounts: [],
    dataKeys: TEST_DATA_KEYS,
    now: Date.now,
    ...dependencies,
  } as unknown as ApplicationDependencies);
  return buildApp({
    application,
    webhookAccounts: [],
    log: false,
    version: '1.2.3',
    temporalUiUrl: null,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    signInDelay: new SignInDelay(Date.now, () => Promise.resolve()),
  });
}

interface Sent {
  body?: object;
  headers?: Record<string, string>;
}

/** What a browser does with cookies, and says of where a request comes from. */
export class ConsoleBrowser {
  readonly cookies = new Map<string, string>();
  readonly #app: FastifyInstance;

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  get secret(): string {
    const secret = this.cookies.get('payrun_session');
    if (secret === undefined) throw new Error('the browser has no session');
    return secret;
  }

  /** A request of the console's own script. */
  async send(method: 'GET' | 'POST' | 'DELETE', path: string, sent: Sent = {}): Promise<LightMyRequestResponse> {
    return this.sendAs(
      { origin: CONSOLE_ORIGIN, 'sec-fetch-site': 'same-origin', 'x-payrun-console': '1' },
      method,
      path,
      sent,
    );
  }

  /** A request with the cookies and only these headers of their own. */
  async sendAs(
    headers: Record<string, string>,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { body, headers: more }: Sent = {},
  ): Promise<LightMyRequestResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await this.#app.inject({
      method,
      url: path.startsWith('http') ? path : `${CONSOLE_ORIGIN}/api/v1${path}`,
      headers: { host: 'localhost:8700', ...headers, ...more, ...(cookie === '' ? {} : { cookie }) },
      ...(body === undefined ? {} : { payload: body }),
    });
    for (const { name, value, maxAge, expires } of response.cookies) {
      if (maxAge === 0 || (expires !== undefined && expires.getTime() < Date.now())) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  signInByLink(code: string): Promise<LightMyRequestResponse> {
    return this.send('POST', '/session', { body: { link: code } });
  }

  signIn(login: string, password: string): Promise<LightMyRequestResponse> {
    return this.send('POST', '/session', { body: { login, password } });
  }
}
