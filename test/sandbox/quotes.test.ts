import Big from 'big.js';
import { expect, test } from 'vitest';
import { aSandbox, asText, type Answer, type Caller, type Loose } from './a-sandbox.ts';
import { aCompanyIn, sampleCodes } from './sample-accounts.ts';

const quote = (caller: Caller, differences: Record<string, unknown>): Promise<Answer> =>
  caller.post('/simple-payments/v1/quote', {
    beneficiaryId: null,
    sellCurrency: 'USD',
    buyCurrency: 'EUR',
    amount: 100,
    ...differences,
  });

const big = (value: Loose | undefined): Big => new Big(asText(value));

test('the buy amount is the sell amount times the rate, rounded to the decimals of the buy currency', async () => {
  const caller = await (await aSandbox()).signIn();
  for (const [buyCurrency, decimals] of [
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['IDR', 2],
  ] as const) {
    const data = (await quote(caller, { buyCurrency, amount: 1234.57 })).body['data']!;
    expect(data['sellAmount']).toBe(1234.57);
    expect(big(data['buyAmount']).eq(new Big('1234.57').times(big(data['rate'])).round(decimals))).toBe(true);
  }
});

test('the amount of the fixed side is unchanged, and the other is calculated with the rate', async () => {
  const caller = await (await aSandbox()).signIn();
  const data = (await quote(caller, { fixedSide: 'buy', amount: 50.01 })).body['data']!;
  expect([data['fixedSide'], data['buyAmount']]).toEqual(['buy', 50.01]);
  expect(big(data['sellAmount']).eq(new Big('50.01').div(big(data['rate'])).round(2))).toBe(true);
});

test.each(['LOCAL', 'SWIFT-SHA', 'SWIFT-OUR'])(
  'the total by %s is the amount, its fees and the bank charges',
  async (channel) => {
    const caller = await (await aSandbox()).signIn();
    const data = (await quote(caller, { paymentChannel: channel, amount: 800.02 })).body['data']!;
    expect(big(data['conversionFee']).plus(big(data['paymentFee'])).eq(big(data['totalFee']))).toBe(true);
    const sum = big(data['sellAmount']).plus(big(data['totalFee'])).plus(big(data['bankCharges']));
    expect(sum.eq(big(data['totalAmount']))).toBe(true);
    expect(big(data['bankCharges']).gt(0)).toBe(channel === 'SWIFT-OUR');
    expect(data['conversionFee']).toBe(2);
  },
);

test("amounts are written at their currency's decimals, without float digits", async () => {
  const caller = await (await aSandbox()).signIn();
  const { text } = await quote(caller, { sellCurrency: 'JPY', buyCurrency: 'KWD', amount: 300_000 });
  expect(text).toMatch(/"sellAmount":300000,/);
  expect(text).toMatch(/"buyAmount":\d+\.\d{3},/);
  const large = '{"beneficiaryId":null,"sellCurrency":"USD","buyCurrency":"EUR","amount":99999999999.99}';
  const answer = await caller.send('POST', '/simple-payments/v1/quote', large);
  expect(answer.text).toContain('"sellAmount":99999999999.99,');
});

test('deprecated fields are still sent', async () => {
  const caller = await (await aSandbox()).signIn();
  const data = (await quote(caller, {})).body['data']!;
  const deprecated = ['midMarketRate', 'feeRate', 'conversionFeeRate', 'paymentFeeRate', 'totalFeeRate'];
  for (const field of [...deprecated, 'conversionDate', 'setlementCutOffTime']) expect(data).toHaveProperty(field);
});

test.each([
  [{ beneficiaryId: undefined }, 400, 'beneficiaryId'],
  [{ beneficiaryId: 'nobody' }, 404, 'beneficiary'],
  [{ sellCurrency: 'XYZ' }, 400, 'sellCurrency'],
  [{ sellCurrency: 'INR' }, 400, 'sellCurrency: INR can be bought but not sold'],
  [{ buyCurrency: 'XYZ' }, 400, 'buyCurrency'],
  [{ amount: '100' }, 400, 'amount: must be a number'],
  [{ amount: 0 }, 400, 'amount: must be more than zero'],
  [{ amount: 1.001 }, 400, 'amount: USD has 2 decimal places'],
  [{ sellCurrency: 'JPY', amount: 1.5 }, 400, 'amount: JPY has 0 decimal places'],
  [{ fixedSide: 'both' }, 400, 'fixedSide'],
  [{ paymentChannel: 'SWIFT_OUR' }, 400, 'paymentChannel'],
])('a quote with %j is refused', async (differences, status, message) => {
  const caller = await (await aSandbox()).signIn();
  const answer = await quote(caller, differences);
  expect(answer.status).toBe(status);
  expect(answer.body['message']).toContain(message);
});

test("the channel is that of the beneficiary's corridor, and a channel that does not reach the bank is refused", async () => {
  const caller = await (await aSandbox()).signIn();
  const account = { currency: 'USD', country: 'SG', ...sampleCodes('SG', 'SWIFT') };
  const beneficiaryId = await caller.aBeneficiary(aCompanyIn('SG', account));
  const decided = await quote(caller, { beneficiaryId, sellCurrency: 'SGD', buyCurrency: 'USD' });
  expect(decided.body['data']!['paymentChannel']).toBe('SWIFT-SHA');
  expect((await caller.aQuote())['paymentChannel']).toBe('LOCAL');
  const local = await quote(caller, { beneficiaryId, buyCurrency: 'USD', paymentChannel: 'LOCAL' });
  expect([local.status, local.body['message']]).toEqual([400, 'paymentChannel: USD reaches banks in SG by SWIFT only']);
  const otherCurrency = await quote(caller, { beneficiaryId, buyCurrency: 'EUR' });
  expect(otherCurrency.body['message']).toContain('buyCurrency');
});

test('a payment in one currency has the rate 1 and no conversion fee', async () => {
  const caller = await (await aSandbox()).signIn();
  const data = (await quote(caller, { sellCurrency: 'EUR' })).body['data']!;
  expect(data).toMatchObject({ rate: 1, buyAmount: 100, sellAmount: 100, conversionFee: 0 });
});

test('supporting documents are required from 100,000 dollars on, and for amounts that end in 15', async () => {
  const caller = await (await aSandbox()).signIn();
  const required = async (sellCurrency: string, amount: number): Promise<unknown> =>
    (await quote(caller, { sellCurrency, buyCurrency: 'CHF', amount })).body['data']!['supportingDocumentsRequired'];
  expect(await required('USD', 99_999.99)).toBe(false);
  expect(await required('USD', 100_000)).toBe(true);
  expect(await required('GBP', 78_000)).toBe(true);
  expect(await required('USD', 20.15)).toBe(true);
  expect(await required('JPY', 10_015)).toBe(true);
});

test('the earlier variant says nothing about documents', async () => {
  const caller = await (await aSandbox({ paymentVariant: 'earlier' })).signIn();
  expect((await quote(caller, {})).body['data']).not.toHaveProperty('supportingDocumentsRequired');
});

test("a partner's fee has the decimals of the sell currency, as the balance has", async () => {
  const caller = await (await aSandbox({ ultimatePartner: true })).signIn();
  const beneficiaryId = await caller.aBeneficiary();
  const order = { beneficiaryId, sellCurrency: 'USD', buyCurrency: 'EUR', amount: 100, partner: { fee: 0.125 } };
  const { status, body } = await caller.post('/simple-payments/v1/quote', order);
  expect([status, body['message']]).toEqual([400, 'partner.fee: USD has 2 decimal places']);
});

test("a partner's fee and markup are ignored, unless the caller is an ultimate partner", async () => {
  const partner = { fee: 3.5, markup: 2 };
  const plain = await (await aSandbox()).signIn();
  const ultimate = await (await aSandbox({ ultimatePartner: true })).signIn();
  const [ignored, counted] = [await quote(plain, { partner }), await quote(ultimate, { partner })];
  const [without, withPartner] = [ignored.body['data']!, counted.body['data']!];
  expect(without).toMatchObject({ partnerPaymentFee: 0 });
  expect(without['partnerRate']).toBe(without['rate']);
  expect(withPartner).toMatchObject({ partnerPaymentFee: 3.5, partnerSellAmount: 100 });
  expect(big(withPartner['rate']).lt(big(withPartner['partnerRate']))).toBe(true);
  expect(big(withPartner['buyAmount']).lt(big(withPartner['partnerBuyAmount']))).toBe(true);
});

test('rates are constant within a minute, change with the next one, and are the same for the same seed', async () => {
  const caller = await (await aSandbox({ seed: 7 })).signIn();
  const again = await (await aSandbox({ seed: 7 })).signIn();
  const other = await (await aSandbox({ seed: 8 })).signIn();
  const rate = async (of: Caller): Promise<string> => (await of.get('/currencies/v1/rates/EURUSD')).text;
  const first = await rate(caller);
  expect(await rate(again)).toBe(first);
  expect(await rate(other)).not.toBe(first);
  caller.sandbox.advance(59_999);
  expect(await rate(caller)).toBe(first);
  caller.sandbox.advance(1);
  expect(await rate(caller)).not.toBe(first);
});

test('the bid is below the ask, and quotes use the bid', async () => {
  const caller = await (await aSandbox()).signIn();
  const { body } = await caller.get('/currencies/v1/rates/EURUSD');
  expect(big(body['data']!['bid']).lt(big(body['data']!['ask']))).toBe(true);
  expect((await quote(caller, {})).body['data']!['rate']).toBe(body['data']!['bid']);
  expect((await caller.get('/currencies/v1/rates/EURXXX')).status).toBe(404);
  expect((await caller.get('/currencies/v1/rates/EUR')).status).toBe(400);
});

test('currencies have their decimals, and pairs are an array without pairs of one currency', async () => {
  const caller = await (await aSandbox()).signIn();
  const supported = (await caller.get('/currencies/v1/supported')).body['data'] as unknown as {
    code: string;
    decimalPlaces: number;
  }[];
  const decimals = Object.fromEntries(supported.map(({ code, decimalPlaces }) => [code, decimalPlaces]));
  expect(decimals).toMatchObject({ USD: 2, IDR: 2, JPY: 0, KRW: 0, VND: 0, KWD: 3, BHD: 3 });
  const pairs = (await caller.get('/currencies/v1/pairs')).body as unknown as string[];
  expect(pairs).toContain('EURUSD');
  expect(pairs).not.toContain('USDINR');
  expect(pairs.filter((pair) => pair.slice(0, 3) === pair.slice(3))).toEqual([]);
});
