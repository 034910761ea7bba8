import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { LegacySignUpRequest } from '../../provider/onboarding/sign-up-fields.ts';
import { AUTHENTICATE, aClient, aLocalProvider, type LocalProvider, type Reply } from './local-provider.ts';

const ADA: LegacySignUpRequest = {
  firstName: 'Ada',
  lastName: 'Example',
  email: 'ada@example.com',
  password: 'passw0rd-of-ada',
  products: 'payments',
  country: 'SG',
  accountType: 'company',
  mobileCountryCode: '+65',
};

const SECRETS = { accessKeyId: 'issued-access-key-id', secretAccessKey: 'issued-secret-access-key' };

const ANSWER = { userId: 'u-1', ...SECRETS, email: ADA.email, userName: 'ada', password: ADA.password };

async function answering(reply: Reply) {
  const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : reply));
  return { provider, registration: aClient(provider).registration };
}

describe('older sign-up', () => {
  test('it is sent as given, with the fields that only samples show', async () => {
    const { provider, registration } = await answering({ body: ANSWER });
    expect(await registration.legacySignUp(ADA)).toMatchObject({ userId: 'u-1', userName: 'ada', products: null });
    expect(provider.apiRequests()[0]).toMatchObject({ method: 'POST', path: '/users/v1/signup' });
    expect(JSON.parse(provider.apiRequests()[0]!.body)).toEqual(ADA);
  });

  test('trap 38: the issued secrets are shown only by an explicit call', async () => {
    const { registration } = await answering({ body: ANSWER });
    const signedUp = await registration.legacySignUp(ADA);
    expect(signedUp.accessKeyId.reveal()).toBe(SECRETS.accessKeyId);
    expect(signedUp.secretAccessKey.reveal()).toBe(SECRETS.secretAccessKey);
    const { secretAccessKey } = signedUp;
    const everything = [
      JSON.stringify(signedUp),
      JSON.stringify({ ...signedUp }),
      inspect(signedUp, { depth: 10, showHidden: true }),
      String(secretAccessKey),
      JSON.stringify(structuredClone(secretAccessKey)),
    ].join('\n');
    expect(everything).toContain('[redacted]');
    for (const secret of [...Object.values(SECRETS), ADA.password]) expect(everything).not.toContain(secret);
  });

  test.each([400, 409, 500])(
    'trap 38: a failure with HTTP %i that echoes the password does not show it',
    async (status) => {
      const { registration } = await answering({ status, body: { message: `not good: ${ADA.password}` } });
      const failure = await registration.legacySignUp(ADA).catch((error: unknown) => error);
      expect(failure).toMatchObject({ providerMessage: 'not good: [redacted]' });
    },
  );

  test('trap 38: the error about an unreadable answer does not show its secrets', async () => {
    const { registration } = await answering({ body: { ...ANSWER, secretAccessKey: null } });
    const failure = await registration.legacySignUp(ADA).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'unknown_outcome' });
    expect(inspect(failure, { depth: 10 })).toContain('at secretAccessKey');
    expect(inspect(failure, { depth: 10 })).not.toContain(SECRETS.accessKeyId);
  });

  test.each<[string, object]>([
    ['products', { products: ['payments'] }],
    ['password', { password: '' }],
    ['countryCode', { countryCode: 'SG' }],
  ])('trap 17: an invalid %s is refused before a request is sent', async (field, wrong) => {
    const { provider, registration } = await answering({});
    const signUp = registration.legacySignUp({ ...ADA, ...wrong });
    await expect(signUp).rejects.toMatchObject({ name: 'InvalidRequest', field });
    expect(provider.requests).toEqual([]);
  });
});

describe('mails and countries', () => {
  test('mails are requested by address, and their answers may be empty', async () => {
    const { provider, registration } = await answering({ body: { message: 'sent' } });
    expect(await registration.forgotPassword(ADA.email)).toBe('sent');
    provider.respond = () => ({ body: '' });
    expect(await registration.forgotPassword(ADA.email)).toBeNull();
    await registration.resendConfirmation(ADA.email);
    expect(provider.apiRequests().map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/users/v1/forgot-password', '{"email":"ada@example.com"}'],
      ['POST', '/users/v1/forgot-password', '{"email":"ada@example.com"}'],
      ['POST', '/users/v1/signup/resend', '{"email":"ada@example.com"}'],
    ]);
    await expect(registration.resendConfirmation('ada')).rejects.toMatchObject({ field: 'email' });
  });

  test('countries are read without an envelope', async () => {
    const singapore = { ituTelephoneCode: '+65', iso3166TwoLetterCode: 'SG', commonName: 'Singapore' };
    const { registration } = await answering({ body: [singapore] });
    expect(await registration.countries()).toEqual([singapore]);
  });
});

describe('the token of a call with an optional token', () => {
  const authorizations = (provider: LocalProvider): (string | undefined)[] =>
    provider.apiRequests().map(({ headers }) => headers.authorization);

  test('no token is requested if there is none', async () => {
    const { provider, registration } = await answering({ body: [] });
    await registration.countries();
    expect(provider.requests).toHaveLength(1);
    expect(authorizations(provider)).toEqual([undefined]);
  });

  test('the current token is sent', async () => {
    const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : { body: [] }));
    const client = aClient(provider);
    await client.currencies.pairs();
    await client.registration.countries();
    expect(authorizations(provider)).toEqual(['token-1-of-the-provider', 'token-1-of-the-provider']);
  });

  test('after a 401 without a token, the call is sent once more with a token', async () => {
    const provider = await aLocalProvider(({ path, headers }) => {
      if (path === AUTHENTICATE) return undefined;
      return headers.authorization === undefined ? { status: 401 } : { body: [] };
    });
    expect(await aClient(provider).registration.countries()).toEqual([]);
    expect(authorizations(provider)).toEqual([undefined, 'token-1-of-the-provider']);
  });

  test('a second 401 is final', async () => {
    const { provider, registration } = await answering({ status: 401 });
    await expect(registration.countries()).rejects.toMatchObject({ kind: 'unauthenticated' });
    expect(provider.apiRequests()).toHaveLength(2);
  });
});
