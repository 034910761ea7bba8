import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { Session } from '../../api/users/session.ts';
import { installLink } from '../../store/users/owner-users.ts';
import { startIdentityKeyWatch } from '../../workers/identity-key-watch.ts';
import { type IdentityProvider, startIdentityProvider } from '../helpers/identity-provider.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aConsoleServer, ConsoleBrowser, CONSOLE_ORIGIN } from './console-browser.ts';

/** A server on a real database, with a real provider of OpenID Connect whose keys a worker has read. */
export class CompanyConsole {
  readonly testDatabase: TestDatabase;
  readonly provider: IdentityProvider;
  readonly app: FastifyInstance;

  private constructor(testDatabase: TestDatabase, provider: IdentityProvider, app: FastifyInstance) {
    this.testDatabase = testDatabase;
    this.provider = provider;
    this.app = app;
  }

  static async start(): Promise<CompanyConsole> {
    const testDatabase = await createTestDatabase();
    const provider = await startIdentityProvider(CONSOLE_ORIGIN);
    const { issuer, clientId, clientSecret } = provider;
    const app = aConsoleServer(testDatabase, { companySignIn: { issuer, clientId, clientSecret, name: 'Example' } });
    const watch = startIdentityKeyWatch({
      database: testDatabase.asWorker,
      issuer: { issuer, audience: clientId },
      warn: (message) => {
        throw new Error(message);
      },
    });
    await watch.stop();
    return new CompanyConsole(testDatabase, provider, app);
  }

  async stop(): Promise<void> {
    await this.app.close();
    this.provider.close();
    await this.testDatabase.drop();
  }

  async browserOf(user: TestUser): Promise<ConsoleBrowser> {
    const own = new ConsoleBrowser(this.app);
    await own.signInByLink(await installLink(this.testDatabase.url, user.login, Date.now));
    return own;
  }

  /** Connects the subject at the provider with the user. */
  async connect(user: TestUser, subject: string): Promise<void> {
    const browser = await this.browserOf(user);
    const { url } = (await browser.send('POST', '/session/identity')).json<{ url: string }>();
    expect(await comeBack(browser, await signInAtProvider(url, subject))).toEqual({ status: 302, location: '/' });
    expect((await browser.send('GET', '/session')).json<Session>().hasIdentity).toBe(true);
  }
}

/** The address at the provider to which the browser is sent. `again`: to be asked there who it is. */
export async function begin(browser: ConsoleBrowser, to = '/runs', again = false): Promise<string> {
  const query = new URLSearchParams({ to, ...(again ? { again: 'true' } : {}) });
  const response = await browser.sendAs({}, 'GET', `/session/oidc?${query.toString()}`);
  expect(response.statusCode).toBe(302);
  return String(response.headers.location);
}

/** As the browser comes back: from another site, with the lax cookie alone. */
export async function comeBack(
  browser: ConsoleBrowser,
  callback: string,
): Promise<{ status: number; location: unknown }> {
  const strict = browser.cookies.get('payrun_session');
  browser.cookies.delete('payrun_session');
  const response = await browser.sendAs({ 'sec-fetch-site': 'cross-site' }, 'GET', callback);
  if (strict !== undefined && !browser.cookies.has('payrun_session')) browser.cookies.set('payrun_session', strict);
  return { status: response.statusCode, location: response.headers.location };
}

export type Cookies = Map<string, string>;

/**
 * What a person does in the browser at the provider: signs in as `subject`, and agrees. Returns where it sends them back. `cookies`: what
 * the provider keeps in the browser. `subject` null: they do nothing; it is an error if the provider asks who they are.
 */
export async function signInAtProvider(
  url: string,
  subject: string | null,
  cookies: Cookies = new Map(),
): Promise<string> {
  let next = url;
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 12; step += 1) {
    if (next.startsWith(CONSOLE_ORIGIN)) return next;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response: Response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === null ? {} : { method: 'POST', body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    form = null;
    const location = response.headers.get('location');
    if (location !== null) {
      next = new URL(location, next).href;
      continue;
    }
    const page = await response.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    if (action === undefined) throw new Error(`the provider shows no form: ${page.slice(0, 500)}`);
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1] ?? '';
    if (subject === null) throw new Error(`the provider asks for something: ${prompt}`);
    form = new URLSearchParams(prompt === 'login' ? { prompt, login: subject, password: 'any' } : { prompt });
    next = new URL(action, next).href;
  }
  throw new Error('the provider sends nobody back');
}
