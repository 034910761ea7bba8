import Big from 'big.js';
import { expect, test } from 'vitest';
import { parseWebhook } from '../../provider/webhooks/webhooks.ts';
import { invariantHolds } from '../../sandbox/account/ledger-invariant.ts';
import type { Account } from '../../sandbox/account/account.ts';
import { defaultOptions } from '../../sandbox/config/options.ts';
import { World } from '../../sandbox/world.ts';
import { aReceiver } from './a-receiver.ts';
import { aSandbox, asText, type Answer, type Caller, type Loose } from './a-sandbox.ts';
import { eventually } from '../helpers/until.ts';

const valuesOf = async (caller: Caller, path: string): Promise<Loose[]> =>
  (await caller.get(path)).body['value'] as unknown as Loose[];

const control = async (caller: Caller, call: string, body: unknown): Promise<Loose> => {
  const answer = await caller.post(`/__sandbox/${call}`, body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body;
};

test('a funding credits its balance once, when it completes, and every status is notified', async () => {
  const { url, received } = await aReceiver();
  const caller = await (await aSandbox({ balances: { USD: '10.00' }, webhookUrl: url })).signIn();
  const order = { currency: 'USD', amount: '90.50', reference: 'TOPUP', status: 'awaiting_funds' };
  const { fundingId } = await control(caller, 'fundings', order);
  expect(caller.sandbox.ledger().balances).toEqual({ USD: '10.00' });
  for (const status of ['pending', 'completed', 'pending', 'completed']) {
    await control(caller, 'force', { fundingId, status });
  }
  expect(caller.sandbox.ledger()).toMatchObject({ balances: { USD: '100.50' }, invariantHolds: true });
  const { text, body } = await caller.get(`/v2/fundings/${asText(fundingId)}`);
  expect(body).toMatchObject({ id: fundingId, currency: 'USD', reference: 'TOPUP', status: 'completed' });
  expect(text).toContain('"amount":90.50');
  const usd = (await caller.get('/balances/v1/item/USD')).body['data']!;
  expect(body['balanceId']).toBe(usd['id']);
  await eventually(() => expect(received).toHaveLength(5));
  expect(received[2]!.body).toEqual({ fundingId, resource: 'funding', status: 'completed' });
  expect((await caller.get('/v2/fundings/none')).body['code']).toBe('not_found');
});

test('fundings are listed newest first, twenty per page from page 1 on, and can be filtered by two statuses', async () => {
  const caller = await (await aSandbox()).signIn();
  for (let place = 1; place <= 21; place++) {
    const status = place === 1 ? 'pending' : 'completed';
    await control(caller, 'fundings', { currency: 'SGD', amount: 1, reference: `f${place}`, status });
  }
  const references = async (query: string): Promise<unknown[]> =>
    (await valuesOf(caller, `/v2/fundings${query}`)).map((each) => each['reference']);
  const first = await references('');
  expect([first.length, first[0], first.at(-1)]).toEqual([20, 'f21', 'f2']);
  expect(await references('?pagination[page]=1')).toEqual(first);
  expect(await references('?pagination%5Bpage%5D=2')).toEqual(['f1']);
  expect(await references('?pagination[page]=3')).toEqual([]);
  expect(await references('?status=pending')).toEqual(['f1']);
  expect((await caller.get('/v2/fundings?status=failed')).body['message']).toContain('status:');
  expect((await caller.get('/v2/fundings?pagination[page]=0')).body['message']).toContain('pagination[page]:');
});

test('a failed payment is refunded after a delay, and the refund shows no status', async () => {
  const { url, received } = await aReceiver();
  const options = { balances: { USD: '500.00' }, refundMs: 30_000, refundEvents: 'on' as const, webhookUrl: url };
  const caller = await (await aSandbox(options)).signIn();
  const payment = await caller.aPayment({ amount: 100.14 });
  await caller.fund(payment);
  caller.sandbox.advance(12_000);
  expect((await caller.read(payment))['status']).toBe('failed');
  expect(caller.sandbox.ledger()).toMatchObject({ balances: { USD: '398.11' }, invariantHolds: true });
  const [refund] = await valuesOf(caller, '/v2/refunds');
  expect(refund).toEqual({
    id: refund!['id'],
    resource: 'simple_payment',
    resourceId: payment['simplePaymentId'],
    currency: 'USD',
    amount: '101.89',
    remarks: 'Beneficiary bank returned the payment: name mismatch',
  });
  caller.sandbox.advance(30_000);
  expect(caller.sandbox.ledger()).toMatchObject({ balances: { USD: '500.00' }, invariantHolds: true });
  expect((await caller.get(`/v2/refunds/${asText(refund!['id'])}`)).body).toEqual(refund);
  await eventually(() => expect(received).toHaveLength(5));
  const event = { refundId: refund!['id'], resource: 'simple_payment' };
  expect(received.slice(3).map(({ body }) => body)).toEqual([
    { ...event, status: 'pending' },
    { ...event, status: 'completed' },
  ]);
});

test('a failed refund does not credit the balance until an operator completes it', async () => {
  const caller = await (await aSandbox({ balances: { USD: '500.00' }, refundMs: 30_000 })).signIn();
  await caller.fund(await caller.aPayment({ amount: 100.13 }));
  caller.sandbox.advance(12_000);
  const refundId = (await valuesOf(caller, '/v2/refunds'))[0]!['id'];
  await control(caller, 'force', { refundId, status: 'failed' });
  caller.sandbox.advance(60_000);
  expect(caller.sandbox.ledger()).toMatchObject({ balances: { USD: '398.12' }, invariantHolds: true });
  await control(caller, 'force', { refundId, status: 'completed' });
  expect(caller.sandbox.ledger()).toMatchObject({ balances: { USD: '500.00' }, invariantHolds: true });
});

test('a completed payment can be refunded manually once, and stays completed', async () => {
  const caller = await (await aSandbox({ balances: { USD: '500.00' }, refundAmount: 'number' })).signIn();
  const payment = await caller.aPayment();
  const refund = { simplePaymentId: payment['simplePaymentId'] };
  expect((await caller.post('/__sandbox/refunds', refund)).status).toBe(400);
  await caller.fund(payment);
  caller.sandbox.advance(60_000);
  await control(caller, 'refunds', refund);
  expect((await caller.read(payment))['status']).toBe('completed');
  expect(caller.sandbox.ledger()).toMatchObject({ balances: { USD: '500.00' }, invariantHolds: true });
  expect((await caller.get('/v2/refunds')).text).toContain('"amount":101.75');
  expect((await caller.post('/__sandbox/refunds', refund)).body['message']).toContain('simplePaymentId:');
});

const aRequest = { name: 'Rent Account 7', provider: 'bank-a', currency: 'IDR', description: 'Rent', type: 'open' };

const requested = (caller: Caller, differences: Record<string, unknown> = {}): Promise<Answer> =>
  caller.post('/virtual-accounts/v1/requests/create', { ...aRequest, ...differences });

test('a virtual account that an operator approved receives deposits, which credit the balance', async () => {
  const { url, received } = await aReceiver();
  const caller = await (await aSandbox({ balances: { IDR: '0.00' }, webhookUrl: url })).signIn();
  const request = (await requested(caller, { approveAsync: true })).body['data']!;
  const { requestId } = request;
  expect(request).toMatchObject({ status: 'pending', virtualAccountNo: 'Creating...', amount: null });
  expect([typeof request['userId'], typeof request['createdBy']]).toEqual(['number', 'number']);
  expect(request).not.toHaveProperty('approvedBy');
  expect((await caller.post('/__sandbox/deposits', { requestId, amount: 5 })).status).toBe(400);
  await control(caller, 'force', { requestId, status: 'approved' });
  const approved = (await caller.get(`/virtual-accounts/v1/requests/item/${asText(requestId)}`)).body['data']!;
  expect(approved).toMatchObject({ status: 'approved', approvedByName: 'Sandbox Operator' });
  expect(approved['virtualAccountNo']).toMatch(/^\d{16}$/);
  const deposit = await control(caller, 'deposits', { requestId, amount: '25000.50', reportedAsFunding: true });
  expect(caller.sandbox.ledger()).toMatchObject({ balances: { IDR: '25000.50' }, invariantHolds: true });
  await eventually(() => expect(received).toHaveLength(3));
  expect(received[0]!.body).toEqual({
    action: 'request',
    status: 'approved',
    requestId,
    virtualAccountRequestId: requestId,
  });
  expect(received[1]!.body).toEqual({
    action: 'deposit',
    status: 'completed',
    transactionId: deposit['transactionId'],
    masterAccountId: expect.any(String) as string,
    virtualAccountId: approved['virtualAccountId'],
    virtualAccountNumber: approved['virtualAccountNo'],
    virtualAccountNo: approved['virtualAccountNo'],
    sourceAmount: 25000.5,
  });
  expect(received[2]!.body).toMatchObject({ fundingId: deposit['fundingId'], resource: 'funding' });
  const [entry] = (await caller.post('/balances/v1/history')).body['data'] as unknown as Loose[];
  expect([entry!['transactionType'], asText(entry!['transactionId'])]).toEqual(['deposit', deposit['transactionId']]);
});

test('without approveAsync the number is issued at once, while the request is pending', async () => {
  const caller = await (await aSandbox({ virtualAccountRequestPath: '/va/:requestId' })).signIn();
  const { requestId, virtualAccountNo } = (await requested(caller)).body['data']!;
  expect(virtualAccountNo).toMatch(/^\d{16}$/);
  await control(caller, 'force', { requestId, status: 'rejected' });
  expect((await caller.get(`/va/${asText(requestId)}`)).body['data']).toMatchObject({ status: 'rejected' });
  expect((await caller.get('/va/none')).body['code']).toBe('not_found');
});

test.each([
  [{ name: 'Rent-7' }, 'name'],
  [{ type: 'fixed', expiryDuration: 4 }, 'amount'],
  [{ type: 'fixed', amount: 9999, expiryDuration: 4 }, 'amount'],
  [{ type: 'fixed', amount: 0.99, currency: 'USD', expiryDuration: 4 }, 'amount'],
  [{ type: 'fixed', amount: 10_000 }, 'expiryDuration'],
  [{ type: 'fixed', amount: 10_000, expiryDuration: 49 }, 'expiryDuration'],
  [{ provider: 'bank-c' }, 'provider'],
])('a virtual account of %j is refused and the field is named', async (differences, field) => {
  const caller = await (await aSandbox({ virtualAccountProviders: ['bank-a', 'bank-b'] })).signIn();
  const { status, body } = await requested(caller, differences);
  expect([status, body['code']]).toEqual([400, 'validation_failed']);
  expect(body['message']).toContain(`${field}:`);
});

function aTreasury(): Account {
  const world = new World({ ...defaultOptions, frozenAtMs: 0, balances: { USD: '900.00' } });
  const account = world.firstAccount();
  account.fundings.add({ balance: account.ledger.in('USD')!, amount: new Big(7) }, 'completed');
  return account;
}

test.each<[string, (account: Account) => void]>([
  ['a funding that was credited twice', ({ ledger }) => ledger.write(ledger.in('USD')!, new Big(7), 'funding', 1, 0)],
  ['a funding of another amount', ({ ledger }) => ledger.write(ledger.in('USD')!, new Big(8), 'funding', 1, 0)],
  ['a deposit of nobody', ({ ledger }) => ledger.write(ledger.in('USD')!, new Big(7), 'deposit', 2, 0)],
  ['a conversion of nobody', ({ ledger }) => ledger.write(ledger.in('USD')!, new Big(-7), 'conversion', 2, 0)],
  ['a completed funding without credit', ({ fundings }) => (fundings.all()[0]!.credited = false)],
])('%s breaks the invariant', (_, damage) => {
  const account = aTreasury();
  const holds = (): boolean => invariantHolds(account.ledger, account.payments, account.treasury());
  expect(holds()).toBe(true);
  damage(account);
  expect(holds()).toBe(false);
});

test('trap 39: a deposit and the funding that reports it are two events of money that came once', async () => {
  const { url, received } = await aReceiver();
  const caller = await (await aSandbox({ balances: { IDR: '0.00' }, webhookUrl: url })).signIn();
  const { requestId } = (await requested(caller)).body['data']!;
  await control(caller, 'force', { requestId, status: 'approved' });
  const { transactionId, fundingId } = await control(caller, 'deposits', {
    requestId,
    amount: '25000.00',
    reportedAsFunding: true,
  });
  await eventually(() => expect(received).toHaveLength(3));
  // The events do not show that they report the same money.
  const events = received.slice(1).map(({ body }) => parseWebhook(JSON.stringify(body)));
  expect(events).toMatchObject([
    { kind: 'deposit', transactionId, sourceAmount: '25000' },
    { kind: 'funding', fundingId, status: 'completed' },
  ]);
  expect((await caller.get(`/v2/fundings/${asText(fundingId)}`)).body).toMatchObject({ amount: 25000 });
  const balance = (): unknown => caller.sandbox.ledger().balances['IDR'];
  expect(balance()).toBe('25000.00');
  // An operator who completes the funding again does not credit the money again either.
  await control(caller, 'force', { fundingId, status: 'pending' });
  await control(caller, 'force', { fundingId, status: 'completed' });
  expect(balance()).toBe('25000.00');
  const history = (await caller.post('/balances/v1/history')).body['data'] as unknown as Loose[];
  expect(history.map((entry) => entry['transactionType'])).toEqual(['deposit']);
  expect(caller.sandbox.ledger().invariantHolds).toBe(true);
  const early = await caller.post('/__sandbox/deposits', {
    requestId,
    amount: 1,
    status: 'pending',
    reportedAsFunding: true,
  });
  expect([early.status, early.body['message']]).toEqual([400, expect.stringContaining('reportedAsFunding:')]);
});
