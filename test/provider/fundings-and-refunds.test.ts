import { describe, expect, test } from 'vitest';
import { parseWebhook } from '../../provider/webhooks/webhooks.ts';
import { AUTHENTICATE, aClient, aLocalProvider, type LocalProvider, type Reply } from './local-provider.ts';

async function answering(reply: Reply) {
  const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : reply));
  return { provider, client: aClient(provider) };
}

const funding = (id: number, more: object = {}): object => ({
  id: `f-${id}`,
  currency: 'SGD',
  amount: id,
  status: 'completed',
  ...more,
});

/** A provider with pages of two, whose first page has the number `base`; null for one that ignores the number. */
async function aPagedProvider(count: number, base: number | null): Promise<LocalProvider> {
  const all = Array.from({ length: count }, (_, index) => funding(index + 1));
  return aLocalProvider(({ path }) => {
    if (path === AUTHENTICATE) return undefined;
    const asked = new URL(path, 'http://provider.invalid').searchParams.get('pagination[page]');
    const first = base === null || asked === null ? 0 : (Number(asked) - base) * 2;
    return { body: { value: all.slice(first, first + 2) } };
  });
}

const pagesAsked = (provider: LocalProvider): (string | null)[] =>
  provider
    .apiRequests()
    .map(({ path }) => new URL(path, 'http://provider.invalid').searchParams.get('pagination[page]'));

describe('fundings', () => {
  test('a funding is read without an envelope, exactly, with either spelling of its account, and with an unknown status', async () => {
    const { provider, client } = await answering({
      body: '{"id":"f-1","balanceId":"x-1","accountID":"a-1","currency":"SGD","amount":90071992547409.930,"status":"held"}',
    });
    const expected = { id: 'f-1', balanceId: 'x-1', accountId: 'a-1', amount: '90071992547409.930', status: 'held' };
    const read = await client.fundings.get('f-1');
    expect(read).toMatchObject(expected);
    expect(read).not.toHaveProperty('accountID');
    provider.respond = () => ({ body: funding(1, { accountId: 'a-2' }) });
    expect(await client.fundings.get('f-1')).toMatchObject({ accountId: 'a-2', balanceId: null });
    expect(provider.apiRequests()[0]).toMatchObject({ method: 'GET', path: '/v2/fundings/f-1' });
  });

  test('a page is read without a funding that cannot be read, which is known again by its digest', async () => {
    const { client } = await answering({
      body: { value: [funding(1), { ...funding(2), amount: 'much' }, funding(3)] },
    });
    const { entries, unreadable } = await client.fundings.pageReadable();
    expect(entries.map(({ id }) => id)).toEqual(['f-1', 'f-3']);
    expect(unreadable).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect((await client.fundings.pageReadable()).unreadable).toEqual(unreadable);
  });

  test('trap 21: the reference of a funding is its own, not a payment’s', async () => {
    const { client } = await answering({ body: funding(1, { reference: 'ABC123' }) });
    const read = await client.fundings.get('f-1');
    expect(read.reference).toBe('ABC123');
    expect(read).not.toHaveProperty('referenceId');
  });

  test.each([
    ['1', 5, 1, [null, '1', '2', '3', '4']],
    ['0', 5, 0, [null, '1', '2', '3']],
    ['1, with one page', 2, 1, [null, '1', '2']],
    ['0, with one page', 2, 0, [null, '1']],
    ['none, with one page', 0, 1, [null]],
    ['ignored', 2, null, [null, '1', '2']],
  ])('trap 18: all pages are read, and no more, when the first page is number %s', async (_, count, base, asked) => {
    const provider = await aPagedProvider(count, base);
    const all = await aClient(provider).fundings.list();
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, index) => `f-${index + 1}`));
    expect(pagesAsked(provider)).toEqual(asked);
  });

  test('a funding that moves to another page during the reading is listed once, as last read', async () => {
    const provider = await aLocalProvider(({ path }) => {
      if (path === AUTHENTICATE) return undefined;
      if (path.endsWith('fundings')) return { body: [funding(2), funding(1, { status: 'pending' })] };
      return { body: path.endsWith('=1') ? [funding(1), funding(0)] : [] };
    });
    const all = await aClient(provider).fundings.list();
    expect(all.map(({ id, status }) => [id, status])).toEqual([
      ['f-2', 'completed'],
      ['f-1', 'completed'],
      ['f-0', 'completed'],
    ]);
  });

  test('a filter is sent with every page; an invalid page number is refused before a request is sent', async () => {
    const provider = await aPagedProvider(1, 1);
    const client = aClient(provider);
    await client.fundings.list({ status: 'pending' });
    expect(
      provider.apiRequests().map(({ path }) => new URL(path, 'http://p.invalid').searchParams.get('status')),
    ).toEqual(['pending', 'pending', 'pending']);
    provider.requests.length = 0;
    await client.fundings.page({ page: 7, status: 'failed' });
    expect(provider.requests[0]?.path).toBe('/v2/fundings?pagination%5Bpage%5D=7&status=failed');
    await expect(client.fundings.page({ page: 1.5 })).rejects.toMatchObject({ name: 'InvalidRequest', field: 'page' });
    await expect(client.fundings.get('..')).rejects.toMatchObject({ name: 'InvalidRequest' });
    expect(provider.requests).toHaveLength(1);
  });

  test('a failed page makes the list fail, so that no funding looks absent', async () => {
    const provider = await aLocalProvider(({ path }) => {
      if (path === AUTHENTICATE) return undefined;
      return path.includes('page') ? { status: 500 } : { body: { value: [funding(1)] } };
    });
    await expect(aClient(provider).fundings.list()).rejects.toMatchObject({ kind: 'unknown_outcome' });
  });
});

describe('refunds', () => {
  test.each([['"12.50"'], ['12.50']])('an amount of %s is the decimal string 12.50', async (amount) => {
    const { client } = await answering({
      body: `{"value":[{"id":"r-1","resource":"simple_payment","resourceId":"p-1","currency":"SGD","amount":${amount}}]}`,
    });
    expect(await client.refunds.list()).toEqual([
      { id: 'r-1', resource: 'simple_payment', resourceId: 'p-1', currency: 'SGD', amount: '12.50', remarks: null },
    ]);
  });

  test('trap 3: the payment that a refund event belongs to is read from the refund, which has no status', async () => {
    const { provider, client } = await answering({
      body: { id: 'r-1', resource: 'simple_payment', resourceId: 'p-1', currency: 'SGD', amount: '5' },
    });
    const event = parseWebhook('{"refundId":"r-1","resource":"simple_payment","status":"completed"}');
    if (event.kind !== 'refund') throw new Error('not read as a refund');
    const refund = await client.refunds.get(event.refundId);
    expect(refund).toMatchObject({ resource: 'simple_payment', resourceId: 'p-1' });
    expect(refund).not.toHaveProperty('status');
    expect(provider.apiRequests()[0]).toMatchObject({ method: 'GET', path: '/v2/refunds/r-1' });
  });
});
