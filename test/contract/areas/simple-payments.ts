import { Big } from 'big.js';
import { expect } from 'vitest';
import { asText } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import type { ContractContext } from '../contract-context.ts';
import { amountThatIs, anInstruction, aPayment, LONG_ENOUGH_MS } from '../payments.ts';
import { omit } from '../omit.ts';

const HOUR_MS = 3_600_000;

/** Statuses of a payment in progress that only answers varied by the seed have. */
const ON_THE_WAY: readonly string[] = ['under_review', 'in_transit'];

/** Funds a payment, waits for its end, and checks status, reason, money and notifications. */
async function fundAndEnd(context: ContractContext, status: 'completed' | 'rejected' | 'failed'): Promise<void> {
  const { simplePayments } = context.client;
  const usd = () => context.ledger().balances['USD'] ?? '';
  const before = usd();
  const created = await aPayment(context, { amount: amountThatIs[status] });
  const { simplePaymentId, totalAmount } = created;
  context.expectCreated(created.status);
  expect(await simplePayments.item(simplePaymentId)).toMatchObject({
    ...{ status: 'awaiting_funds', completedAt: null, failureReason: null },
  });
  expect([usd(), (await simplePayments.fund({ simplePaymentId })).status]).toEqual([before, 'processing']);
  const debited = new Big(before).minus(totalAmount ?? '').toFixed(2);
  expect(usd()).toBe(debited);
  await context.advance(LONG_ENOUGH_MS);
  const ended = await simplePayments.item(simplePaymentId);
  expect([ended.status, ended.completedAt !== null]).toEqual([status, status === 'completed']);
  expect(usd()).toBe(status === 'completed' ? debited : before);
  const events = await context.eventsOf(simplePaymentId);
  await context.expectKind(simplePaymentId, 'simple_payment');
  const notified = events.map((event) => (event.kind === 'simple_payment' ? [event.status, event.reason] : []));
  const reason = notified.at(-1)?.[1] ?? null;
  const documented = notified.filter(([name]) => !ON_THE_WAY.includes(name ?? ''));
  expect(documented.filter(([name], place) => name !== documented[place - 1]?.[0])).toEqual([
    ['awaiting_funds', null],
    ['processing', null],
    [status, reason],
  ]);
  // In the contract a failed payment has a reason; whether a rejected one has it too is left open.
  expect(reason === null).toBe(status === 'completed');
  if (status === 'rejected') expect([reason, null]).toContain(ended.failureReason);
  else expect(ended.failureReason).toBe(reason);
}

/** Contract: payments 2.6, 3, 4.4. */
const lifecycle: readonly ContractCase[] = [
  {
    name: 'a funded payment completes: one debit, and a notification of each status',
    covers: ['simple-payment-create', 'simple-payment-fund', 'simple-payment-get'],
    calls: ['simplePayments.create', 'simplePayments.fund', 'simplePayments.item'],
    run: (context) => fundAndEnd(context, 'completed'),
  },
  {
    name: 'a funded payment is rejected: the reason is notified, the money is refunded',
    covers: ['simple-payment-fund', 'simple-payment-get'],
    calls: ['simplePayments.item'],
    run: (context) => fundAndEnd(context, 'rejected'),
  },
  {
    name: 'a funded payment fails: the reason is in the payment and its notification, the money is refunded',
    covers: ['simple-payment-fund', 'simple-payment-get'],
    calls: ['simplePayments.item'],
    run: (context) => fundAndEnd(context, 'failed'),
  },
  {
    name: 'a payment has the values of its quote and its request, and the deprecated fields',
    covers: ['simple-payment-create', 'simple-payment-get', 'simple-payment-fund', 'simple-payment-find'],
    calls: ['simplePayments.create'],
    run: async (context) => {
      const { files, ...instruction } = await anInstruction(context);
      const more = { referenceId: 'p-1', fundingCountry: 'SG' };
      const created = await context.ask('simple-payment-create', { body: { ...instruction, ...more, files } });
      const { fundingSource, paymentReference, purposeOfTransfer } = instruction;
      expect(created).toMatchObject({ ...more, fundingSource, paymentReference, purposeOfTransfer });
      expect(created).toMatchObject({ sellAmount: 100, beneficiaryName: 'Schmidt Papier GmbH' });
      expect(asText(created['fundingReference'])).toMatch(/^\w{6}$/);
      const simplePaymentId = asText(created['simplePaymentId']);
      const read = await context.ask('simple-payment-get', { params: { simplePaymentId } });
      context.expectCreated(created['status']);
      expect(read).toEqual({ ...created, status: 'awaiting_funds' });
      expect(await context.askList('simple-payment-find', { body: { referenceId: 'p-1' } })).toEqual([read]);
      const funded = await context.ask('simple-payment-fund', { body: { simplePaymentId } });
      expect(funded).toEqual({ ...created, status: 'processing' });
      const payment = await aPayment(context, {}, { referenceId: 'p-2', fundingCountry: 'SG' });
      expect(payment).toMatchObject({
        referenceId: 'p-2',
        fundingCountry: 'SG',
        paymentReference,
        sellAmount: '100.00',
      });
    },
  },
  {
    name: 'payments are found by time, start inclusive and end exclusive, and by exact reference',
    covers: ['simple-payment-find'],
    calls: ['simplePayments.find'],
    run: async (context) => {
      const { simplePayments } = context.client;
      const first = (await aPayment(context, {}, { referenceId: 'p-1' })).simplePaymentId;
      const firstAt = new Date(context.nowMs);
      await context.advance(HOUR_MS);
      const second = (await aPayment(context, {}, { referenceId: 'p-10' })).simplePaymentId;
      const secondAt = new Date(context.nowMs);
      const found = async (request: object): Promise<string[]> =>
        (await simplePayments.find(request)).map(({ simplePaymentId }) => simplePaymentId);
      expect((await found({})).sort()).toEqual([first, second].sort());
      expect(await found({ startDate: firstAt, endDate: secondAt })).toEqual([first]);
      expect(await found({ startDate: secondAt })).toEqual([second]);
      expect(await found({ endDate: firstAt })).toEqual([]);
      expect(await found({ referenceId: 'p-1' })).toEqual([first]);
      await context.expectFieldsRefused('simple-payment-find', {}, {}, { startDate: 'yesterday', endDate: '1.1.2026' });
      await context.expectUnsent(simplePayments.find({ startDate: secondAt, endDate: firstAt }), 'endDate');
    },
  },
];

const creationRefusals: readonly ContractCase[] = [
  {
    name: 'a unique reference creates one payment, whether the second request is refused or returns the first one',
    covers: ['simple-payment-create'],
    calls: ['simplePayments.create', 'simplePayments.find', 'simplePayments.findReadable'],
    ledger: (context) => (context.setting('duplicate-reference') === 'create' ? { createdMoreThanOnce: ['p-1'] } : {}),
    run: async (context) => {
      const { simplePayments } = context.client;
      const once = { referenceId: 'p-1', uniqueReferenceId: true };
      const first = await aPayment(context, {}, once);
      const second = aPayment(context, {}, once);
      const word = context.setting('duplicate-reference');
      if (word === 'return') {
        expect((await second).simplePaymentId).toBe(first.simplePaymentId);
      } else if (word === 'create') {
        expect((await second).simplePaymentId).not.toBe(first.simplePaymentId);
      } else {
        const taken = { kind: 'duplicate_reference', status: 409, code: 'duplicate_reference' } as const;
        await context.expectRefused(second, { ...taken, field: 'referenceId' });
      }
      const made = word === 'create' ? 2 : 1;
      expect(await simplePayments.find({ referenceId: 'p-1' })).toHaveLength(made);
      expect(await simplePayments.findReadable({ referenceId: 'p-1' })).toHaveLength(made);
      const body = { ...(await anInstruction(context)), uniqueReferenceId: true };
      await context.expectFieldsRefused('simple-payment-create', {}, body, { referenceId: undefined });
      await context.expectUnsent(simplePayments.create(body), 'referenceId');
    },
  },
  {
    name: 'purposes are those of the list, with the deprecated ones unless it is strict; in the earlier variant others need a description',
    covers: ['simple-payment-create'],
    calls: ['simplePayments.create'],
    run: async (context) => {
      const strict = context.setting('strict-purpose') === 'on';
      const described = { purposeOfTransferDescription: 'Prize money' };
      for (const purposeOfTransfer of ['ADCS', 'FEES', 'OTHR', 'OTH']) {
        const call = aPayment(context, {}, { purposeOfTransfer, ...described });
        if (!strict) expect((await call).purposeOfTransfer).toBe(purposeOfTransfer);
        else await context.expectRefused(call, invalid('purposeOfTransfer'));
      }
      await context.expectRefused(aPayment(context, {}, { purposeOfTransfer: 'WX02' }), invalid('purposeOfTransfer'));
      if (strict) return;
      const plain = aPayment(context, {}, { purposeOfTransfer: 'OTHR' });
      if (context.setting('payment-variant') === 'later') expect((await plain).purposeOfTransfer).toBe('OTHR');
      else await context.expectRefused(plain, invalid('purposeOfTransferDescription'));
    },
  },
  {
    name: 'files are required if the quote says so or says nothing; a file that was not uploaded does not count',
    covers: ['simple-payment-create'],
    calls: ['simplePayments.create', 'simplePayments.uploadUrl'],
    run: async (context) => {
      const { simplePayments } = context.client;
      const plain = omit(await anInstruction(context), 'files');
      const withoutFiles = simplePayments.create(plain);
      if (context.setting('payment-variant') === 'later') context.expectCreated((await withoutFiles).status);
      else await context.expectRefused(withoutFiles, invalid('files'));
      const { files, ...documented } = await anInstruction(context, { amount: amountThatIs.documented });
      await context.expectRefused(simplePayments.create(documented), invalid('files'));
      const { fileId } = await simplePayments.uploadUrl({ fileName: 'later.pdf' });
      const missing = { kind: 'refused', status: 400, code: 'file_not_uploaded', field: 'files' } as const;
      await context.expectRefused(simplePayments.create({ ...documented, files: [fileId] }), missing);
      context.expectCreated((await simplePayments.create({ ...documented, files: files ?? [] })).status);
    },
  },
  {
    name: 'an invalid field is named, and the quote is not used',
    covers: ['simple-payment-create'],
    calls: ['simplePayments.create'],
    run: async (context) => {
      const { simplePayments } = context.client;
      const good = await anInstruction(context);
      const wrong = {
        fundingSource: 'POCKET',
        paymentReference: '',
        quoteId: undefined,
        purposeOfTransfer: undefined,
        fundingMethod: 'CASH',
        fundingCountry: 'Singapore',
      };
      await context.expectFieldsRefused('simple-payment-create', {}, good, wrong);
      const byBank = { ...good, fundingMethod: 'BANK_TRANSFER' as const };
      const account = { fundingBankAccountNumber: undefined };
      await context.expectFieldsRefused('simple-payment-create', {}, byBank, account);
      await context.expectFieldsRefused('simple-payment-create', {}, byBank, { fundingBankAccountNumber: '12-3' });
      await context.expectUnsent(simplePayments.create(byBank), 'fundingBankAccountNumber');
      const paid = await simplePayments.create({ ...byBank, fundingBankAccountNumber: '123456789' });
      context.expectCreated(paid.status);
    },
  },
  {
    name: 'a payment to Indonesia requires the country of its funds',
    covers: ['simple-payment-create'],
    calls: ['simplePayments.create', 'beneficiaries.create'],
    run: async (context) => {
      const { beneficiaryId } = await context.client.beneficiaries.create(anIndonesianCompany);
      const quote = { beneficiaryId, buyCurrency: 'IDR' };
      await context.expectRefused(aPayment(context, quote), invalid('fundingCountry'));
      expect((await aPayment(context, quote, { fundingCountry: 'SG' })).fundingCountry).toBe('SG');
    },
  },
  {
    name: 'a quote is valid once, until it expires, and only with a beneficiary',
    covers: ['simple-payment-create'],
    calls: ['simplePayments.create'],
    run: async (context) => {
      const { simplePayments } = context.client;
      const instruction = await anInstruction(context);
      await simplePayments.create(instruction);
      // Any 409 to a creation may mean a duplicate reference, so the client requires a lookup.
      const used = { kind: 'duplicate_reference', status: 409, code: 'quote_used', field: 'quoteId' } as const;
      await context.expectRefused(simplePayments.create(instruction), used);
      const nobody = { kind: 'refused', status: 400, code: 'beneficiary_mismatch', field: 'quoteId' } as const;
      await context.expectRefused(aPayment(context, { beneficiaryId: null }), nobody);
      const invented = { kind: 'refused', status: 404, code: 'quote_not_found', field: 'quoteId' } as const;
      await context.expectRefused(simplePayments.create({ ...instruction, quoteId: 'invented' }), invented);
      const late = await anInstruction(context);
      await context.advance(10 * 60_000);
      context.expectCreated((await simplePayments.create(late)).status);
      const tooLate = await anInstruction(context);
      await context.advance(10 * 60_000 + 1);
      const expired = { kind: 'refused', status: 400, code: 'quote_expired', field: 'quoteId' } as const;
      await context.expectRefused(simplePayments.create(tooLate), expired);
    },
  },
];

const fundingRefusals: readonly ContractCase[] = [
  {
    name: 'without money, after its cut-off time, or by another caller, a payment is not funded',
    covers: ['simple-payment-fund', 'simple-payment-get'],
    calls: ['simplePayments.fund', 'simplePayments.item'],
    run: async (context) => {
      const { simplePayments } = context.client;
      const { simplePaymentId } = await aPayment(context);
      await context.control('balance', { currency: 'USD', amount: '1.00' });
      const poor = { kind: 'refused', status: 400, code: 'insufficient_balance' } as const;
      await context.expectRefused(simplePayments.fund({ simplePaymentId }), poor);
      expect(context.ledger().balances['USD']).toBe('1.00');
      await context.control('balance', { currency: 'USD', amount: '1000.00' });
      await context.expectHidden('simple-payment-get', { simplePaymentId });
      const body = { simplePaymentId: 'nobodys' };
      await context.expectRawRefusal('simple-payment-fund', { body }, { status: 404, code: 'not_found' });
      await context.expectFieldsRefused('simple-payment-fund', {}, {}, { simplePaymentId: undefined });
      await context.advance(24 * HOUR_MS + 1);
      const late = { kind: 'refused', status: 409, code: 'funding_cutoff_passed' } as const;
      await context.expectRefused(simplePayments.fund({ simplePaymentId }), late);
      expect((await simplePayments.item(simplePaymentId)).status).toBe('awaiting_funds');
    },
  },
];

const invalid = (field: string) => ({ kind: 'refused', status: 400, code: 'validation_failed', field }) as const;

const anIndonesianCompany = {
  country: 'ID',
  entityType: 'company',
  companyName: 'PT Contoh Jaya',
  businessRegistration: '9120001234567',
  address: '1 Jalan Contoh',
  city: 'Surabaya',
  region: 'Jawa Timur',
  bankAccount: {
    country: 'ID',
    currency: 'IDR',
    bankName: 'Bank Contoh',
    bankAccountHolderName: 'PT Contoh Jaya',
    bicSwift: 'CENAIDJA',
    accountNumber: '1234567890',
  },
} as const;

export const simplePayments: Area = {
  name: 'simple payments',
  settings: ['payment-variant', 'strict-purpose', 'duplicate-reference', 'failure-reason'],
  cases: [...lifecycle, ...creationRefusals, ...fundingRefusals],
};
