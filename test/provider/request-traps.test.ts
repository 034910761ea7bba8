import { expect, onTestFinished, test } from 'vitest';
import type { ProviderClient } from '../../provider/client.ts';
import type { NewSimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { aGermanCompany, Caller } from '../sandbox/a-sandbox.ts';
import { AUTHENTICATE, aClient, aLocalProvider } from './local-provider.ts';

/** What a request must contain, and the formats of answers: checked with the sandbox, or on the exact request. */

async function aSandboxAndItsClient(): Promise<{ raw: Caller; client: ProviderClient }> {
  const sandbox = await startSandbox({ answers: 'plain', limitPerSecond: 0 });
  onTestFinished(() => sandbox.close());
  const raw = await new Caller(sandbox, defaultAccount.apiKey).signIn();
  return { raw, client: aClient({ baseUrl: sandbox.url }, { credentials: defaultAccount, now: Date.now }) };
}

async function answered(body: unknown) {
  const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : { body }));
  return { provider, client: aClient(provider) };
}

const PAYMENT: NewSimplePayment = {
  quoteId: 'q-1',
  fundingSource: 'COMPANY_BANK_ACCOUNT',
  paymentReference: 'INV 7',
  purposeOfTransfer: 'SUPP',
  fundingMethod: 'PAYNOW',
};

const EXCHANGE = { sellCurrency: 'USD', buyCurrency: 'EUR', amount: '100' };

const without = (field: keyof NewSimplePayment): NewSimplePayment =>
  Object.fromEntries(Object.entries(PAYMENT).filter(([name]) => name !== field)) as unknown as NewSimplePayment;

test('trap 1: the token is sent as it was issued: with Bearer the provider refuses it', async () => {
  const { raw, client } = await aSandboxAndItsClient();
  const { token } = raw;
  raw.token = `Bearer ${token}`;
  expect((await raw.get('/balances/v1/find')).status).toBe(401);
  expect(await client.balances.find()).not.toEqual([]);
  const { provider, client: other } = await answered([]);
  await other.balances.find();
  expect(provider.apiRequests()[0]?.headers.authorization).toBe('token-1-of-the-provider');
});

test('trap 5: the quote determines the beneficiary; a creation with a beneficiary is refused before it is sent', async () => {
  const { client } = await aSandboxAndItsClient();
  const beneficiaries = [
    await client.beneficiaries.create(aGerman('One')),
    await client.beneficiaries.create(aGerman('Two')),
  ];
  for (const { beneficiaryId } of beneficiaries) {
    const { quoteId } = await client.simplePayments.quote({ beneficiaryId, ...EXCHANGE });
    const { simplePaymentId } = await client.simplePayments.create({ ...PAYMENT, quoteId });
    expect((await client.simplePayments.item(simplePaymentId)).beneficiary).toMatchObject({ beneficiaryId });
  }
  const { provider, client: other } = await answered({});
  const named = { ...PAYMENT, beneficiaryId: 'b-1' } as NewSimplePayment;
  await expect(other.simplePayments.create(named)).rejects.toMatchObject({ name: 'InvalidRequest' });
  expect(provider.requests).toEqual([]);
});

const aGerman = (name: string) => ({ ...aGermanCompany, entityType: 'company' as const, companyName: name });

test('trap 6: a quote without a beneficiary sends null, and a payment cannot be created from it', async () => {
  const { raw, client } = await aSandboxAndItsClient();
  expect((await raw.post('/simple-payments/v1/quote', { ...EXCHANGE, amount: 100 })).status).toBe(400);
  const quote = await client.simplePayments.quote({ beneficiaryId: null, ...EXCHANGE });
  expect(quote.beneficiaryId).toBeNull();
  const creation = client.simplePayments.create({ ...PAYMENT, quoteId: quote.quoteId });
  await expect(creation).rejects.toMatchObject({ kind: 'refused', providerCode: 'beneficiary_mismatch' });
  const { provider, client: other } = await answered({});
  await other.simplePayments.quote({ beneficiaryId: null, ...EXCHANGE }).catch(() => undefined);
  expect(provider.apiRequests()[0]?.body).toContain('"beneficiaryId":null');
});

test('trap 9: balances are found by GET, everything else by POST', async () => {
  const { raw, client } = await aSandboxAndItsClient();
  expect((await raw.post('/balances/v1/find')).status).toBe(405);
  for (const area of ['beneficiaries', 'conversions', 'simple-payments'])
    expect([area, (await raw.get(`/${area}/v1/find`)).status]).toEqual([area, 405]);
  await client.balances.find();
  await client.beneficiaries.find();
  await client.conversions.find();
  await client.simplePayments.find();
  const { provider, client: other } = await answered([]);
  for (const find of [other.balances, other.beneficiaries, other.conversions, other.simplePayments]) await find.find();
  expect(provider.apiRequests().map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'POST']);
});

test('trap 10: pairs and countries have no envelope, lists of the account are in value, and all are read completely', async () => {
  const { raw, client } = await aSandboxAndItsClient();
  const [pairs, countries] = [(await raw.get('/currencies/v1/pairs')).body, (await raw.get(COUNTRIES)).body];
  expect([Array.isArray(pairs), Array.isArray(countries)]).toEqual([true, true]);
  expect(await client.currencies.pairs()).toEqual(pairs);
  expect(await client.registration.countries()).toHaveLength((countries as unknown as unknown[]).length);
  await raw.post('/__sandbox/fundings', { currency: 'USD', amount: 5 });
  expect((await raw.get('/v2/fundings')).body).toHaveProperty('value.0.id');
  expect(await client.fundings.list()).toHaveLength(1);
});

const COUNTRIES = '/users/v1/countries';

test('trap 20: a payment from the balance also needs a funding method; with PAYNOW it needs no account number', async () => {
  const { raw, client } = await aSandboxAndItsClient();
  const { beneficiaryId } = await client.beneficiaries.create(aGerman('One'));
  const quoteId = async (): Promise<string> =>
    (await client.simplePayments.quote({ beneficiaryId, ...EXCHANGE })).quoteId;
  const refused = await raw.post('/simple-payments/v1/create', {
    ...without('fundingMethod'),
    quoteId: await quoteId(),
  });
  expect([refused.status, refused.body['message']]).toEqual([400, expect.stringContaining('fundingMethod')]);
  const { simplePaymentId } = await client.simplePayments.create({ ...PAYMENT, quoteId: await quoteId() });
  expect((await client.simplePayments.fund({ simplePaymentId })).status).toBe('processing');
  const { provider, client: other } = await answered({});
  for (const [wrong, field] of [
    [without('fundingMethod'), 'fundingMethod'],
    [{ ...PAYMENT, fundingMethod: 'BANK_TRANSFER' as const }, 'fundingBankAccountNumber'],
  ] as const)
    await expect(other.simplePayments.create(wrong)).rejects.toMatchObject({ name: 'InvalidRequest', field });
  expect(provider.requests).toEqual([]);
});

/** The bank codes that answers always show, null if a bank has none; any other field may be absent. */
const SHOWN_CODES = ['iban', 'aba', 'bsbCode', 'sortCode', 'institutionNo', 'bankCode', 'branchCode', 'cnaps', 'clabe'];

test('trap 37: bank codes that are null and absent fields are both read as null', async () => {
  const { raw, client } = await aSandboxAndItsClient();
  const { beneficiaryId } = await client.beneficiaries.create(aGerman('One'));
  const shown = (await raw.get(`/beneficiaries/v1/item/${beneficiaryId}`)).body['data']!['bankAccount']!;
  const { iban } = aGermanCompany.bankAccount;
  const codes = Object.fromEntries(SHOWN_CODES.map((code) => [code, code === 'iban' ? iban : null]));
  expect(Object.fromEntries(SHOWN_CODES.map((code) => [code, shown[code]]))).toEqual(codes);
  const { client: other } = await answered({
    data: { beneficiaryId: 'b-1', country: 'DE', bankAccount: { country: 'DE', ...codes } },
  });
  const read = await other.beneficiaries.item('b-1');
  expect(read).toMatchObject({ city: null, nickname: null });
  expect(read.bankAccount).toMatchObject({ ...codes, accountNumber: null, bicSwift: null, ifscCode: null });
  const { client: sparing } = await answered({ data: { beneficiaryId: 'b-1', bankAccount: { iban } } });
  expect((await sparing.beneficiaries.item('b-1')).bankAccount).toMatchObject(codes);
});

test('trap 32: payment quotes, payments and conversions still have their deprecated fields', async () => {
  const { raw } = await aSandboxAndItsClient();
  const quote = await raw.aQuote();
  const payment = (await raw.create({ quoteId: quote['quoteId'] })).body['data']!;
  const exchange = { sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount: 100 };
  const conversionQuote = (await raw.post('/conversions/v1/quote', exchange)).body['data']!;
  const { quoteId } = conversionQuote;
  const conversion = (await raw.post('/conversions/v1/create', { quoteId })).body['data']!;
  expect(Object.keys(quote)).toEqual(
    expect.arrayContaining(['midMarketRate', 'conversionDate', 'setlementCutOffTime']),
  );
  expect(Object.keys(payment)).toEqual(expect.arrayContaining(['beneficiaryName', 'settlementDate', 'paymentDate']));
  expect(conversionQuote).toHaveProperty('settlementCutOffTime');
  expect(Object.keys(conversion)).toEqual(expect.arrayContaining(['id', 'username', 'conversionDate']));
  expect(conversion['id']).toBe(conversion['conversionId']);
});
