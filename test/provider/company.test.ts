import { describe, expect, test } from 'vitest';
import { canUpdateCompany, type CompanyUpdate } from '../../provider/onboarding/company.ts';
import { AUTHENTICATE, aClient, aLocalProvider, type Reply } from './local-provider.ts';

const COMPANY: CompanyUpdate = {
  countryOfIncorporation: 'SG',
  countryOfOperations: 'ID',
  businessType: 'Banking/Financial/Insurance',
  companyAddress: '1 Example Road',
  postalCode: '018989',
  state: 'Singapore',
  city: 'Singapore',
  registrationNumber: '201912345A',
  incorporationDate: '2019-01-31',
};

async function answering(reply: Reply) {
  const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : reply));
  return { provider, client: aClient(provider) };
}

describe('company', () => {
  test('a numeric postal code is read as a string, and the day is read', async () => {
    const { client } = await answering({
      body: '{"accountId":"a-1","companyName":"Example","postalCode":18989,"incorporationDate":"31-01-2019"}',
    });
    expect(await client.company.get('a-1')).toMatchObject({
      companyName: 'Example',
      postalCode: '18989',
      state: null,
      incorporationDate: { raw: '31-01-2019', isoDay: '2019-01-31' },
    });
  });

  test('trap 12: a company is read by the account of its user, which a sign-up does not return', async () => {
    const provider = await aLocalProvider(({ path }) => {
      if (path === AUTHENTICATE) return undefined;
      if (path === '/v2/signup') return { body: { userId: 'u-1' } };
      return { body: path.includes('company') ? {} : { id: 'u-1', status: 'pending_docs', accountId: 'a-1' } };
    });
    const { users, company } = aClient(provider);
    const signedUp = await users.signUp({
      firstName: 'Ada',
      lastName: 'Example',
      email: 'ada@example.com',
      countryCode: 'SG',
      accountType: 'company',
      companyName: 'Example',
    });
    expect(signedUp).not.toHaveProperty('accountId');
    const { accountId } = await users.get(signedUp.userId);
    await company.get(accountId ?? '');
    expect(provider.apiRequests().at(-1)?.path).toBe('/v2/company/a-1');
  });

  test('an update is sent with its day in the only documented format, whatever the format for users', async () => {
    const { provider } = await answering({ body: {} });
    await aClient(provider, { userDayFormat: 'YYYY-MM-DD' }).company.update('a-1', COMPANY);
    expect(provider.apiRequests()[0]).toMatchObject({ method: 'PATCH', path: '/v2/company/a-1' });
    expect(JSON.parse(provider.apiRequests()[0]!.body)).toEqual({ ...COMPANY, incorporationDate: '31-01-2019' });
  });

  test.each(Object.keys(COMPANY))(
    'trap 13: an update without %s is refused before a request is spent',
    async (field) => {
      const { provider, client } = await answering({});
      const update = client.company.update('a-1', { ...COMPANY, [field]: undefined });
      await expect(update).rejects.toMatchObject({ name: 'InvalidRequest', field });
      expect(provider.requests).toEqual([]);
    },
  );

  test.each<[string, object]>([
    ['companyName', { companyName: 'Other' }],
    ['postcode', { postcode: '018989' }],
    ['state', { state: null }],
  ])('an invalid %s is refused before a request is sent', async (field, wrong) => {
    const { provider, client } = await answering({});
    await expect(client.company.update('a-1', { ...COMPANY, ...wrong })).rejects.toMatchObject({ field });
    expect(provider.requests).toEqual([]);
  });

  test('trap 34: a business type is not an industry', async () => {
    const { client } = await answering({});
    const mistaken = { ...COMPANY, businessType: 'Banking/Finance/Insurance' } as unknown as CompanyUpdate;
    await expect(client.company.update('a-1', mistaken)).rejects.toMatchObject({ field: 'businessType' });
  });

  test.each([
    ['pending_phone', true],
    ['pending_docs', true],
    ['pending_approval', false],
    ['documents_need_resubmission', false],
    ['pending', false],
  ])('trap 14: in status %s, whether a company can be updated is %j', (status, expected) => {
    expect(canUpdateCompany(status)).toBe(expected);
  });
});
