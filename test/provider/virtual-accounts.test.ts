import { describe, expect, test } from 'vitest';
import type { NewVirtualAccount } from '../../provider/accounts/virtual-account-fields.ts';
import { parseWebhook } from '../../provider/webhooks/webhooks.ts';
import { AUTHENTICATE, aClient, aLocalProvider, type Reply } from './local-provider.ts';

const OPEN: NewVirtualAccount = {
  name: 'Rent 2026',
  provider: 'a_bank',
  currency: 'IDR',
  description: 'Rent of the year',
  type: 'open',
};

const FIXED: NewVirtualAccount = { ...OPEN, type: 'fixed', amount: '10000', expiryDuration: 48 };

const ANSWER = { requestId: 'v-1', status: 'pending', userId: 17, createdBy: 18, virtualAccountNo: 'Creating...' };

async function answering(reply: Reply, virtualAccountRequestPath?: string) {
  const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : reply));
  const more = virtualAccountRequestPath === undefined ? {} : { virtualAccountRequestPath };
  return { provider, accounts: aClient(provider, more).virtualAccounts };
}

describe('request', () => {
  test('a fixed account is sent with its amount as a JSON number', async () => {
    const { provider, accounts } = await answering({ body: { data: ANSWER } });
    await accounts.request({ ...FIXED, approveAsync: true });
    expect(provider.apiRequests()[0]).toMatchObject({ method: 'POST', path: '/virtual-accounts/v1/requests/create' });
    expect(JSON.parse(provider.apiRequests()[0]!.body)).toEqual({ ...FIXED, amount: 10_000, approveAsync: true });
  });

  test('trap 24: users’ ids are numbers in answers, and strings in the client', async () => {
    const { accounts } = await answering({ body: { data: ANSWER } });
    expect(await accounts.request(OPEN)).toMatchObject({ requestId: 'v-1', userId: '17', createdBy: '18' });
  });

  test.each([
    ['Creating...', null],
    ['creating…', null],
    [null, null],
    ['8001234567', '8001234567'],
    [8001234567, '8001234567'],
  ])('trap 25: an account number of %j is read as %j', async (virtualAccountNo, expected) => {
    const { accounts } = await answering({ body: { data: { ...ANSWER, virtualAccountNo } } });
    expect((await accounts.request(OPEN)).virtualAccountNo).toBe(expected);
  });

  test('an account number does not mean that the request is approved', async () => {
    const { accounts } = await answering({ body: { data: { ...ANSWER, virtualAccountNo: '800' } } });
    expect(await accounts.request(OPEN)).toMatchObject({ status: 'pending', approvedAt: null });
  });

  test.each<[string, object]>([
    ['amount', { ...OPEN, type: 'fixed', expiryDuration: 1 }],
    ['expiryDuration', { ...OPEN, type: 'fixed', amount: '10000' }],
    ['expiryDuration', { ...FIXED, expiryDuration: 49 }],
    ['amount', { ...FIXED, amount: '9999.99' }],
    ['amount', { ...FIXED, currency: 'USD', amount: '0.99' }],
    ['name', { ...OPEN, name: 'Rent-2026' }],
    ['type', { ...OPEN, type: 'closed' }],
  ])('an invalid %s is refused before a request is sent', async (field, wrong) => {
    const { provider, accounts } = await answering({});
    await expect(accounts.request(wrong as NewVirtualAccount)).rejects.toMatchObject({ name: 'InvalidRequest', field });
    expect(provider.requests).toEqual([]);
  });

  test('fields that the contract does not limit are sent as given', async () => {
    const { provider, accounts } = await answering({ body: { data: ANSWER } });
    await accounts.request({ ...FIXED, currency: 'SGD', amount: '0.01', expiryDuration: 1.5 });
    await accounts.request({ ...OPEN, amount: '5' });
    expect(provider.apiRequests()).toHaveLength(2);
  });

  test('a server error leaves the outcome of a request unknown', async () => {
    const { accounts } = await answering({ status: 504 });
    await expect(accounts.request(OPEN)).rejects.toMatchObject({ kind: 'unknown_outcome' });
  });
});

describe('item', () => {
  const APPROVED = { ...ANSWER, status: 'approved', virtualAccountNo: '8001', virtualAccountId: 'va-1', approvedBy: 3 };

  test('without a configured path the error says what to configure, and nothing is sent', async () => {
    const { provider, accounts } = await answering({});
    await expect(accounts.item('v-1')).rejects.toThrow('virtualAccountRequestPath: the provider');
    expect(provider.requests).toEqual([]);
  });

  test.each([[{ data: APPROVED }], [APPROVED]])(
    'with a configured path, the request is read from it: %j',
    async (body) => {
      const { provider, accounts } = await answering({ body }, '/virtual-accounts/v1/of/:requestId/show');
      expect(await accounts.item('v-1')).toMatchObject({
        status: 'approved',
        virtualAccountNo: '8001',
        approvedBy: '3',
      });
      expect(provider.apiRequests()[0]).toMatchObject({ method: 'GET', path: '/virtual-accounts/v1/of/v-1/show' });
    },
  );

  test.each([['requests/:requestId'], ['/requests'], ['//elsewhere.invalid/:requestId'], ['/:requestId/:requestId']])(
    'a path of %j is refused at once',
    (virtualAccountRequestPath) => {
      const make = () => aClient({ baseUrl: 'https://provider.invalid' }, { virtualAccountRequestPath });
      expect(make).toThrow('virtualAccountRequestPath: give a path');
    },
  );
});

test('trap 26: the number is virtualAccountNo in a request, and virtualAccountNumber first in a deposit', async () => {
  const { accounts } = await answering({ body: { data: { ...ANSWER, virtualAccountNo: '8001' } } });
  expect((await accounts.request(OPEN)).virtualAccountNo).toBe('8001');
  const deposit = { action: 'deposit', status: 'completed', transactionId: 't-1', virtualAccountNo: 'old' };
  expect(parseWebhook(JSON.stringify(deposit))).toMatchObject({ virtualAccountNumber: 'old' });
  expect(parseWebhook(JSON.stringify({ ...deposit, virtualAccountNumber: 'new' }))).toMatchObject({
    virtualAccountNumber: 'new',
  });
});
