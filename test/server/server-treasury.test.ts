import { describe, expect, it } from 'vitest';
import { CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import { anOrderDetail, ORDER } from './fake-treasury.ts';
import { anApp } from './server-harness.ts';

const URL = '/api/v1/treasury/orders';
const NEW = { sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount: '1000.00' };
const headers = { 'idempotency-key': 'key-1' };

describe('an order', () => {
  it('is placed under an Idempotency-Key, which is required', async () => {
    const { as, application } = anApp();
    expect((await as('treasurer', { method: 'POST', url: URL, payload: NEW })).statusCode).toBe(400);
    const spaced = { 'idempotency-key': 'a key' };
    expect((await as('treasurer', { method: 'POST', url: URL, payload: NEW, headers: spaced })).statusCode).toBe(400);
    const placed = await as('treasurer', { method: 'POST', url: URL, payload: NEW, headers });
    expect([placed.statusCode, placed.json()]).toMatchObject([200, { amount: '1000.00', account: 'default' }]);
    expect(application.calls.at(-1)).toMatchObject({ asked: { idempotencyKey: 'key-1' } });
  });

  it.each([
    [{ amount: 1000 }, 'amount'],
    [{ amount: '0.00' }, 'amount'],
    [{ amount: '1e3' }, 'amount'],
    [{ buyCurrency: 'USD' }, 'buyCurrency'],
    [{ sellCurrency: 'usd' }, 'sellCurrency'],
    [{ fixedSide: 'both' }, 'fixedSide'],
    [{ fixedSide: 'buy' }, 'cap'],
    [{ limitPrice: { buyPerSellAtLeast: '0' } }, 'limitPrice'],
    [{ limitPrice: { buyPerSellAtLeast: '1', sellPerBuyAtMost: '1' } }, 'limitPrice'],
    [{ maxCostBps: '1%' }, 'maxCostBps'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ total: '1' }, 'total'],
  ])('%j is refused, and the field is named', async (parts, field) => {
    const { as } = anApp();
    const answer = await as('treasurer', { method: 'POST', url: URL, payload: { ...NEW, ...parts }, headers });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(field);
  });

  it.each(CONVERSION_STATES)('may be %s, and is listed by its state', async (state) => {
    const { as, application } = anApp();
    application.orders.set(ORDER, anOrderDetail({ state }));
    expect((await as('viewer', { url: `${URL}/${ORDER}` })).json()).toMatchObject({ state });
    expect((await as('viewer', { url: `${URL}?state=${state}` })).json()).toMatchObject({
      orders: [{ orderId: ORDER }],
    });
  });

  it('that does not exist is not found, and what is no id names none', async () => {
    const { as } = anApp();
    expect((await as('viewer', { url: `${URL}/${ORDER}` })).statusCode).toBe(404);
    expect((await as('viewer', { url: `${URL}/mine` })).statusCode).toBe(400);
  });

  it('of another account does not exist for a user who is limited', async () => {
    const { as, application } = anApp();
    application.orders.set(ORDER, anOrderDetail({ account: 'asia' }));
    for (const [token, user] of application.users) application.users.set(token, { ...user, accounts: ['europe'] });
    expect((await as('viewer', { url: `${URL}/${ORDER}` })).statusCode).toBe(404);
    const payload = { orderHash: 'a'.repeat(64) };
    const approval = await as('checker', { method: 'POST', url: `${URL}/${ORDER}/approve`, payload });
    expect(approval.statusCode).toBe(404);
    expect(application.calls.filter(({ method }) => method === 'decideOrder')).toEqual([]);
    expect((await as('viewer', { url: URL })).json()).toEqual({ orders: [], nextAfter: null });
  });

  it('is decided on by the hash of its terms, and by nothing less', async () => {
    const { as, application } = anApp();
    application.orders.set(ORDER, anOrderDetail());
    const approve = (payload: object) => as('checker', { method: 'POST', url: `${URL}/${ORDER}/approve`, payload });
    expect((await approve({})).statusCode).toBe(400);
    expect((await approve({ orderHash: 'a'.repeat(12) })).statusCode).toBe(400);
    expect((await approve({ orderHash: 'a'.repeat(64) })).json()).toMatchObject({ state: 'approved' });
  });
});
