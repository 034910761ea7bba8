import { expect, test } from 'vitest';
import { parseWebhook } from '../../provider/webhooks/webhooks.ts';
import { AUTHENTICATE, aClient, aLocalProvider } from './local-provider.ts';

/** Fields whose names or meanings differ between the areas. */

async function aClientAnswered(body: unknown) {
  const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : { body }));
  return { provider, client: aClient(provider) };
}

const QUOTE = {
  quoteId: 'q-1',
  buyCurrency: 'USD',
  sellCurrency: 'SGD',
  buyAmount: 74,
  sellAmount: 100,
  rate: 0.74,
  totalAmount: 101,
};

const ASKED = { beneficiaryId: 'b-1', sellCurrency: 'SGD', buyCurrency: 'USD', amount: '100' };

test('trap 7: what a payment quote calls totalFee, a conversion quote calls totalFees', async () => {
  const { client } = await aClientAnswered({ data: { ...QUOTE, totalFee: 1, totalFees: 2 } });
  expect((await client.simplePayments.quote(ASKED)).totalFee).toBe('1');
  const { buyCurrency, sellCurrency, amount } = ASKED;
  const conversion = await client.conversions.quote({ buyCurrency, sellCurrency, amount, fixedSide: 'sell' });
  expect(conversion.totalFees).toBe('2');
});

test('trap 8: the deprecated cut-off time is kept in either spelling; fundingCutoffTime is the valid one', async () => {
  const { client } = await aClientAnswered({ data: { ...QUOTE, setlementCutOffTime: 'a', settlementCutOffTime: 'b' } });
  expect(await client.simplePayments.quote(ASKED)).toMatchObject({ setlementCutOffTime: 'a' });
  const other = await aClientAnswered({
    data: {
      conversionId: 'c-1',
      status: 'completed',
      fundingCutoffTime: '2026-03-02T08:00:00Z',
      fundingCutOffTime: 'x',
    },
  });
  expect((await other.client.conversions.item('c-1')).fundingCutoffTime?.raw).toBe('2026-03-02T08:00:00Z');
});

test('trap 21: the four references of a payment are kept apart', async () => {
  const references = { reference: 'P1', referenceId: 'ours', paymentReference: 'INV 7', fundingReference: 'ABC123' };
  const { client } = await aClientAnswered({ data: { simplePaymentId: 'p-1', status: 'processing', ...references } });
  expect(await client.simplePayments.item('p-1')).toMatchObject(references);
});

test('trap 22: the reason of a failure is failureReason in the payment and reason in its event', async () => {
  const failed = { simplePaymentId: 'p-1', status: 'rejected', failureReason: 'closed', reason: 'other' };
  const { client } = await aClientAnswered({ data: failed });
  expect((await client.simplePayments.item('p-1')).failureReason).toBe('closed');
  const event = { resource: 'simple_payment', resourceId: 'p-1', status: 'rejected', reason: 'closed' };
  expect(parseWebhook(JSON.stringify({ ...event, failureReason: 'other' }))).toMatchObject({ reason: 'closed' });
});

test('trap 23: a transaction id is a number in the history and a string in a deposit, and a string in the client', async () => {
  const entry = { id: 'h-1', amountBefore: 0, amountAfter: 5, currency: 'SGD', transactionId: 71 };
  const { client } = await aClientAnswered({ data: [entry] });
  expect((await client.balances.history())[0]?.transactionId).toBe('71');
  const deposit = { action: 'deposit', status: 'completed', transactionId: '71' };
  expect(parseWebhook(JSON.stringify(deposit))).toMatchObject({ transactionId: '71' });
});

test('trap 27: a partner’s fee is an amount and its markup a percentage; both are sent as given', async () => {
  const { provider, client } = await aClientAnswered({ data: QUOTE });
  await client.simplePayments.quote({ ...ASKED, partner: { fee: '2.50', markup: '0.5' } });
  await client.simplePayments.quote(ASKED);
  expect(provider.apiRequests()[0]?.body).toContain('"partner":{"fee":2.50,"markup":0.5}');
  expect(provider.apiRequests()[1]?.body).not.toContain('partner');
});

test('trap 28: without SWIFT-OUR there are no bank charges, which is not the same as zero', async () => {
  const { provider, client } = await aClientAnswered({ data: QUOTE });
  expect((await client.simplePayments.quote(ASKED)).bankCharges).toBeNull();
  provider.respond = () => ({ body: { data: { ...QUOTE, bankCharges: 0 } } });
  expect((await client.simplePayments.quote({ ...ASKED, paymentChannel: 'SWIFT-OUR' })).bankCharges).toBe('0');
});

test('trap 29: the fixed side of a payment quote is not sent if it is not given', async () => {
  const { provider, client } = await aClientAnswered({ data: QUOTE });
  await client.simplePayments.quote(ASKED);
  expect(provider.apiRequests()[0]?.body).not.toContain('fixedSide');
});

test('trap 35: a quote that does not mention documents may still require them', async () => {
  const { provider, client } = await aClientAnswered({ data: QUOTE });
  expect((await client.simplePayments.quote(ASKED)).supportingDocumentsRequired).toBeNull();
  provider.respond = () => ({ body: { data: { ...QUOTE, supportingDocumentsRequired: false } } });
  expect((await client.simplePayments.quote(ASKED)).supportingDocumentsRequired).toBe(false);
});
