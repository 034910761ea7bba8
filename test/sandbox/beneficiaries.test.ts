import { expect, test } from 'vitest';
import { checkBeneficiary } from '../../sandbox/corridors/check-beneficiary.ts';
import { allCorridors, corridorOf, localCurrencies, requirementsOf } from '../../sandbox/corridors/requirements.ts';
import { aGermanCompany, aSandbox, asText } from './a-sandbox.ts';
import { aCompanyIn, sampleCodes } from './sample-accounts.ts';

test('every corridor accepts an account with valid codes and refuses it without any one of them', () => {
  expect(allCorridors.length).toBeGreaterThan(100);
  for (const { currency, bankCountry, network, bankAccount } of allCorridors) {
    const codes = sampleCodes(bankCountry, network);
    const company = (given: Record<string, string>): Parameters<typeof checkBeneficiary>[0] =>
      aCompanyIn(bankCountry, { currency, country: bankCountry, ...given }) as Parameters<typeof checkBeneficiary>[0];
    expect(() => checkBeneficiary(company(codes)), `${currency}-${bankCountry}`).not.toThrow();
    for (const field of Object.keys(bankAccount)) {
      const without = company({ ...codes, [field]: '' });
      expect(() => checkBeneficiary(without), `${currency}-${bankCountry}`).toThrow(`bankAccount.${field}`);
    }
  }
});

test('every pattern is anchored at both ends and can be compiled', () => {
  for (const corridor of allCorridors) {
    for (const entityType of ['company', 'individual'] as const) {
      const { root, bankAccount } = requirementsOf(corridor, corridor.bankCountry, entityType);
      const patterns = Object.values({ ...root, ...bankAccount });
      expect(patterns.filter((pattern) => !/^\^.*\$$/.test(pattern))).toEqual([]);
      expect(() => patterns.map((pattern) => new RegExp(pattern))).not.toThrow();
    }
  }
});

test('requirements list the fields by entity type and country', async () => {
  const caller = await (await aSandbox()).signIn();
  const question = { currency: 'IDR', bankAccountCountry: 'ID', beneficiaryCountry: 'ID' };
  const { body } = await caller.post('/beneficiaries/v1/requirements', question);
  const [company, individual] = body['data'] as unknown as Record<string, string>[];
  expect(company).toMatchObject({ entityType: 'company', country: '^ID$', companyName: '^.{1,140}$' });
  expect(individual).toMatchObject({ entityType: 'individual', nationalIdentificationNumber: '^[0-9]{16}$' });
  expect(individual).not.toHaveProperty('companyName');
  expect(new RegExp(company!['city']!).test('Jakarta Selatan')).toBe(true);
  expect(new RegExp(company!['city']!).test('Singapore')).toBe(false);
});

test.each([
  [{ currency: 'KRW', bankAccountCountry: 'US', beneficiaryCountry: 'US' }, 'unsupported_corridor'],
  [{ currency: 'EUR', bankAccountCountry: 'DE', beneficiaryCountry: 'KP' }, 'unsupported_corridor'],
  [{ currency: 'eur', bankAccountCountry: 'DE', beneficiaryCountry: 'DE' }, 'validation_failed'],
  [{ currency: 'EUR', beneficiaryCountry: 'DE' }, 'validation_failed'],
])('requirements for %j are refused', async (question, code) => {
  const caller = await (await aSandbox()).signIn();
  const answer = await caller.post('/beneficiaries/v1/requirements', question);
  expect([answer.status, answer.body['code']]).toEqual([400, code]);
});

test('a beneficiary is stored, read, listed and deleted, with unused bank codes present and null', async () => {
  const caller = await (await aSandbox()).signIn();
  const created = (await caller.post('/beneficiaries/v1/create', aGermanCompany)).body['data']!;
  expect(created['bankAccount']).toMatchObject({ iban: 'DE89370400440532013000' });
  for (const code of ['aba', 'bsbCode', 'sortCode', 'institutionNo', 'bankCode', 'branchCode', 'cnaps', 'clabe']) {
    expect(created['bankAccount']).toHaveProperty(code, null);
  }
  expect(created).toMatchObject({ type: 'bank', region: null });
  expect(asText(created['nickname'])).not.toBe('');
  const item = `/beneficiaries/v1/item/${asText(created['beneficiaryId'])}`;
  expect((await caller.get(item)).body['data']).toEqual(created);
  expect((await caller.post('/beneficiaries/v1/find')).body['data']).toEqual([created]);
  expect((await caller.send('DELETE', item)).body['data']).toEqual(created);
  expect((await caller.get(item)).body['code']).toBe('not_found');
  expect((await caller.send('DELETE', item)).status).toBe(404);
  expect((await caller.send('POST', '/beneficiaries/v1/find')).body['data']).toEqual([]);
});

test.each([
  ['iban', 'DE89370400440532013001', 'bankAccount.iban: check digits are wrong'],
  ['iban', 'FR1420041010050500013M02606', 'bankAccount.iban: does not have the form'],
  ['aba', '021000022', 'bankAccount.aba: check digit is wrong'],
  ['clabe', '032180000118359710', 'bankAccount.clabe: check digit is wrong'],
  ['bicSwift', 'COBADE', 'bankAccount.bicSwift: is not a BIC'],
])('a wrong %s is refused by its path, without its value', async (field, value, message) => {
  const caller = await (await aSandbox()).signIn();
  const bankAccount = { ...aGermanCompany.bankAccount, [field]: value };
  const answer = await caller.post('/beneficiaries/v1/create', { ...aGermanCompany, bankAccount });
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  expect(asText(answer.body['message'])).toContain(message);
  expect(answer.text).not.toContain(value);
});

test('one message names every missing field', async () => {
  const caller = await (await aSandbox()).signIn();
  const individual = { ...aGermanCompany, entityType: 'individual', companyName: undefined };
  const answer = await caller.post('/beneficiaries/v1/create', individual);
  expect(asText(answer.body['message'])).toMatch(/firstName: .*; lastName: /);
  const bare = await caller.post('/beneficiaries/v1/create', { country: 'DE' });
  expect(asText(bare.body['message'])).toMatch(/entityType: .*bankAccount: /);
});

test('local currencies are those with local clearing, and each is a corridor', async () => {
  const caller = await (await aSandbox()).signIn();
  const { body } = await caller.get('/simple-payments/v1/supported-local-currencies');
  expect(body['data']).toEqual(localCurrencies);
  expect(localCurrencies).toContain('EUR-DE');
  expect(localCurrencies).not.toContain('USD-SG');
  for (const pair of localCurrencies) {
    const [currency = '', country = ''] = pair.split('-');
    expect(corridorOf(currency, country, country)?.network, pair).toBe('LOCAL');
  }
});
