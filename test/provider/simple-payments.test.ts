import { describe, expect, test } from 'vitest';
import { InvalidRequest } from '../../provider/calls/invalid-request.ts';
import type { NewSimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import { AUTHENTICATE, aClient, aLocalProvider, type Reply } from './local-provider.ts';

const QUOTE = `{"data":{"quoteId":"q-1","expiresAt":"2026-03-02T08:10:00","beneficiaryId":null,"buyCurrency":"USD",
  "sellCurrency":"SGD","buyAmount":90071992547409.93,"sellAmount":"100.10","rate":0.7400000000000000001,
  "totalAmount":1.5e2,"totalFee":null,"supportingDocumentsRequired":false,"feeRate":0.10}}`;

const PAYMENT: NewSimplePayment = {
  quoteId: 'q-1',
  fundingSource: 'OTHER',
  paymentReference: 'INV 7',
  purposeOfTransfer: 'PAYR',
  fundingMethod: 'PAYNOW',
};

const QUOTE_REQUEST = { beneficiaryId: 'b-1', sellCurrency: 'SGD', buyCurrency: 'USD', amount: '100' };

async function answering(reply: Reply) {
  const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : reply));
  return { provider, payments: aClient(provider).simplePayments };
}

describe('quote', () => {
  test('amounts are read exactly, whether they are sent as numbers or as strings', async () => {
    const { payments } = await answering({ body: QUOTE });
    expect(await payments.quote(QUOTE_REQUEST)).toMatchObject({
      buyAmount: '90071992547409.93',
      sellAmount: '100.10',
      rate: '0.7400000000000000001',
      totalAmount: '150',
      totalFee: null,
      bankCharges: null,
      supportingDocumentsRequired: false,
      feeRate: '0.10',
      expiresAt: { raw: '2026-03-02T08:10:00', epochMs: Date.parse('2026-03-02T08:10:00Z') },
    });
  });

  test('amounts are sent as JSON numbers with the same digits, and a null beneficiary is sent', async () => {
    const { provider, payments } = await answering({ body: QUOTE });
    await payments.quote({
      ...QUOTE_REQUEST,
      beneficiaryId: null,
      amount: '90071992547409.930',
      partner: { fee: '0.10' },
      paymentChannel: 'SWIFT-OUR',
    });
    expect(provider.apiRequests()[0]?.body).toBe(
      '{"beneficiaryId":null,"sellCurrency":"SGD","buyCurrency":"USD","amount":90071992547409.930,' +
        '"partner":{"fee":0.10},"paymentChannel":"SWIFT-OUR"}',
    );
  });

  test('a quote that does not mention documents is not read as one that requires none', async () => {
    const { payments } = await answering({ body: QUOTE.replace('"supportingDocumentsRequired":false,', '') });
    expect((await payments.quote(QUOTE_REQUEST)).supportingDocumentsRequired).toBeNull();
  });

  test.each([['1e3'], ['1,000.00'], ['0.00'], ['-5'], ['007'], ['']])(
    'an amount of %j is refused before a request is spent',
    async (amount) => {
      const { provider, payments } = await answering({ body: QUOTE });
      await expect(payments.quote({ ...QUOTE_REQUEST, amount })).rejects.toMatchObject({
        name: 'InvalidRequest',
        field: 'amount',
      });
      expect(provider.requests).toEqual([]);
    },
  );
});

describe('create, fund and find', () => {
  const payment = (more: object): object => ({ simplePaymentId: 'p-1', status: 'awaiting_funds', ...more });

  test('a payment is read with or without an envelope, and unknown fields are kept', async () => {
    const { provider, payments } = await answering({ body: payment({ status: 'on_its_way', partnerNote: 1.5 }) });
    expect(await payments.create(PAYMENT)).toMatchObject({
      simplePaymentId: 'p-1',
      status: 'on_its_way',
      failureReason: null,
      beneficiary: null,
      completedAt: null,
      partnerNote: '1.5',
    });
    provider.respond = () => ({ body: { data: payment({ status: 'processing' }) } });
    expect(await payments.fund({ simplePaymentId: 'p-1' })).toMatchObject({ status: 'processing' });
    expect(await payments.item('p-1')).toMatchObject({ status: 'processing' });
    expect(provider.apiRequests().map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/simple-payments/v1/create', JSON.stringify(PAYMENT)],
      ['POST', '/simple-payments/v1/fund', '{"simplePaymentId":"p-1"}'],
      ['GET', '/simple-payments/v1/item/p-1', ''],
    ]);
  });

  test.each([
    ['bare', [payment({})]],
    ['data', { data: [payment({})] }],
    ['value', { value: [payment({})] }],
    ['data and value', { data: { value: [payment({})] } }],
  ])('a list is read from its envelope: %s', async (_, body) => {
    const { provider, payments } = await answering({ body });
    const found = await payments.find({ startDate: '2026-03-02T08:00:00+08:00', endDate: new Date(1_800_000_000_000) });
    expect(found).toHaveLength(1);
    expect(JSON.parse(provider.apiRequests()[0]!.body)).toEqual({
      startDate: '2026-03-02T00:00:00.000Z',
      endDate: '2027-01-15T08:00:00.000Z',
    });
  });

  test('one unreadable entry makes the list unreadable, so that no payment looks absent', async () => {
    const { payments } = await answering({ body: [payment({}), { simplePaymentId: 'p-2' }] });
    await expect(payments.find()).rejects.toThrow('cannot be read: at 1.status');
    // A read of all payments in flight ignores unreadable entries; a lookup by reference must not.
    expect((await payments.findReadable()).map(({ simplePaymentId }) => simplePaymentId)).toEqual(['p-1']);
  });

  test.each<[string, string, object]>([
    ['fundingBankAccountNumber', 'requires', { fundingMethod: 'BANK_TRANSFER' }],
    ['fundingBankAccountNumber', 'digits only', { fundingMethod: 'BANK_TRANSFER', fundingBankAccountNumber: '12-3' }],
    ['referenceId', 'unique', { uniqueReferenceId: true }],
    ['fundingSource', 'SALARY_WAGES', { fundingSource: 'POCKET' }],
    ['beneficiaryId', '', { beneficiaryId: 'b-1' }],
    ['fundingCountry', 'two capital letters', { fundingCountry: 'Indonesia' }],
    ['files.0', 'not empty', { files: [''] }],
  ])('a payment with an invalid %s is refused before a request is sent', async (field, fix, wrong) => {
    const { provider, payments } = await answering({});
    const refusal = await payments.create({ ...PAYMENT, ...wrong }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InvalidRequest);
    expect(refusal).toMatchObject({ field, operation: 'simple-payment-create' });
    expect((refusal as InvalidRequest).message).toContain(fix);
    expect(provider.requests).toEqual([]);
  });

  test.each([['..'], ['a/b'], ['a b'], ['a%2Fb'], ['']])('an id of %j cannot change the path', async (id) => {
    const { provider, payments } = await answering({});
    await expect(payments.item(id)).rejects.toBeInstanceOf(InvalidRequest);
    expect(provider.requests).toEqual([]);
  });

  test.each([
    [{ startDate: '2026-03-02T08:00:00' }, 'startDate'],
    [{ startDate: '2026-03-02T08:00:00Z', endDate: '2026-03-02T08:00:00Z' }, 'endDate'],
  ])('a range of %j is refused', async (range, field) => {
    const { payments } = await answering({});
    await expect(payments.find(range)).rejects.toMatchObject({ name: 'InvalidRequest', field });
  });

  test('local currencies are strings', async () => {
    const { payments } = await answering({ body: { data: ['IDR-ID', 'PHP-PH'] } });
    expect(await payments.supportedLocalCurrencies()).toEqual(['IDR-ID', 'PHP-PH']);
  });
});
