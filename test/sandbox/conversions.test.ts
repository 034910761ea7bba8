import { expect, test } from 'vitest';
import { aReceiver } from './a-receiver.ts';
import { aSandbox, asText, type Answer, type Caller, type Loose } from './a-sandbox.ts';
import { eventually } from '../helpers/until.ts';

const minuteMs = 60_000;

const quoted = async (caller: Caller, differences: Record<string, unknown> = {}): Promise<Loose> => {
  const order = { sellCurrency: 'USD', buyCurrency: 'JPY', fixedSide: 'sell', amount: 1000, ...differences };
  return (await caller.post('/conversions/v1/quote', order)).body['data']!;
};

const created = async (caller: Caller, differences: Record<string, unknown> = {}): Promise<Loose> => {
  const { quoteId } = await quoted(caller);
  return (await caller.post('/conversions/v1/create', { quoteId, ...differences })).body['data']!;
};

const fund = (caller: Caller, conversion: Loose): Promise<Answer> =>
  caller.post('/conversions/v1/fund', { conversionId: conversion['conversionId'] });

const refusal = ({ status, body }: Answer): unknown[] => [status, body['code']];

test('a conversion costs its sell amount and the fees, and the amount of the fixed side is unchanged', async () => {
  const caller = await (await aSandbox()).signIn();
  const sell = await quoted(caller);
  expect(sell).toMatchObject({ currencyPair: 'JPYUSD', sellAmount: 1000, totalFees: 2.5, totalAmount: 1002.5 });
  expect(Number.isInteger(sell['buyAmount'])).toBe(true);
  expect(sell).toHaveProperty('settlementCutOffTime');
  expect(await quoted(caller, { fixedSide: 'buy', amount: 5000 })).toMatchObject({ buyAmount: 5000, fixedSide: 'buy' });
});

test.each([
  [{ fixedSide: undefined }, 'fixedSide'],
  [{ amount: 0 }, 'amount'],
  [{ amount: 1.005 }, 'amount'],
  [{ buyCurrency: 'USD' }, 'buyCurrency'],
  [{ sellCurrency: 'CNY' }, 'sellCurrency'],
])('a quote of %j is refused and the field is named', async (differences, field) => {
  const caller = await (await aSandbox()).signIn();
  const order = { sellCurrency: 'USD', buyCurrency: 'JPY', fixedSide: 'sell', amount: 1000, ...differences };
  const answer = await caller.post('/conversions/v1/quote', order);
  expect(refusal(answer)).toEqual([400, 'validation_failed']);
  expect(answer.body['message']).toContain(`${field}:`);
});

test('a quote can be used once, within ten minutes', async () => {
  const caller = await (await aSandbox()).signIn();
  const [used, late] = [await quoted(caller), await quoted(caller)];
  caller.sandbox.advance(10 * minuteMs);
  const create = (quoteId: unknown): Promise<Answer> => caller.post('/conversions/v1/create', { quoteId });
  expect((await create(used['quoteId'])).status).toBe(200);
  expect(refusal(await create(used['quoteId']))).toEqual([409, 'quote_used']);
  caller.sandbox.advance(1);
  expect(refusal(await create(late['quoteId']))).toEqual([400, 'quote_expired']);
  expect(refusal(await create('none'))).toEqual([404, 'quote_not_found']);
});

test('funding debits the total at once, the status is unchanged, and completion credits the bought amount', async () => {
  const { url, received } = await aReceiver();
  const options = { balances: { USD: '2000.00', JPY: '0' }, webhookUrl: url };
  const caller = await (await aSandbox(options)).signIn();
  const conversion = await created(caller, { referenceId: 'fx-1' });
  expect(conversion).toMatchObject({ status: 'awaiting_funds', id: conversion['conversionId'], referenceId: 'fx-1' });
  expect(conversion).toHaveProperty('username');
  expect(conversion).toHaveProperty('conversionDate');
  expect((await fund(caller, conversion)).body['data']).toMatchObject({ status: 'awaiting_funds' });
  expect(caller.sandbox.ledger()).toMatchObject({ balances: { USD: '997.50', JPY: '0' }, invariantHolds: true });
  expect(refusal(await fund(caller, conversion))).toEqual([409, 'not_fundable']);
  caller.sandbox.advance(minuteMs);
  const { body } = await caller.get(`/conversions/v1/item/${asText(conversion['conversionId'])}`);
  expect(body['data']).toMatchObject({ status: 'completed' });
  expect(caller.sandbox.ledger()).toMatchObject({
    balances: { USD: '997.50', JPY: asText(conversion['buyAmount']) },
    invariantHolds: true,
  });
  await eventually(() => expect(received).toHaveLength(2));
  const event = { resource: 'conversion', resourceId: conversion['conversionId'] };
  expect(received.map((each) => each.body)).toEqual([
    { ...event, status: 'awaiting_funds' },
    { ...event, status: 'completed' },
  ]);
});

test.each([
  ['same', '3997.50', false],
  ['charge', '2995.00', true],
] as const)('funding a conversion again, switched to %s, leaves %s', async (secondFunding, left, isTwice) => {
  const caller = await (await aSandbox({ balances: { USD: '5000.00', JPY: '0' }, secondFunding })).signIn();
  const conversion = await created(caller);
  for (let times = 0; times < 2; times += 1) expect((await fund(caller, conversion)).status).toBe(200);
  const fundedMoreThanOnce = isTwice ? [conversion['conversionId']] : [];
  expect(caller.sandbox.ledger()).toMatchObject({ balances: { USD: left }, fundedMoreThanOnce, invariantHolds: true });
});

test('funding is refused for an insufficient balance, after the cut-off and for an unknown conversion, and nothing is debited', async () => {
  const caller = await (await aSandbox({ balances: { USD: '1002.49' }, fundingDeadlineMs: minuteMs })).signIn();
  const conversion = await created(caller);
  expect(refusal(await fund(caller, conversion))).toEqual([400, 'insufficient_balance']);
  await caller.post('/__sandbox/balance', { currency: 'USD', credit: '1.00' });
  caller.sandbox.advance(minuteMs + 1);
  expect(refusal(await fund(caller, conversion))).toEqual([409, 'funding_cutoff_passed']);
  expect(refusal(await caller.post('/conversions/v1/fund', { conversionId: 'none' }))).toEqual([404, 'not_found']);
  expect(caller.sandbox.ledger()).toMatchObject({ balances: { USD: '1003.49' }, invariantHolds: true });
});

test('conversions are found by time and reference, newest first, and a unique reference is used once', async () => {
  const caller = await (await aSandbox()).signIn();
  await created(caller, { referenceId: 'fx-1' });
  caller.sandbox.advance(1000);
  const second = await created(caller, { referenceId: 'fx-2' });
  const found = async (body: unknown): Promise<unknown[]> =>
    ((await caller.post('/conversions/v1/find', body)).body['data'] as unknown as Loose[]).map(
      (each) => each['referenceId'],
    );
  expect(await found({})).toEqual(['fx-2', 'fx-1']);
  expect(await found({ endDate: second['createdAt'] })).toEqual(['fx-1']);
  expect(await found({ referenceId: 'fx-2' })).toEqual(['fx-2']);
  const again = { quoteId: (await quoted(caller))['quoteId'], referenceId: 'fx-2', uniqueReferenceId: true };
  expect(refusal(await caller.post('/conversions/v1/create', again))).toEqual([409, 'duplicate_reference']);
});

test('an unfunded conversion that an operator completes is credited once and not debited', async () => {
  const caller = await (await aSandbox({ balances: { USD: '5.00', JPY: '0' } })).signIn();
  const { conversionId, buyAmount } = await created(caller);
  for (const status of ['completed', 'awaiting_funds', 'completed']) {
    expect((await caller.post('/__sandbox/force', { conversionId, status })).status).toBe(200);
  }
  expect(caller.sandbox.ledger()).toMatchObject({
    balances: { USD: '5.00', JPY: asText(buyAmount) },
    invariantHolds: true,
  });
});
