import { describe, expect, test } from 'vitest';
import { MalformedWebhook, parseWebhook } from '../../provider/webhooks/webhooks.ts';

describe('webhooks', () => {
  test.each<[object, object]>([
    [
      { resource: 'user', resourceId: 'u-1', status: 'approved' },
      { kind: 'user', userId: 'u-1', status: 'approved' },
    ],
    [
      { resourceId: 'u-1', status: 'odd' },
      { kind: 'user', userId: 'u-1', status: 'odd' },
    ],
    [
      { fundingId: 'f-1', resource: 'funding', status: 'pending' },
      { kind: 'funding', fundingId: 'f-1', status: 'pending' },
    ],
    [
      { refundId: 'r-1', resource: 'simple_payment', status: 'completed' },
      { kind: 'refund', refundId: 'r-1', refundedResource: 'simple_payment', status: 'completed' },
    ],
    [
      { resource: 'conversion', resourceId: 'c-1', status: 'completed' },
      { kind: 'conversion', conversionId: 'c-1', status: 'completed' },
    ],
    [
      { resource: 'simple_payment', resourceId: 'p-1', status: 'failed', reason: 'account closed' },
      { kind: 'simple_payment', simplePaymentId: 'p-1', status: 'failed', reason: 'account closed' },
    ],
    [
      { resource: 'simple_payment', resourceId: 'p-1', status: 'completed', reason: null },
      { kind: 'simple_payment', simplePaymentId: 'p-1', status: 'completed', reason: null },
    ],
    [
      { action: 'request', status: 'approved', requestId: 'v-1', virtualAccountRequestId: 'v-1' },
      { kind: 'virtual_account_request', requestId: 'v-1', status: 'approved' },
    ],
    [
      { action: 'request', status: 'rejected', virtualAccountRequestId: 'v-1' },
      { kind: 'virtual_account_request', requestId: 'v-1', status: 'rejected' },
    ],
  ])('%j', (body, event) => {
    expect(parseWebhook(JSON.stringify(body))).toEqual({ ...event, raw: body });
  });

  test('a deposit has its exact amount, and its account number under either name', () => {
    const body =
      '{"action":"deposit","status":"completed","transactionId":77,"virtualAccountNo":"0012","sourceAmount":10.10}';
    expect(parseWebhook(body)).toMatchObject({
      kind: 'deposit',
      transactionId: '77',
      virtualAccountNumber: '0012',
      virtualAccountId: null,
      sourceAmount: '10.10',
    });
  });

  test('trap 2: the refund of a payment is not taken for the payment, even if it contains the payment’s id', () => {
    const body = { refundId: 'r-1', resource: 'simple_payment', resourceId: 'p-1', status: 'completed' };
    expect(parseWebhook(JSON.stringify(body))).toMatchObject({ kind: 'refund', refundId: 'r-1' });
  });

  test.each([
    [{}],
    [{ resource: 'simple_payment', resourceId: 'p-1' }],
    [{ resource: 'simple_payment', status: 'completed' }],
    [{ resource: 'card', resourceId: 'x', status: 'completed' }],
    [{ action: 'deposit', status: 'completed' }],
    [{ action: 'recall', resource: 'simple_payment', resourceId: 'p-1', status: 'completed' }],
    [{ resource: { a: 1 }, resourceId: ['p-1'], status: true }],
  ])('an unrecognized event is kept as unknown: %j', (body) => {
    const event = parseWebhook(JSON.stringify(body));
    expect(event.kind).toBe('unknown');
    expect(Object.keys(event.raw)).toEqual(Object.keys(body));
  });

  test.each([[''], ['[]'], ['null'], ['"text"'], ['{'], ['['.repeat(100_000)]])(
    'no JSON object is a typed error',
    (body) => {
      expect(() => parseWebhook(body)).toThrow(MalformedWebhook);
    },
  );
});
