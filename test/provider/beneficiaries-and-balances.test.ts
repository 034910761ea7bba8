import { describe, expect, test } from 'vitest';
import type { NewBeneficiary } from '../../provider/beneficiaries/beneficiary-fields.ts';
import { AUTHENTICATE, aClient, aLocalProvider, type Reply } from './local-provider.ts';

async function answering(reply: Reply) {
  const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : reply));
  return { provider, client: aClient(provider) };
}

const COMPANY: NewBeneficiary = {
  country: 'SG',
  entityType: 'company',
  companyName: 'Example Pte Ltd',
  region: null,
  bankAccount: {
    country: 'SG',
    currency: 'SGD',
    bankName: 'A Bank',
    bankAccountHolderName: 'Example',
    iban: undefined,
  },
};

describe('beneficiaries', () => {
  test('requirements contain patterns for the beneficiary and for its bank account, by entity type', async () => {
    const { provider, client } = await answering({
      body: { data: [{ entityType: 'company', companyName: '^.+$', bankAccount: { aba: '^\\d{9}$', iban: null } }] },
    });
    const request = { currency: 'USD', bankAccountCountry: 'US', beneficiaryCountry: 'US' };
    expect(await client.beneficiaries.requirements(request)).toEqual([
      { entityType: 'company', fields: { companyName: '^.+$' }, bankAccount: { aba: '^\\d{9}$' } },
    ]);
    expect(provider.apiRequests()[0]).toMatchObject({ method: 'POST', path: '/beneficiaries/v1/requirements' });
  });

  test('a beneficiary is sent as given, and its absent fields are read as null', async () => {
    const { provider, client } = await answering({
      body: { data: { beneficiaryId: 'b-1', country: 'SG', bankAccount: { currency: 'SGD', iban: null } } },
    });
    const created = await client.beneficiaries.create(COMPANY);
    expect(created).toMatchObject({ beneficiaryId: 'b-1', nickname: null, bankAccount: { iban: null, clabe: null } });
    expect(provider.apiRequests()[0]?.body).toBe(JSON.stringify(COMPANY));
  });

  test.each<[string, object]>([
    ['bankAccount.bankName', { bankAccount: { ...COMPANY.bankAccount, bankName: ' ' } }],
    ['bankAccount.swift', { bankAccount: { ...COMPANY.bankAccount, swift: 'X' } }],
    ['entityType', { entityType: 'charity' }],
    ['country', { country: 'Singapore' }],
    ['email', { email: 'jane at example.com' }],
  ])('an invalid %s is refused before a request is sent', async (field, wrong) => {
    const { provider, client } = await answering({});
    await expect(client.beneficiaries.create({ ...COMPANY, ...wrong })).rejects.toMatchObject({
      name: 'InvalidRequest',
      field,
    });
    expect(provider.requests).toEqual([]);
  });

  test('find sends an empty object, or the given filter', async () => {
    const { provider, client } = await answering({ body: { data: [{ beneficiaryId: 'b-1' }] } });
    expect(await client.beneficiaries.find()).toHaveLength(1);
    await client.beneficiaries.find({ nickname: 'x' });
    expect(provider.apiRequests().map(({ body }) => body)).toEqual(['{}', '{"nickname":"x"}']);
  });

  test('a beneficiary is read and deleted by its id; the answer to the deletion may be empty', async () => {
    const { provider, client } = await answering({ body: { data: { beneficiaryId: 'b-1' } } });
    expect(await client.beneficiaries.item('b-1')).toMatchObject({ beneficiaryId: 'b-1' });
    provider.respond = () => ({ body: '' });
    expect(await client.beneficiaries.remove('b-1')).toBeNull();
    expect(provider.apiRequests().map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/beneficiaries/v1/item/b-1'],
      ['DELETE', '/beneficiaries/v1/item/b-1'],
    ]);
  });
});

describe('currencies', () => {
  test('a rate is exact', async () => {
    const { provider, client } = await answering({
      body: '{"data":{"currencyPair":"USDSGD","bid":1.30,"ask":"1.31"}}',
    });
    expect(await client.currencies.rate('USDSGD')).toEqual({ currencyPair: 'USDSGD', bid: '1.30', ask: '1.31' });
    expect(provider.apiRequests()[0]?.path).toBe('/currencies/v1/rates/USDSGD');
    await expect(client.currencies.rate('USD-SGD')).rejects.toMatchObject({ name: 'InvalidRequest' });
  });

  test('the decimals of a currency are a number, and a missing number is not zero', async () => {
    const { provider, client } = await answering({
      body: { data: [{ code: 'IDR', decimalPlaces: 0, name: 'Rupiah' }] },
    });
    expect(await client.currencies.supported()).toEqual([{ code: 'IDR', decimalPlaces: 0, name: 'Rupiah' }]);
    provider.respond = () => ({ body: { data: [{ code: 'IDR', decimalPlaces: null }] } });
    await expect(client.currencies.supported()).rejects.toThrow('0.decimalPlaces');
  });

  test('pairs are read without an envelope', async () => {
    const { client } = await answering({ body: ['USDSGD', 'SGDUSD'] });
    expect(await client.currencies.pairs()).toEqual(['USDSGD', 'SGDUSD']);
  });
});

describe('balances', () => {
  test('balances are listed by GET, and read by currency or by id on the same path', async () => {
    const balance = '{"id":"x-1","amount":10000000000000000.01,"currency":"SGD"}';
    const { provider, client } = await answering({ body: `{"data":[${balance}]}` });
    expect(await client.balances.find()).toEqual([
      { id: 'x-1', amount: '10000000000000000.01', currency: 'SGD', currencyName: null },
    ]);
    provider.respond = () => ({ body: `{"data":${balance}}` });
    await client.balances.byCurrency('SGD');
    await client.balances.byId('x-1');
    expect(provider.apiRequests().map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/balances/v1/find'],
      ['GET', '/balances/v1/item/SGD'],
      ['GET', '/balances/v1/item/x-1'],
    ]);
    await expect(client.balances.byId('SGD')).rejects.toMatchObject({ name: 'InvalidRequest' });
    await expect(client.balances.byCurrency('x-1')).rejects.toMatchObject({ name: 'InvalidRequest' });
  });

  test('history keeps a numeric transaction id as text', async () => {
    const { provider, client } = await answering({
      body: `{"data":[{"id":"h-1","balanceId":"x-1","amountBefore":1.10,"amountAfter":0.10,"currency":"SGD",
        "totalAmount":-1,"transactionId":12345678901234567890,"transactionType":"","date":"2026-03-02 08:00:00.123456"}]}`,
    });
    expect(await client.balances.history({ startDate: '2026-03-02T00:00:00Z' })).toEqual([
      {
        id: 'h-1',
        balanceId: 'x-1',
        amountBefore: '1.10',
        amountAfter: '0.10',
        currency: 'SGD',
        totalAmount: '-1',
        transactionId: '12345678901234567890',
        transactionType: '',
        date: { raw: '2026-03-02 08:00:00.123456', epochMs: Date.parse('2026-03-02T08:00:00.123Z') },
      },
    ]);
    expect(provider.apiRequests()[0]?.body).toBe('{"startDate":"2026-03-02T00:00:00.000Z"}');
  });
});
