import { describe, expect, test } from 'vitest';
import { approvedInstruction } from '../../activities/approvals/approved-row.ts';
import { createdUpdate, isSealedPayment, isSealedQuote, sealQuote } from '../../activities/payments/sealed-facts.ts';
import {
  isSealedBeneficiary,
  isSealedShown,
  sealBeneficiary,
  sealShown,
} from '../../activities/beneficiaries/sealed-beneficiary.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { createRecordSeal } from '../../provider/record-seal.ts';
import type { SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import { knownIdentityHashesOf, rowHashesOf } from '../../store/runs/row-identity.ts';
import { anInstruction, beneficiaryAt } from '../store/a-stored-run.ts';

const SEAL = createRecordSeal('default', 'a secret');

const INSTRUCTION = anInstruction(0, beneficiaryAt('12345678'));
const HASHES = rowHashesOf(INSTRUCTION);
const APPROVED = { rowHash: HASHES.rowHash, beneficiaryHash: HASHES.beneficiaryHash, files: {} };
const { accountHash, routingHash, nameHash } = HASHES;
const ROW = { instruction: INSTRUCTION, accountHash, routingHash, nameHash };

describe('what is about to be sent', () => {
  test('is what was approved', () => {
    expect(approvedInstruction(ROW, APPROVED)).toBe(INSTRUCTION);
    expect(approvedInstruction(ROW, { ...APPROVED, beneficiaryHash: null })).toBe(INSTRUCTION);
    expect(approvedInstruction({ ...ROW, accountHash: null }, APPROVED)).toBe(INSTRUCTION);
  });

  test('is nothing that nobody approved', () => {
    expect(approvedInstruction(ROW, null)).toBeNull();
    expect(approvedInstruction({ ...ROW, instruction: null }, APPROVED)).toBeNull();
  });

  test.each([
    ['amount', { amount: '100.01' }],
    ['reference', { paymentReference: 'another' }],
    ['list of files', { supportingFiles: ['another.pdf'] }],
    ['day', { payOn: '2026-01-31' }],
  ])('is no row with another %s', (_what, parts) => {
    expect(approvedInstruction({ ...ROW, instruction: { ...INSTRUCTION, ...parts } }, APPROVED)).toBeNull();
  });

  test('is no row for another beneficiary than the approval says', () => {
    expect(approvedInstruction(ROW, { ...APPROVED, beneficiaryHash: 'of another' })).toBeNull();
  });

  test('is no row whose account is not the one that the policy judged', () => {
    expect(approvedInstruction({ ...ROW, accountHash: 'of an account that was paid before' }, APPROVED)).toBeNull();
  });

  test.each(['routingHash', 'nameHash'])('is no row whose %s is not the one by which an alarm was given', (hash) => {
    for (const other of ['of what was paid before', null]) {
      expect(approvedInstruction({ ...ROW, [hash]: other }, APPROVED)).toBeNull();
    }
  });
});

const PAYMENT = {
  paymentId: 'a-payment',
  attempt: 1,
  quoteId: 'a-quote',
  beneficiaryId: 'a-beneficiary',
  providerPaymentId: 'at-the-provider',
} as PaymentRecord;

describe('a seal', () => {
  const quote = { quoteId: 'a-quote', beneficiaryId: 'a-beneficiary' };
  const quoted = { ...PAYMENT, quoteSeal: sealQuote(SEAL, PAYMENT, APPROVED, quote) };

  test.each([
    ['quote', { quoteId: 'another' }],
    ['beneficiary', { beneficiaryId: 'another' }],
    ['payment', { paymentId: 'another' }],
    ['attempt', { attempt: 2 }],
  ])('of a quote is of no other %s', (_what, other) => {
    expect(isSealedQuote(SEAL, quoted, APPROVED)).toBe(true);
    expect(isSealedQuote(SEAL, { ...quoted, ...other }, APPROVED)).toBe(false);
  });

  test('of a quote is of no other row, and by no other secret', () => {
    expect(isSealedQuote(SEAL, quoted, { rowHash: 'another' })).toBe(false);
    expect(isSealedQuote(createRecordSeal('default', 'another secret'), quoted, APPROVED)).toBe(false);
    expect(isSealedQuote(createRecordSeal('another', 'a secret'), quoted, APPROVED)).toBe(false);
  });

  test.each([
    ['payment at the provider', { providerPaymentId: 'another' }],
    ['payment', { paymentId: 'another' }],
    ['attempt', { attempt: 2 }],
  ])('of a payment is of no other %s', (_what, other) => {
    const created = { ...PAYMENT, paymentSeal: SEAL.of('payment', 'a-payment', 1, 'at-the-provider') };
    expect(isSealedPayment(SEAL, created)).toBe(true);
    expect(isSealedPayment(SEAL, { ...created, ...other })).toBe(false);
  });

  test('of a beneficiary is of no other details, and of no other id', () => {
    const known = { beneficiaryId: 'one', seal: sealBeneficiary(SEAL, INSTRUCTION, 'one') };
    expect(isSealedBeneficiary(SEAL, INSTRUCTION, known)).toBe(true);
    expect(isSealedBeneficiary(SEAL, INSTRUCTION, { ...known, beneficiaryId: 'another' })).toBe(false);
    const others = { beneficiary: { kind: 'existing', beneficiaryId: 'x' } } as const;
    expect(isSealedBeneficiary(SEAL, others, known)).toBe(false);
    expect(isSealedBeneficiary(SEAL, INSTRUCTION, { ...known, seal: null })).toBe(false);
  });
});

describe('the seal of what the provider has shown of a beneficiary', () => {
  const known = { companyName: 'Paid Ltd', bankAccount: { accountNumber: '12345678', country: 'GB' } };
  const named = { beneficiaryId: 'one', known };
  const shown = { ...named, ...knownIdentityHashesOf(known), seal: sealShown(SEAL, named) };

  test('is of just that', () => {
    expect(isSealedShown(SEAL, shown)).toBe(true);
  });

  test.each([
    ['id', { beneficiaryId: 'another' }],
    ['details', { known: { ...known, companyName: 'Other Ltd' } }],
    ['account by which it is compared', { accountHash: 'of another' }],
    ['way to it by which it is compared', { routingHash: 'of another' }],
    ['name by which it is compared', { nameHash: 'of another' }],
    ['seal', { seal: null }],
  ])('is of no other %s', (_what, other) => {
    expect(isSealedShown(SEAL, { ...shown, ...other })).toBe(false);
  });
});

describe('a payment at the provider', () => {
  const shown = {
    simplePaymentId: 'at-the-provider',
    referenceId: referenceIdOf('a-payment', 1),
    sellAmount: '100',
    totalAmount: '120',
    sellCurrency: 'USD',
    buyCurrency: 'GBP',
    beneficiary: { beneficiaryId: 'a-beneficiary' },
  } as SimplePayment;
  const facts = (other: Partial<SimplePayment>, isOurAnswer = false) =>
    createdUpdate(
      SEAL,
      { payment: PAYMENT, instruction: INSTRUCTION, maxFeePercent: 20 },
      { ...shown, ...other },
      isOurAnswer,
    );

  test('is sealed, to be funded, when it is what was approved', () => {
    expect(facts({})).toMatchObject({ state: 'created', facts: { payment_seal: expect.any(String) as string } });
    expect(facts({ referenceId: null }, true).state).toBe('created');
  });

  test.each([
    ['referenceId', { referenceId: 'another' }],
    ['referenceId', { referenceId: null }],
    ['sellAmount', { sellAmount: '100.01' }],
    ['totalAmount', { totalAmount: '120.01' }],
    ['sellCurrency', { sellCurrency: 'EUR' }],
    ['buyCurrency', { buyCurrency: 'EUR' }],
    ['beneficiaryId', { beneficiary: { beneficiaryId: 'another' } }],
  ] as [string, Partial<SimplePayment>][])('is not sealed, and never funded, with another %s: %j', (field, other) => {
    const created = facts(other);
    expect(created).toMatchObject({ state: 'unknown', detail: { differing: [field] } });
    expect(created.facts.payment_seal).toBeUndefined();
  });
});
