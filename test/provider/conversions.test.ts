import { describe, expect, test } from 'vitest';
import { AUTHENTICATE, aClient, aLocalProvider, type Reply } from './local-provider.ts';

async function answering(reply: Reply) {
  const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : reply));
  return { provider, conversions: aClient(provider).conversions };
}

const QUOTE = `{"data":{"quoteId":"q-1","currencyPair":"USDSGD","buyCurrency":"USD","sellCurrency":"SGD",
  "buyAmount":1000.10,"sellAmount":"1350.00","rate":0.7408,"totalFees":1.5,"totalFee":9,"totalAmount":1351.5,
  "fixedSide":"buy","settlementCutOffTime":"2026-03-02"}}`;

const REQUEST = { buyCurrency: 'USD', sellCurrency: 'SGD', fixedSide: 'buy', amount: '1000.10' } as const;

const conversion = (more: object = {}): object => ({ conversionId: 'c-1', status: 'awaiting_funds', ...more });

describe('quote', () => {
  test('trap 7: the fees of a conversion are totalFees, read exactly', async () => {
    const { provider, conversions } = await answering({ body: QUOTE });
    expect(await conversions.quote(REQUEST)).toMatchObject({
      quoteId: 'q-1',
      buyAmount: '1000.10',
      sellAmount: '1350.00',
      totalFees: '1.5',
      totalAmount: '1351.5',
    });
    expect(provider.apiRequests()[0]).toMatchObject({
      method: 'POST',
      path: '/conversions/v1/quote',
      body: '{"buyCurrency":"USD","sellCurrency":"SGD","fixedSide":"buy","amount":1000.10}',
    });
  });

  test('trap 29: a conversion has no default for its fixed side', async () => {
    const { provider, conversions } = await answering({ body: QUOTE });
    const withoutSide = { ...REQUEST, fixedSide: undefined } as unknown as typeof REQUEST;
    await expect(conversions.quote(withoutSide)).rejects.toMatchObject({
      name: 'InvalidRequest',
      field: 'fixedSide',
    });
    expect(provider.requests).toEqual([]);
  });
});

describe('create and fund', () => {
  test('a conversion is created and funded by its ids', async () => {
    const { provider, conversions } = await answering({
      body: { data: conversion({ fundingCutoffTime: '2026-03-02T09:00:00Z' }) },
    });
    await conversions.create({ quoteId: 'q-1', referenceId: 'r-1', uniqueReferenceId: true });
    expect((await conversions.item('c-1')).fundingCutoffTime?.epochMs).toBe(Date.parse('2026-03-02T09:00:00Z'));
    await conversions.fund({ conversionId: 'c-1' });
    expect(provider.apiRequests().map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/conversions/v1/create', '{"quoteId":"q-1","referenceId":"r-1","uniqueReferenceId":true}'],
      ['GET', '/conversions/v1/item/c-1', ''],
      ['POST', '/conversions/v1/fund', '{"conversionId":"c-1"}'],
    ]);
  });

  test('trap 4: neither an answer with awaiting_funds nor an unknown outcome makes the client fund again', async () => {
    const { provider, conversions } = await answering({ body: { data: conversion() } });
    expect(await conversions.fund({ conversionId: 'c-1' })).toMatchObject({ status: 'awaiting_funds' });
    provider.respond = () => ({ status: 502 });
    await expect(conversions.fund({ conversionId: 'c-1' })).rejects.toMatchObject({
      kind: 'unknown_outcome',
    });
    expect(provider.apiRequests()).toHaveLength(2);
  });

  test('an answer about another conversion than the one asked for is unreadable, whatever its status', async () => {
    const { conversions } = await answering({
      body: { data: conversion({ conversionId: 'c-2', status: 'completed' }) },
    });
    const unreadable = { kind: 'unknown_outcome', httpStatus: 200 };
    await expect(conversions.fund({ conversionId: 'c-1' })).rejects.toMatchObject(unreadable);
    await expect(conversions.item('c-1')).rejects.toMatchObject(unreadable);
    expect(await conversions.item('c-2')).toMatchObject({ status: 'completed' });
  });

  test.each<[Reply, string]>([
    [{ status: 409 }, 'duplicate_reference'],
    [{ status: 400, body: { message: 'referenceId already exists' } }, 'duplicate_reference'],
    [{ status: 400, body: { message: 'the quote has expired' } }, 'refused'],
  ])('trap 21: a creation answered by %j is %s', async (reply, kind) => {
    const { conversions } = await answering(reply);
    const creation = conversions.create({ quoteId: 'q-1', referenceId: 'r-1', uniqueReferenceId: true });
    await expect(creation).rejects.toMatchObject({ kind });
  });

  test('a reference that is to be unique must be given', async () => {
    const { provider, conversions } = await answering({});
    await expect(conversions.create({ quoteId: 'q-1', uniqueReferenceId: true })).rejects.toMatchObject({
      name: 'InvalidRequest',
      field: 'referenceId',
    });
    expect(provider.requests).toEqual([]);
  });

  test('trap 32: deprecated fields are kept and replace nothing', async () => {
    const { conversions } = await answering({ body: { data: conversion({ id: 'old', username: 'u' }) } });
    expect(await conversions.item('c-1')).toMatchObject({ conversionId: 'c-1', id: 'old', username: 'u' });
  });
});

describe('find', () => {
  test('the newest are first, those without a readable time last', async () => {
    const { provider, conversions } = await answering({
      body: {
        data: [
          conversion({ conversionId: 'no time' }),
          conversion({ conversionId: 'old', createdAt: '2026-03-01T08:00:00Z' }),
          conversion({ conversionId: 'new', createdAt: '2026-03-02 08:00:00' }),
        ],
      },
    });
    const found = await conversions.find({ startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-03T00:00:00Z' });
    expect(found.map(({ conversionId }) => conversionId)).toEqual(['new', 'old', 'no time']);
    expect(JSON.parse(provider.apiRequests()[0]!.body)).toEqual({
      startDate: '2026-03-01T00:00:00.000Z',
      endDate: '2026-03-03T00:00:00.000Z',
    });
  });

  test('of the conversions that a provider finds, only those with the exact reference are returned', async () => {
    const { conversions } = await answering({
      body: [conversion({ referenceId: 'r-10' }), conversion({ referenceId: 'r-1' }), conversion()],
    });
    expect((await conversions.find({ referenceId: 'r-1' })).map(({ referenceId }) => referenceId)).toEqual(['r-1']);
    expect(await conversions.find()).toHaveLength(3);
  });

  test('trap 19: a range must end after it starts; adjacent ranges share an instant', async () => {
    const { provider, conversions } = await answering({ body: [] });
    const moment = '2026-03-02T08:00:00Z';
    await expect(conversions.find({ startDate: moment, endDate: moment })).rejects.toMatchObject({ field: 'endDate' });
    await conversions.find({ endDate: moment });
    await conversions.find({ startDate: moment });
    const [before, after] = provider.apiRequests().map(({ body }) => JSON.parse(body) as Record<string, string>);
    expect(before?.endDate).toBe(after?.startDate);
  });
});
