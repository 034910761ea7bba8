import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Session } from '../../api/users/session.ts';
import { TokenHash } from '../../store/users/token-hash.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { begin, comeBack, CompanyConsole, type Cookies, signInAtProvider } from './company-console.ts';
import { ConsoleBrowser } from './console-browser.ts';

/** What a sign-in of a company allows soon after it: not what one of long ago does, of which the company asks nothing today. */

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

describe('a change that takes a sign-in of the last 15 minutes', () => {
  const makeToken = async (browser: ConsoleBrowser) =>
    (await browser.send('POST', '/tokens', { body: { label: 'mine', validDays: 730 } })).statusCode;
  const mayChangeUntil = async (browser: ConsoleBrowser) =>
    (await browser.send('GET', '/session')).json<Session>().mayChangeSignIn.until;

  /** What the provider keeps in a browser in which the user has signed in there an hour ago. */
  async function signedInAnHourAgo(subject: string): Promise<Cookies> {
    const cookies: Cookies = new Map();
    const url = await begin(new ConsoleBrowser(company.app));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    try {
      await signInAtProvider(url, subject, cookies);
    } finally {
      vi.useRealTimers();
    }
    return cookies;
  }

  test('is refused where the company has asked nothing, because the user had signed in there before', async () => {
    await company.connect(mia, `mia-${users}`);
    const cookies = await signedInAnHourAgo(`mia-${users}`);
    const browser = new ConsoleBrowser(company.app);
    const callback = await signInAtProvider(await begin(browser), null, cookies);
    expect(await comeBack(browser, callback)).toEqual({ status: 302, location: '/runs' });
    expect((await browser.send('GET', '/me')).json()).toMatchObject({ userId: mia.userId });
    expect(await mayChangeUntil(browser)).toBeNull();
    expect(await makeToken(browser)).toBe(409);
  });

  test('is made once the user has signed in there again', async () => {
    await company.connect(mia, `mia-${users}`);
    const cookies = await signedInAnHourAgo(`mia-${users}`);
    const browser = new ConsoleBrowser(company.app);
    const again = await begin(browser, '/account', true);
    await expect(signInAtProvider(again, null, new Map(cookies))).rejects.toThrow('asks for something: login');
    const callback = await signInAtProvider(again, `mia-${users}`, cookies);
    expect(await comeBack(browser, callback)).toEqual({ status: 302, location: '/account' });
    expect(await mayChangeUntil(browser)).not.toBeNull();
    expect(await makeToken(browser)).toBe(201);
  });

  const seconds = () => Math.floor(Date.now() / 1_000);
  test.each<[string, () => object, string | undefined]>([
    ['made after a sign-in just now', () => ({ auth_time: seconds() }), undefined],
    ['refused after one of an hour ago', () => ({ auth_time: seconds() - 3_600 }), 'conflict'],
    ['refused if the company does not say when that was', () => ({}), 'conflict'],
    ['refused if it says that in words', () => ({ auth_time: 'just now' }), 'conflict'],
    ['refused if that is still to come', () => ({ auth_time: seconds() + 3_600 }), 'conflict'],
    ['refused if that is no time', () => ({ auth_time: 1e300 }), 'conflict'],
  ])('is %s', async (_what, times, refused) => {
    await company.connect(mia, `mia-${users}`);
    const { idToken, request } = await aSignedToken(mia, times());
    const call = async (text: string, ...values: unknown[]) =>
      (await company.testDatabase.asServer.query<{ answer: object }>(`select ${text} as answer`, values)).rows[0]
        ?.answer;
    const tokenHash = TokenHash.of(`token hash of ${mia.userId}`).bytes;
    const signedIn = await call('sign_in_with_id_token($1, $2, $3, null, null)', idToken, request, tokenHash);
    expect(signedIn).toMatchObject({ userId: mia.userId });
    const made = await call(`issue_token($1, 'x'::bytea || $1, 'mine', now() + interval '1 day', '{read}')`, tokenHash);
    expect((made as { refused?: string }).refused).toBe(refused);
  });
});

describe('a policy that requires how the company has asked', () => {
  const follow = (companySignIn: object | null) =>
    company.testDatabase.database.query(
      `insert into policies (policy) select current_policy() - 'companySignIn' || case when $1::jsonb = 'null' then '{}'
         else jsonb_build_object('companySignIn', $1::jsonb) end`,
      [JSON.stringify(companySignIn)],
    );
  afterEach(() => follow(null));

  async function answerTo(claims: object): Promise<{ refused?: string; message?: string; userId?: string }> {
    const { idToken, request } = await aSignedToken(mia, claims);
    const { rows } = await company.testDatabase.asServer.query<{ answer: object }>(
      'select sign_in_with_id_token($1, $2, $3, null, null) as answer',
      [idToken, request, randomBytes(32)],
    );
    return rows[0]?.answer ?? {};
  }

  test.each<[string, object, object, boolean]>([
    ['one of its acr', { acr: ['phr', 'phrh'] }, { acr: 'phrh' }, true],
    ['another acr', { acr: ['phr', 'phrh'] }, { acr: 'pwd' }, false],
    ['no acr', { acr: ['phr'] }, {}, false],
    ['its acr in a list', { acr: ['phr'] }, { acr: ['phr'] }, false],
    ['all of its amr', { amr: ['mfa', 'hwk'] }, { amr: ['hwk', 'pwd', 'mfa'] }, true],
    ['one of its amr', { amr: ['mfa', 'hwk'] }, { amr: ['mfa'] }, false],
    ['its amr as a text', { amr: ['mfa'] }, { amr: 'mfa' }, false],
    ['no amr', { amr: ['mfa'] }, { acr: 'mfa' }, false],
    ['acr without amr', { acr: ['phr'], amr: ['mfa'] }, { acr: 'phr' }, false],
    ['both', { acr: ['phr'], amr: ['mfa'] }, { acr: 'phr', amr: ['mfa'] }, true],
  ])('is answered by %s', async (_what, required, claims, isTaken) => {
    await company.connect(mia, `mia-${users}`);
    await follow(required);
    expect((await answerTo(claims)).refused).toBe(isTaken ? undefined : 'not_allowed');
  });

  test('says what was missing, and leaves the refusal in the audit trail', async () => {
    await company.connect(mia, `mia-${users}`);
    await follow({ acr: ['phr', 'phrh'], amr: ['mfa'] });
    expect(await answerTo({ amr: ['pwd'] })).toEqual({
      refused: 'not_allowed',
      message:
        'the sign-in of the company has not asked for what the policy requires: acr "phr" or "phrh" and amr "mfa"',
    });
    const { rows } = await company.testDatabase.database.query(
      `select detail from audit_entries where kind = 'refused' and detail ->> 'why' = 'company_sign_in' order by entry_id desc limit 1`,
    );
    expect(rows).toMatchObject([{ detail: { amr: ['pwd'], acr: null } }]);
  });

  test('is told to the company with the request, and a browser that comes back without it is told so', async () => {
    await company.connect(mia, `mia-${users}`);
    await follow({ acr: ['phr', 'phrh'] });
    const browser = new ConsoleBrowser(company.app);
    const url = await begin(browser);
    expect(new URL(url).searchParams.get('acr_values')).toBe('phr phrh');
    const callback = await signInAtProvider(url, `mia-${users}`);
    expect(await comeBack(browser, callback)).toMatchObject({ location: '/sign-in#error=not_allowed' });
    expect(browser.cookies.has('payrun_session')).toBe(false);
  });
});

/** An id token for the identity that the user has connected, signed with a further key of the provider. */
async function aSignedToken(user: TestUser, claims: object): Promise<{ idToken: string; request: Buffer }> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const kid = `of ${user.userId}`;
  await company.testDatabase.asWorker.query(
    'insert into identity_keys (issuer, audience, key_id, modulus, exponent) values ($1, $2, $3, $4, $5)',
    [
      company.provider.issuer,
      company.provider.clientId,
      kid,
      Buffer.from(n, 'base64url'),
      Buffer.from(e, 'base64url').readUIntBE(0, 3),
    ],
  );
  const { rows } = await company.testDatabase.database.query<{ subject: string }>(
    'select subject from user_identities where user_id = $1',
    [user.userId],
  );
  const request = randomBytes(32);
  const nonce = createHash('sha256').update('nonce').update(request).digest('hex');
  const standard = { iss: company.provider.issuer, aud: company.provider.clientId, sub: rows[0]?.subject, nonce };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1_000) + 600;
  const signed = `${part({ alg: 'RS256', kid })}.${part({ ...standard, exp, ...claims })}`;
  return { idToken: `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`, request };
}
