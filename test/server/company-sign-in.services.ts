import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '../../api/users/session.ts';
import { TokenHash } from '../../store/users/token-hash.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { begin, comeBack, CompanyConsole, signInAtProvider } from './company-console.ts';
import { ConsoleBrowser } from './console-browser.ts';

/** The sign-in of a company, with a real provider of OpenID Connect and a worker that reads its keys. */

let company: CompanyConsole;
let users = 0;
let mia: TestUser;

beforeAll(async () => {
  company = await CompanyConsole.start();
});
afterAll(() => company.stop());
beforeEach(async () => {
  users += 1;
  mia = await aUser(company.testDatabase, `Mia ${users}`, 'maker');
});

describe('the sign-in of the company', () => {
  test('signs in the user who has connected it, and leads back to where they were', async () => {
    await company.connect(mia, `mia-${users}`);
    const browser = new ConsoleBrowser(company.app);
    const callback = await signInAtProvider(await begin(browser, '/runs?state=paused'), `mia-${users}`);
    expect(await comeBack(browser, callback)).toEqual({ status: 302, location: '/runs?state=paused' });
    expect((await browser.send('GET', '/session')).json<Session>()).toMatchObject({
      method: 'oidc',
      user: { userId: mia.userId },
    });
  });

  test('signs nobody in whom no user has connected', async () => {
    const browser = new ConsoleBrowser(company.app);
    const callback = await signInAtProvider(await begin(browser), `stranger-${users}`);
    expect(await comeBack(browser, callback)).toEqual({ status: 302, location: '/sign-in#error=unauthenticated' });
    expect(browser.cookies.has('payrun_session')).toBe(false);
  });

  test('signs nobody in twice by one answer, nor another browser by it', async () => {
    await company.connect(mia, `mia-${users}`);
    const browser = new ConsoleBrowser(company.app);
    const callback = await signInAtProvider(await begin(browser), `mia-${users}`);
    const victim = new ConsoleBrowser(company.app);
    await begin(victim);
    expect(await comeBack(victim, callback)).toMatchObject({ location: '/sign-in#error=unauthenticated' });
    expect(await comeBack(new ConsoleBrowser(company.app), callback)).toMatchObject({
      location: '/sign-in#error=expired',
    });
    expect(await comeBack(browser, callback)).toMatchObject({ location: '/runs' });
    expect(await comeBack(browser, callback)).toMatchObject({ location: '/sign-in#error=expired' });
  });

  test('connects an identity with one user', async () => {
    await company.connect(mia, `mia-${users}`);
    const sam = await aUser(company.testDatabase, `Sam ${users}`, 'viewer');
    const browser = await company.browserOf(sam);
    const { url } = (await browser.send('POST', '/session/identity')).json<{ url: string }>();
    const callback = await signInAtProvider(url, `mia-${users}`);
    expect(await comeBack(browser, callback)).toMatchObject({ location: '/sign-in#error=conflict' });
  });

  test('that is disconnected ends the tokens and the other sessions of its user', async () => {
    const { token } = mia;
    await company.connect(mia, `mia-${users}`);
    const [browser, other] = [new ConsoleBrowser(company.app), new ConsoleBrowser(company.app)];
    for (const each of [browser, other]) {
      await comeBack(each, await signInAtProvider(await begin(each), `mia-${users}`));
    }
    const tokenAnswers = async () =>
      (await company.app.inject({ url: '/api/v1/me', headers: { authorization: `Bearer ${token}` } })).statusCode;
    expect([await tokenAnswers(), (await other.send('GET', '/me')).statusCode]).toEqual([200, 200]);
    expect((await browser.send('DELETE', '/session/identity')).statusCode).toBe(204);
    expect([await tokenAnswers(), (await other.send('GET', '/me')).statusCode]).toEqual([401, 401]);
    expect((await browser.send('GET', '/me')).statusCode).toBe(200);
  });

  test('ends with its user, and leads to no other site', async () => {
    await company.connect(mia, `mia-${users}`);
    await company.testDatabase.database.query('update users set disabled_at = now() where user_id = $1', [mia.userId]);
    const browser = new ConsoleBrowser(company.app);
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
    await company.connect(mia, `mia-${users}`);
    const { rows } = await company.testDatabase.database.query<{ key_id: string; subject: string }>(
      'select key_id, subject from identity_keys, user_identities where user_id = $1',
      [mia.userId],
    );
    const [known] = rows;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const request = Buffer.alloc(32, 7);
    const nonce = TokenHash.of(`nonce${request.toString('latin1')}`).bytes.toString('hex');
    const claims = {
      iss: company.provider.issuer,
      aud: company.provider.clientId,
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
      const { rows: answers } = await company.testDatabase.asServer.query<{ answer: object }>(
        `select sign_in_with_id_token($1, $2, 'x', null, null) as answer`,
        [token, request],
      );
      expect(answers).toMatchObject([{ answer: { refused: 'unauthenticated' } }]);
    }
  });

  test('is verified by keys that no server can write', async () => {
    const insert = `insert into identity_keys (issuer, audience, key_id, modulus, exponent) values ('a', 'b', 'c', 'd', 3)`;
    await expect(company.testDatabase.asServer.query(insert)).rejects.toThrow('permission denied');
    const sign = `select sign_in_with_id_token('', 'x', 'x', null, null)`;
    await expect(company.testDatabase.asWorker.query(sign)).rejects.toThrow('permission denied');
  });

  test.each([2_048, 3_072, 4_096])(
    'of an RSA key of %i bits is verified as OpenSSL signs it',
    async (modulusLength) => {
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
      const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
      const message = Buffer.from('header.payload');
      const holds = async (text: Buffer, signature: Buffer) => {
        const exponent = Buffer.from(e, 'base64url');
        const { rows } = await company.testDatabase.database.query<{ holds: boolean }>(
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
