import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '../../api/users/session.ts';
import { installLink } from '../../store/users/owner-users.ts';
import { TokenProof } from '../../store/users/token-proof.ts';
import { startIdentityKeyWatch } from '../../workers/identity-key-watch.ts';
import { type IdentityProvider, startIdentityProvider } from '../helpers/identity-provider.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aConsoleServer, ConsoleBrowser, CONSOLE_ORIGIN } from './console-browser.ts';

/** The sign-in of a company, with a real provider of OpenID Connect and a worker that reads its keys. */

let testDatabase: TestDatabase;
let app: FastifyInstance;
let provider: IdentityProvider;
let users = 0;
let mia: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  provider = await startIdentityProvider(CONSOLE_ORIGIN);
  const { issuer, clientId, clientSecret } = provider;
  app = aConsoleServer(testDatabase, { companySignIn: { issuer, clientId, clientSecret, name: 'Example' } });
  const watch = startIdentityKeyWatch({
    database: testDatabase.asWorker,
    issuer: { issuer, audience: clientId },
    warn: (message) => {
      throw new Error(message);
    },
  });
  await watch.stop();
});
afterAll(async () => {
  await app.close();
  provider.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  users += 1;
  mia = await aUser(testDatabase, `Mia ${users}`, 'maker');
});

/** What a person does in the browser at the provider: signs in as `subject`, and agrees. Returns where it sends them back. */
async function signInAtProvider(url: string, subject: string): Promise<string> {
  const cookies = new Map<string, string>();
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
    form = new URLSearchParams(prompt === 'login' ? { prompt, login: subject, password: 'any' } : { prompt });
    next = new URL(action, next).href;
  }
  throw new Error('the provider sends nobody back');
}

async function aBrowserOf(user: TestUser): Promise<ConsoleBrowser> {
  const own = new ConsoleBrowser(app);
  await own.signInByLink(await installLink(testDatabase.url, user.login, Date.now));
  return own;
}

/** As the browser comes back: from another site, with the lax cookie alone. */
async function comeBack(browser: ConsoleBrowser, callback: string): Promise<{ status: number; location: unknown }> {
  const strict = browser.cookies.get('payrun_session');
  browser.cookies.delete('payrun_session');
  const response = await browser.sendAs({ 'sec-fetch-site': 'cross-site' }, 'GET', callback);
  if (strict !== undefined && !browser.cookies.has('payrun_session')) browser.cookies.set('payrun_session', strict);
  return { status: response.statusCode, location: response.headers.location };
}

/** Connects the subject at the provider with the user. */
async function connect(user: TestUser, subject: string): Promise<void> {
  const browser = await aBrowserOf(user);
  const { url } = (await browser.send('POST', '/session/identity')).json<{ url: string }>();
  expect(await comeBack(browser, await signInAtProvider(url, subject))).toEqual({ status: 302, location: '/' });
  expect((await browser.send('GET', '/session')).json<Session>().hasIdentity).toBe(true);
}

async function begin(browser: ConsoleBrowser, to = '/runs'): Promise<string> {
  const response = await browser.sendAs({}, 'GET', `/session/oidc?to=${encodeURIComponent(to)}`);
  expect(response.statusCode).toBe(302);
  return String(response.headers.location);
}

describe('the sign-in of the company', () => {
  test('signs in the user who has connected it, and leads back to where they were', async () => {
    await connect(mia, `mia-${users}`);
    const browser = new ConsoleBrowser(app);
    const callback = await signInAtProvider(await begin(browser, '/runs?state=paused'), `mia-${users}`);
    expect(await comeBack(browser, callback)).toEqual({ status: 302, location: '/runs?state=paused' });
    expect((await browser.send('GET', '/session')).json<Session>()).toMatchObject({
      method: 'oidc',
      user: { userId: mia.userId },
    });
  });

  test('signs nobody in whom no user has connected', async () => {
    const browser = new ConsoleBrowser(app);
    const callback = await signInAtProvider(await begin(browser), `stranger-${users}`);
    expect(await comeBack(browser, callback)).toEqual({ status: 302, location: '/sign-in#error=unauthenticated' });
    expect(browser.cookies.has('payrun_session')).toBe(false);
  });

  test('signs nobody in twice by one answer, nor another browser by it', async () => {
    await connect(mia, `mia-${users}`);
    const browser = new ConsoleBrowser(app);
    const callback = await signInAtProvider(await begin(browser), `mia-${users}`);
    const victim = new ConsoleBrowser(app);
    await begin(victim);
    expect(await comeBack(victim, callback)).toMatchObject({ location: '/sign-in#error=unauthenticated' });
    expect(await comeBack(new ConsoleBrowser(app), callback)).toMatchObject({ location: '/sign-in#error=expired' });
    expect(await comeBack(browser, callback)).toMatchObject({ location: '/runs' });
    expect(await comeBack(browser, callback)).toMatchObject({ location: '/sign-in#error=expired' });
  });

  test('connects an identity with one user', async () => {
    await connect(mia, `mia-${users}`);
    const sam = await aUser(testDatabase, `Sam ${users}`, 'viewer');
    const browser = await aBrowserOf(sam);
    const { url } = (await browser.send('POST', '/session/identity')).json<{ url: string }>();
    const callback = await signInAtProvider(url, `mia-${users}`);
    expect(await comeBack(browser, callback)).toMatchObject({ location: '/sign-in#error=conflict' });
  });

  test('ends with its user, and leads to no other site', async () => {
    await connect(mia, `mia-${users}`);
    await testDatabase.database.query('update users set disabled_at = now() where user_id = $1', [mia.userId]);
    const browser = new ConsoleBrowser(app);
    const callback = await signInAtProvider(await begin(browser), `mia-${users}`);
    expect(await comeBack(browser, callback)).toMatchObject({ location: '/sign-in#error=unauthenticated' });
    for (const to of ['https://evil.example', '//evil.example', '/\\evil.example']) {
      const response = await browser.sendAs({}, 'GET', `/session/oidc?to=${encodeURIComponent(to)}`);
      expect(response.statusCode).toBe(400);
    }
  });
});

describe('an id token', () => {
  test('that a server has made itself signs nobody in', async () => {
    await connect(mia, `mia-${users}`);
    const { rows } = await testDatabase.database.query<{ key_id: string; subject: string }>(
      'select key_id, subject from identity_keys, user_identities where user_id = $1',
      [mia.userId],
    );
    const [known] = rows;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const request = Buffer.alloc(32, 7);
    const nonce = TokenProof.of(`nonce${request.toString('latin1')}`).bytes.toString('hex');
    const claims = {
      iss: provider.issuer,
      aud: provider.clientId,
      sub: known?.subject,
      nonce,
      exp: Date.now() / 1000 + 600,
    };
    const forged = [
      `${part({ alg: 'RS256', kid: known?.key_id })}.${part(claims)}.${Buffer.alloc(256, 1).toString('base64url')}`,
      `${part({ alg: 'none', kid: known?.key_id })}.${part(claims)}.`,
      `${part({ alg: 'HS256', kid: known?.key_id })}.${part(claims)}.${'A'.repeat(43)}`,
      'no.token.at-all',
      '',
    ];
    for (const token of forged) {
      const { rows: answers } = await testDatabase.asServer.query<{ answer: object }>(
        `select sign_in_with_id_token($1, $2, 'x', null, null) as answer`,
        [token, request],
      );
      expect(answers).toMatchObject([{ answer: { refused: 'unauthenticated' } }]);
    }
  });

  test('is verified by keys that no server can write', async () => {
    const insert = `insert into identity_keys (issuer, audience, key_id, modulus, exponent) values ('a', 'b', 'c', 'd', 3)`;
    await expect(testDatabase.asServer.query(insert)).rejects.toThrow('permission denied');
    const sign = `select sign_in_with_id_token('', 'x', 'x', null, null)`;
    await expect(testDatabase.asWorker.query(sign)).rejects.toThrow('permission denied');
  });

  test.each([2_048, 3_072, 4_096])(
    'of an RSA key of %i bits is verified as OpenSSL signs it',
    async (modulusLength) => {
      const { generateKeyPairSync, sign } = await import('node:crypto');
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
      const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
      const message = Buffer.from('header.payload');
      const holds = async (text: Buffer, signature: Buffer) => {
        const exponent = Buffer.from(e, 'base64url');
        const { rows } = await testDatabase.database.query<{ holds: boolean }>(
          'select rsa_signature_holds($1, $2, $3, $4) as holds',
          [Buffer.from(n, 'base64url'), exponent.readUIntBE(0, exponent.length), text, signature],
        );
        return rows[0]?.holds;
      };
      const signature = sign('sha256', message, privateKey);
      expect(await holds(message, signature)).toBe(true);
      expect(await holds(Buffer.from('header.Payload'), signature)).toBe(false);
      expect(await holds(message, sign('sha512', message, privateKey))).toBe(false);
      signature[10] = (signature[10] ?? 0) ^ 1;
      expect(await holds(message, signature)).toBe(false);
    },
  );
});
