import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '../../api/users/session.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import { installLink } from '../../store/users/owner-users.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { RunsInApproval } from '../store/runs-in-approval.ts';
import { aConsoleServer, ConsoleBrowser, CONSOLE_ORIGIN } from './console-browser.ts';
import { SoftwarePasskey } from './software-passkey.ts';

/** Second factors, from the request of a browser to the approval in the database. */

let testDatabase: TestDatabase;
let app: FastifyInstance;
let runs: RunsInApproval;
let users = 0;
let checker: TestUser;
let browser: ConsoleBrowser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  app = aConsoleServer(testDatabase);
  runs = await RunsInApproval.of(testDatabase);
});
afterAll(async () => {
  await app.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  users += 1;
  checker = await aUser(testDatabase, `Chris ${users}`, 'checker');
  browser = await aBrowserOf(checker);
  await demandSecondFactor(true);
});

const execute = (statement: string, ...values: unknown[]) => testDatabase.database.query(statement, values);

/** Two steps, so that no run is started. */
async function demandSecondFactor(approvals: boolean): Promise<void> {
  const steps = [{ role: 'checker' }, { role: 'checker' }];
  const policy = {
    rules: [{ name: 'two', when: {}, steps }],
    changes: { delayHours: 72 },
    secondFactor: { approvals },
  };
  await execute('insert into policies (policy) values ($1)', JSON.stringify(policy));
}

async function aBrowserOf(user: TestUser): Promise<ConsoleBrowser> {
  const own = new ConsoleBrowser(app);
  await own.signInByLink(await installLink(testDatabase.url, user.login, Date.now));
  return own;
}

interface Subject {
  kind: 'run';
  id: string;
  contentHash: string;
  decision: 'approved';
}

async function aSubject(): Promise<Subject> {
  const { runId } = await runs.aRun(1);
  const contentHash = await readContentHash(testDatabase.asServer, runId);
  return { kind: 'run', id: runId, contentHash, decision: 'approved' };
}

const approve = (by: ConsoleBrowser, { id, contentHash }: Subject) =>
  by.send('POST', `/runs/${id}/approve`, { body: { contentHash } });

const codeOf = (response: LightMyRequestResponse) => response.json<{ error?: { code: string } }>().error?.code ?? null;

async function anApp(by = browser): Promise<TOTP> {
  const { secret } = (await by.send('POST', '/session/totp')).json<{ secret: string }>();
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const confirmed = await by.send('POST', '/session/totp/confirm', { body: { code: totp.generate() } });
  expect(confirmed.statusCode).toBe(204);
  return totp;
}

/** A code that was not used before: as if half a minute had passed. */
async function nextCode(totp: TOTP): Promise<string> {
  await execute('update totp_factors set last_step = last_step - 2');
  return totp.generate();
}

async function aPasskey(by = browser): Promise<SoftwarePasskey> {
  const passkey = new SoftwarePasskey(CONSOLE_ORIGIN);
  const begun = await by.send('POST', '/session/passkeys/options');
  const { options } = begun.json<{ options: Record<string, unknown> }>();
  const body = { label: 'my laptop', response: passkey.register(options) };
  expect((await by.send('POST', '/session/passkeys', { body })).statusCode).toBe(204);
  return passkey;
}

async function signed(passkey: SoftwarePasskey, subject: object, by = browser): Promise<Record<string, unknown>> {
  const begun = await by.send('POST', '/session/step-up/passkey-options', { body: { subject } });
  expect(begun.statusCode).toBe(200);
  return passkey.authenticate(begun.json<{ options: Record<string, unknown> }>().options);
}

const show = (subject: object, response: object, by = browser) =>
  by.send('POST', '/session/step-up/passkey', { body: { subject, response } });

describe('an approval, where the policy asks for a second factor', () => {
  test('is refused without one, and says which ones the user has', async () => {
    const subject = await aSubject();
    const refused = await approve(browser, subject);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      403,
      { error: { code: 'second_factor_needed', details: { subject, factors: [] } } },
    ]);
    await aPasskey();
    expect((await approve(browser, subject)).json()).toMatchObject({ error: { details: { factors: ['passkey'] } } });
    expect(await runs.stateOf(subject.id)).toBe('in_approval');
    expect((await execute('select from approvals where run_id = $1', subject.id)).rows).toEqual([]);
    expect(await runs.refusalsOf(subject.id)).toMatchObject([{ why: 'second_factor' }, { why: 'second_factor' }]);
  });

  test('needs none where the policy does not ask for it, nor does a rejection', async () => {
    const subject = await aSubject();
    const body = { contentHash: subject.contentHash, comment: 'wrong month' };
    const rejecting = await browser.send('POST', `/runs/${subject.id}/reject`, { body });
    expect(codeOf(rejecting)).not.toBe('second_factor_needed');
    expect(await runs.stateOf(subject.id)).toBe('rejected');
    await demandSecondFactor(false);
    expect((await approve(browser, await aSubject())).statusCode).toBe(200);
  });

  test('is recorded with a code of an app, once', async () => {
    const totp = await anApp();
    const subject = await aSubject();
    const code = await nextCode(totp);
    const before = browser.secret;
    expect((await browser.send('POST', '/session/step-up/totp', { body: { subject, code } })).statusCode).toBe(200);
    expect(browser.secret).not.toBe(before);
    expect((await approve(browser, subject)).json()).toMatchObject({ stepsTaken: 1, steps: 2 });
    // Neither the step-up nor the code counts again.
    const another = await aSubject();
    expect(codeOf(await approve(browser, another))).toBe('second_factor_needed');
    const again = await browser.send('POST', '/session/step-up/totp', { body: { subject: another, code } });
    expect(again.statusCode).toBe(400);
  });

  test('works the same by a token, for the command line', async () => {
    const totp = await anApp();
    const subject = await aSubject();
    const headers = { authorization: `Bearer ${checker.token}` };
    const post = (path: string, payload: object) =>
      app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload });
    const { contentHash } = subject;
    expect(codeOf(await post(`/runs/${subject.id}/approve`, { contentHash }))).toBe('second_factor_needed');
    expect((await post('/session/step-up/totp', { subject, code: await nextCode(totp) })).statusCode).toBe(200);
    // The session of the same user has shown nothing.
    expect(codeOf(await approve(browser, subject))).toBe('second_factor_needed');
    expect((await post(`/runs/${subject.id}/approve`, { contentHash })).statusCode).toBe(200);
  });

  test('is recorded with what a passkey has signed, which can be verified again', async () => {
    const passkey = await aPasskey();
    const subject = await aSubject();
    const shown = await show(subject, await signed(passkey, subject));
    expect(shown.statusCode).toBe(200);
    expect((await approve(browser, subject)).statusCode).toBe(200);
    const { rows } = await testDatabase.database.query<{ bound: boolean; used: boolean }>(
      `select used_at is not null as used,
         convert_from(client_data, 'UTF8')::jsonb ->> 'challenge' = rtrim(translate(encode(sha256(nonce
           || convert_to('payrun run ' || $1 || ' approved ' || $2, 'UTF8')), 'base64'), '+/', '-_'), '=') as bound
       from step_ups where subject_id = $1::uuid`,
      [subject.id, subject.contentHash],
    );
    expect(rows).toEqual([{ used: true, bound: true }]);
  });

  test('needs a signature for this run, this content and this decision', async () => {
    const passkey = await aPasskey();
    const subject = await aSubject();
    const another = await aSubject();
    const others = [another, { ...subject, contentHash: 'a'.repeat(64) }, { ...subject, id: another.id }];
    for (const other of others) {
      const answer = await signed(passkey, other);
      // What was signed for one is not shown for the other, and what was shown for it does not count for this.
      expect((await show(subject, answer)).statusCode).toBe(409);
      expect((await show(other, answer)).statusCode).toBe(200);
      expect(codeOf(await approve(browser, subject))).toBe('second_factor_needed');
    }
  });

  test('needs a signature that is new, of this session, and made on this site', async () => {
    const passkey = await aPasskey();
    const subject = await aSubject();
    const answer = await signed(passkey, subject);
    const elsewhere = await aBrowserOf(checker);
    expect((await show(subject, answer, elsewhere)).statusCode).toBe(409);
    expect((await show(subject, answer)).statusCode).toBe(200);
    expect((await show(subject, answer)).statusCode).toBe(409);
    expect(codeOf(await approve(elsewhere, subject))).toBe('second_factor_needed');
    const { options } = (await browser.send('POST', '/session/step-up/passkey-options', { body: { subject } })).json<{
      options: Record<string, unknown>;
    }>();
    expect((await show(subject, passkey.authenticate(options, 'https://evil.example'))).statusCode).toBe(400);
    expect((await show(subject, new SoftwarePasskey(CONSOLE_ORIGIN).authenticate(options))).statusCode).toBe(403);
  });

  test('needs a step-up that is not older than five minutes', async () => {
    const passkey = await aPasskey();
    const subject = await aSubject();
    await show(subject, await signed(passkey, subject));
    await execute('update step_ups set expires_at = clock_timestamp() where user_id = $1', checker.userId);
    expect(codeOf(await approve(browser, subject))).toBe('second_factor_needed');
  });

  test('by two requests at the same moment is recorded once', async () => {
    const passkey = await aPasskey();
    const subject = await aSubject();
    await show(subject, await signed(passkey, subject));
    const answers = await Promise.all([approve(browser, subject), approve(browser, subject)]);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });
});

describe('a second factor', () => {
  test('is added soon after a sign-in, and shown in the session', async () => {
    await anApp();
    await aPasskey();
    const { factors } = (await browser.send('GET', '/session')).json<Session>();
    expect(factors).toMatchObject({
      totp: { createdAt: expect.any(String) as string },
      passkeys: [{ label: 'my laptop' }],
    });
    await execute(`update sessions set authenticated_at = authenticated_at - interval '16 minutes'`);
    for (const path of ['/session/totp', '/session/passkeys/options'])
      expect((await browser.send('POST', path)).statusCode).toBe(409);
  });

  test('takes the present one first, unless the user came by a one-time link', async () => {
    const passkey = await aPasskey();
    await execute(`update sessions set method = 'password'`);
    expect(codeOf(await browser.send('POST', '/session/totp'))).toBe('second_factor_needed');
    expect(codeOf(await browser.send('POST', '/session/passkeys/options'))).toBe('second_factor_needed');
    const { passkeys } = (await browser.send('GET', '/session')).json<Session>().factors;
    const removal = `/session/passkeys/${passkeys[0]?.passkeyId ?? ''}`;
    expect(codeOf(await browser.send('DELETE', removal))).toBe('second_factor_needed');
    const subject = { kind: 'sign_in' };
    expect((await show(subject, await signed(passkey, subject))).statusCode).toBe(200);
    expect((await browser.send('DELETE', removal)).statusCode).toBe(204);
  });

  test('that is the first takes a one-time link, where the policy asks for one', async () => {
    for (const path of ['/session/totp', '/session/passkeys/options']) {
      await execute(`update sessions set method = 'password'`);
      expect(codeOf(await browser.send('POST', path))).toBe('not_allowed');
    }
    await demandSecondFactor(false);
    expect((await browser.send('POST', '/session/passkeys/options')).statusCode).toBe(200);
    await demandSecondFactor(true);
    await execute(`update sessions set method = 'link'`);
    await aPasskey();
  });

  test('is taken before a session makes a token, which outlives it, and only soon after a sign-in', async () => {
    const makeToken = () => browser.send('POST', '/tokens', { body: { label: 'mine' } });
    expect((await makeToken()).statusCode).toBe(201);
    const passkey = await aPasskey();
    await execute(`update sessions set method = 'password'`);
    expect(codeOf(await makeToken())).toBe('second_factor_needed');
    const subject = { kind: 'sign_in' };
    expect((await show(subject, await signed(passkey, subject))).statusCode).toBe(200);
    expect((await makeToken()).statusCode).toBe(201);
    await execute(`update sessions set authenticated_at = authenticated_at - interval '16 minutes'`);
    expect((await makeToken()).statusCode).toBe(409);
  });

  test('whose codes are guessed is slowed down, also over several sessions', async () => {
    await anApp();
    const subject = await aSubject();
    const guess = async (by: ConsoleBrowser) =>
      (await by.send('POST', '/session/step-up/totp', { body: { subject, code: '000000' } })).statusCode;
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) statuses.push(await guess(n % 2 === 0 ? browser : await aBrowserOf(checker)));
    expect(statuses).toEqual([400, 400, 400, 400, 400]);
    const bucket = `totp ${checker.userId} link`;
    const { rows } = await execute('select failures from sign_in_tries where bucket = $1', bucket);
    expect(rows).toEqual([{ failures: 5 }]);
    await execute('update sign_in_tries set failures = 20, last_at = clock_timestamp()');
    expect([await guess(browser), await guess(await aBrowserOf(checker))]).toEqual([429, 429]);
  });

  test('has its seed encrypted in the database, and the server cannot read it there', async () => {
    const totp = await anApp();
    const { rows } = await testDatabase.database.query<{ all: string }>(
      `select json_agg(json_build_object('a', encode(wrapped, 'hex'), 'b', totp_factors))::text as all from totp_factors`,
    );
    const seed = Buffer.from(totp.secret.bytes);
    for (const form of ['hex', 'base64', 'utf8'] as const) expect(rows[0]?.all).not.toContain(seed.toString(form));
    await expect(testDatabase.asServer.query('select wrapped from totp_factors')).rejects.toThrow('permission denied');
  });
});
