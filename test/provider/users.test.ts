import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readCalendarDay } from '../../provider/calls/calendar-day-fields.ts';
import type { SignUpRequest } from '../../provider/onboarding/sign-up-fields.ts';
import { missingScreeningFields } from '../../provider/onboarding/user-detail-fields.ts';
import { AUTHENTICATE, aClient, aLocalProvider, type Reply } from './local-provider.ts';

async function answering(reply: Reply) {
  const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : reply));
  return { provider, users: aClient(provider).users };
}

const ADA: SignUpRequest = {
  firstName: 'Ada',
  lastName: 'Example',
  email: 'ada@example.com',
  password: 'passw0rd-of-ada',
  countryCode: 'SG',
  accountType: 'individual',
};

describe('sign-up', () => {
  test('it is sent as given, and its answer has no envelope', async () => {
    const { provider, users } = await answering({ body: { userId: 'u-1', email: ADA.email, language: 'en' } });
    expect(await users.signUp(ADA)).toMatchObject({ userId: 'u-1', language: 'en', companyName: null });
    expect(provider.apiRequests()[0]).toMatchObject({ method: 'POST', path: '/v2/signup' });
    expect(JSON.parse(provider.apiRequests()[0]!.body)).toEqual(ADA);
  });

  test('an answer without userId can be read and printed; only reading the id fails', async () => {
    const { users } = await answering({ body: { email: ADA.email } });
    const user = await users.signUp(ADA);
    expect(user.email).toBe(ADA.email);
    expect([JSON.stringify(user), inspect(user)].join()).toContain(ADA.email);
    expect(() => user.userId).toThrow('gave no userId');
  });

  test.each<[string, object]>([
    ['firstName', { firstName: 'a'.repeat(65) }],
    ['email', { email: `${'a'.repeat(120)}@example.com` }],
    ['email', { email: 'ada' }],
    ['password', { password: 'onlyletters' }],
    ['password', { password: '12345678' }],
    ['password', { password: 'short1' }],
    ['password', { password: 'with 1 space' }],
    ['language', { language: 'fr' }],
    ['accountType', { accountType: 'charity' }],
    ['country', { country: 'SG' }],
  ])(
    'an invalid %s is refused before a request is sent, and the error does not contain its value',
    async (field, wrong) => {
      const { provider, users } = await answering({});
      const refusal = await users.signUp({ ...ADA, ...wrong }).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ name: 'InvalidRequest', field });
      expect(inspect(refusal)).not.toMatch(/onlyletters|12345678|short1|with 1 space/);
      expect(provider.requests).toEqual([]);
    },
  );

  test('a server error leaves the outcome unknown', async () => {
    const { users } = await answering({ status: 500 });
    await expect(users.signUp(ADA)).rejects.toMatchObject({ kind: 'unknown_outcome' });
  });
});

describe('user', () => {
  test('an unknown status is kept, and absent fields are null', async () => {
    const { provider, users } = await answering({ body: { id: 'u-1', status: 'pending', accountId: 'a-1' } });
    expect(await users.get('u-1')).toMatchObject({ id: 'u-1', status: 'pending', accountId: 'a-1', remarks: null });
    expect(provider.apiRequests()[0]).toMatchObject({ method: 'GET', path: '/v2/users/u-1' });
  });

  test('a screening is requested without a body, and once only when its outcome is unknown', async () => {
    const { provider, users } = await answering({ body: { userId: 'u-1', status: 'pending_approval' } });
    expect(await users.screen('u-1')).toMatchObject({ status: 'pending_approval' });
    expect(provider.apiRequests()[0]).toMatchObject({ method: 'POST', path: '/v2/users/u-1/screen', body: '' });
    provider.respond = () => ({ status: 502 });
    await expect(users.screen('u-1')).rejects.toMatchObject({ kind: 'unknown_outcome' });
  });
});

describe('details', () => {
  test('trap 13: absent fields are not sent, null is', async () => {
    const { provider, users } = await answering({ body: {} });
    await users.updateDetails('u-1', { title: 'Dr', aliasName: null, city: undefined });
    expect(provider.apiRequests()[0]).toMatchObject({
      method: 'PATCH',
      path: '/v2/users/u-1/detail',
      body: '{"aliasName":null,"title":"Dr"}',
    });
    await expect(users.updateDetails('u-1', {})).rejects.toThrow('give at least one field');
    await expect(users.updateDetails('u-1', { city: undefined })).rejects.toThrow('give at least one field');
  });

  test('days are given in one format, and sent in the configured one', async () => {
    const { provider, users } = await answering({ body: {} });
    const days = { dateOfBirth: '1990-12-31', issueDate: '2020-02-29', expiryDate: null };
    await users.updateDetails('u-1', days);
    await aClient(provider, { userDayFormat: 'YYYY-MM-DD' }).users.updateDetails('u-1', days);
    expect(provider.apiRequests().map(({ body }) => body)).toEqual([
      '{"dateOfBirth":"31-12-1990","issueDate":"29-02-2020","expiryDate":null}',
      '{"dateOfBirth":"1990-12-31","issueDate":"2020-02-29","expiryDate":null}',
    ]);
  });

  test.each<[string, object]>([
    ['dateOfBirth', { dateOfBirth: '31-12-1990' }],
    ['dateOfBirth', { dateOfBirth: '1990-02-30' }],
    ['nationality', { nationality: 'Singapore' }],
    ['gender', { gender: 'f' }],
    ['status', { status: 'complete' }],
  ])('an invalid %s is refused before a request is sent', async (field, wrong) => {
    const { provider, users } = await answering({});
    await expect(users.updateDetails('u-1', wrong)).rejects.toMatchObject({ name: 'InvalidRequest', field });
    expect(provider.requests).toEqual([]);
  });

  test('trap 34: an industry is not a business type', async () => {
    const { provider, users } = await answering({ body: {} });
    await users.updateDetails('u-1', { employmentIndustry: 'Banking/Finance/Insurance' });
    const mistaken = { employmentIndustry: 'Banking/Financial/Insurance' } as unknown as { city: string };
    await expect(users.updateDetails('u-1', mistaken)).rejects.toMatchObject({ field: 'employmentIndustry' });
    expect(provider.apiRequests()).toHaveLength(1);
  });

  test.each([['postcode'], ['stateOrProvince'], ['country']])(
    'trap 17: %s is a beneficiary’s field, not a user’s',
    async (field) => {
      const { users } = await answering({ body: {} });
      await expect(users.updateDetails('u-1', { [field]: 'SG' })).rejects.toMatchObject({ field });
    },
  );

  test.each([
    [
      { value: 'incomplete', missing_fields: ['city'] },
      { value: 'incomplete', missingFields: ['city'] },
    ],
    [{ value: 'complete' }, { value: 'complete', missingFields: null }],
    ['incomplete', { value: 'incomplete', missingFields: null }],
    [null, null],
    [undefined, null],
  ])('trap 11: a status of %j is read as %j', async (status, expected) => {
    const { provider, users } = await answering({ body: { firstName: 'Ada', dateOfBirth: '31-12-1990', status } });
    const details = await users.details('u-1');
    expect(details).toMatchObject({
      firstName: 'Ada',
      lastName: null,
      dateOfBirth: { raw: '31-12-1990', isoDay: '1990-12-31' },
      status: expected,
    });
    expect(provider.apiRequests()[0]).toMatchObject({ method: 'GET', path: '/v2/users/u-1/detail' });
  });

  test.each([
    ['passport', ['city', 'expiryDate'], ['city', 'expiryDate']],
    ['nric', ['city', 'expiryDate'], ['city']],
    [null, ['expiryDate'], ['expiryDate']],
    ['nric', undefined, null],
  ])(
    'trap 15: with identification %s and missing fields %j, a screening requires %j',
    async (identificationType, list, missing) => {
      const { users } = await answering({ body: { identificationType, status: { missing_fields: list } } });
      expect(missingScreeningFields(await users.details('u-1'))).toEqual(missing);
    },
  );
});

test.each([
  ['31-12-1990', '1990-12-31'],
  ['1990-12-31', '1990-12-31'],
  [' 05-06-1990 ', '1990-06-05'],
  ['30-02-1990', null],
  ['31/12/1990', null],
])('the day %j is %j', (raw, isoDay) => {
  expect(readCalendarDay(raw)).toEqual({ raw, isoDay });
});
