import { describe, expect, test } from 'vitest';
import { approvedInstruction } from '../../activities/approvals/approved-row.ts';
import { createdUpdate } from '../../activities/payments/created-payment.ts';
import { hasValidPaymentMac, hasValidQuoteMac, macQuote } from '../../activities/payments/payment-macs.ts';
import {
  hasValidBeneficiaryMac,
  hasValidShownMac,
  macBeneficiary,
  macShownBeneficiary,
} from '../../activities/beneficiaries/beneficiary-mac.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { createMac } from '../../provider/mac.ts';
import type { SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import { knownIdentityHashesOf, rowHashesOf } from '../../domain/runs/row-identity.ts';
import { RunKeyMissing } from '../../store/personal-data/key-wrapping.ts';
import { type PlainInstruction, rowBatch } from '../../store/runs/row-content.ts';
import { TEST_PAYEES } from '../helpers/test-payees.ts';
import { anInstruction, beneficiaryAt } from '../store/a-stored-run.ts';

const MAC = createMac('default', 'a secret');

const INSTRUCTION = anInstruction(0, beneficiaryAt('12345678'));
const HASHES = rowHashesOf(TEST_PAYEES.hash, INSTRUCTION);
const APPROVED = { rowHash: HASHES.rowHash, beneficiaryHash: HASHES.beneficiaryHash, files: {} };
const { beneficiaryFingerprint, accountHash, routingHash, nameHash } = HASHES;
const RUN_ID = '018f2a00-0000-7000-8000-000000000001';
const KEY = TEST_PAYEES.newRunKey(RUN_ID);
const RUN_KEY = `${KEY.stored.wrappedBy} ${KEY.stored.wrapped.toString('base64')}`;

/** As the database has it. */
function storedRow(instruction: PaymentInstruction) {
  const { rowRef, line } = instruction;
  const row = {
    ...{ paymentId: 'a-payment', rowNumber: 1, line, rowRef, cells: [] },
    ...{ errorCode: null, problems: null },
  };
  const [stored] = JSON.parse(
    Buffer.from(rowBatch(KEY, [{ ...row, state: 'ready', instruction }]).json).toString(),
  ) as [{ instruction: PlainInstruction; encrypted: string }];
  return {
    ...{ runId: RUN_ID, paymentId: 'a-payment', plain: stored.instruction, runKey: RUN_KEY },
    encrypted: Buffer.from(stored.encrypted, 'base64') as Buffer | null,
  };
}
const ROW = { ...storedRow(INSTRUCTION), beneficiaryFingerprint, accountHash, routingHash, nameHash };
const approvedOf = (row: Omit<typeof ROW, 'accountHash'> & { accountHash: string | null }) =>
  approvedInstruction(TEST_PAYEES, row, APPROVED);

describe('the approved instruction', () => {
  test('is returned if it has the approved hashes', () => {
    expect(approvedOf(ROW)).toEqual(INSTRUCTION);
  });

  test('is null without the hash of the account that it describes', () => {
    expect(approvedOf({ ...ROW, accountHash: null })).toBeNull();
  });

  test('is null without an approval, and once its data is erased', () => {
    expect(approvedInstruction(TEST_PAYEES, ROW, null)).toBeNull();
    expect(approvedOf({ ...ROW, encrypted: null })).toBeNull();
  });

  test('cannot be read without the key of its run, which is no erasure', () => {
    expect(() => approvedInstruction(TEST_PAYEES, { ...ROW, runKey: null }, APPROVED)).toThrow(RunKeyMissing);
  });

  test.each([
    ['amount', { amount: '100.01' }],
    ['reference', { paymentReference: 'another' }],
    ['list of files', { supportingFiles: ['another.pdf'] }],
    ['day', { payOn: '2026-01-31' }],
  ])('is null if the row has another %s', (_what, parts) => {
    expect(approvedOf({ ...ROW, ...storedRow({ ...INSTRUCTION, ...parts }) })).toBeNull();
  });

  test.each([
    ['countries', { countries: ['DE'] }],
    ['hash of what is encrypted', { personalHash: 'of another' }],
    ['amount', { amount: '1.00' }],
    ['kind of beneficiary', { beneficiary: { kind: 'existing', beneficiaryId: 'x' } as const }],
  ])('is null with other %s beside what is encrypted', (_what, parts) => {
    expect(approvedOf({ ...ROW, plain: { ...ROW.plain, ...parts } })).toBeNull();
  });

  test('is not read with the content of another row', () => {
    expect(() => approvedOf({ ...ROW, paymentId: 'another' })).toThrow('cannot be decrypted');
  });

  test('is null if the approval is for another beneficiary', () => {
    expect(approvedInstruction(TEST_PAYEES, ROW, { ...APPROVED, beneficiaryHash: 'of another' })).toBeNull();
  });

  test('is null if the account hash is not the one that the policy judged', () => {
    expect(approvedOf({ ...ROW, accountHash: 'of an account that was paid before' })).toBeNull();
  });

  test.each(['beneficiaryFingerprint', 'routingHash', 'nameHash'])(
    'is null if the %s is not the one that the findings are based on',
    (hash) => {
      for (const other of ['of what was paid before', null]) {
        expect(approvedOf({ ...ROW, [hash]: other })).toBeNull();
      }
    },
  );
});

const PAYMENT = {
  paymentId: 'a-payment',
  attempt: 1,
  quoteId: 'a-quote',
  beneficiaryId: 'a-beneficiary',
  sellAmount: '100.0000',
  buyAmount: '80.00',
  totalAmount: '120.00',
  providerPaymentId: 'at-the-provider',
} as PaymentRecord;

describe('a MAC', () => {
  const quote = { quoteId: 'a-quote', beneficiaryId: 'a-beneficiary' };
  const quoted = { ...PAYMENT, quoteMac: macQuote(MAC, PAYMENT, APPROVED, quote) };

  test.each([
    ['quote', { quoteId: 'another' }],
    ['beneficiary', { beneficiaryId: 'another' }],
    ['payment', { paymentId: 'another' }],
    ['attempt', { attempt: 2 }],
  ])('of a quote is invalid for another %s', (_what, other) => {
    expect(hasValidQuoteMac(MAC, quoted, APPROVED)).toBe(true);
    expect(hasValidQuoteMac(MAC, { ...quoted, ...other }, APPROVED)).toBe(false);
  });

  test('of a quote is invalid for another row, and with another secret', () => {
    expect(hasValidQuoteMac(MAC, quoted, { rowHash: 'another' })).toBe(false);
    expect(hasValidQuoteMac(createMac('default', 'another secret'), quoted, APPROVED)).toBe(false);
    expect(hasValidQuoteMac(createMac('another', 'a secret'), quoted, APPROVED)).toBe(false);
  });

  test.each([
    ['payment at the provider', { providerPaymentId: 'another' }],
    ['payment', { paymentId: 'another' }],
    ['attempt', { attempt: 2 }],
  ])('of a payment is invalid for another %s', (_what, other) => {
    const created = { ...PAYMENT, paymentMac: MAC.of('payment', 'a-payment', 1, 'at-the-provider') };
    expect(hasValidPaymentMac(MAC, created)).toBe(true);
    expect(hasValidPaymentMac(MAC, { ...created, ...other })).toBe(false);
  });

  test('of a beneficiary is invalid for other details, and for another id', () => {
    const known = { beneficiaryId: 'one', mac: macBeneficiary(MAC, INSTRUCTION, 'one') };
    expect(hasValidBeneficiaryMac(MAC, INSTRUCTION, known)).toBe(true);
    expect(hasValidBeneficiaryMac(MAC, INSTRUCTION, { ...known, beneficiaryId: 'another' })).toBe(false);
    const others = { beneficiary: { kind: 'existing', beneficiaryId: 'x' } } as const;
    expect(hasValidBeneficiaryMac(MAC, others, known)).toBe(false);
    expect(hasValidBeneficiaryMac(MAC, INSTRUCTION, { ...known, mac: null })).toBe(false);
  });
});

describe('the MAC of a beneficiary that the provider has shown', () => {
  const known = { companyName: 'Paid Ltd', bankAccount: { accountNumber: '12345678', country: 'GB' } };
  const named = { beneficiaryId: 'one', known };
  const shown = {
    ...named,
    ...knownIdentityHashesOf(TEST_PAYEES.hash, known),
    mac: macShownBeneficiary(MAC, TEST_PAYEES.hash, named),
  };

  test('is valid for what it was made of', () => {
    expect(hasValidShownMac(MAC, shown)).toBe(true);
  });

  test.each([
    ['id', { beneficiaryId: 'another' }],
    ['details', { known: { ...known, companyName: 'Other Ltd' } }],
    ['account hash', { accountHash: 'of another' }],
    ['routing hash', { routingHash: 'of another' }],
    ['name hash', { nameHash: 'of another' }],
    ['mac', { mac: null }],
  ])('is invalid for another %s', (_what, other) => {
    expect(hasValidShownMac(MAC, { ...shown, ...other })).toBe(false);
  });
});

describe('a payment at the provider', () => {
  const shown = {
    simplePaymentId: 'at-the-provider',
    referenceId: referenceIdOf('a-payment', 1),
    sellAmount: '100',
    buyAmount: '80',
    totalAmount: '120',
    sellCurrency: 'USD',
    buyCurrency: 'GBP',
    beneficiary: { beneficiaryId: 'a-beneficiary' },
  } as SimplePayment;
  const updateFor = (other: Partial<SimplePayment>, isOurAnswer = false) =>
    createdUpdate(MAC, { payment: PAYMENT, instruction: INSTRUCTION }, { ...shown, ...other }, isOurAnswer);

  test('has a MAC, and may be funded, if it is what was approved', () => {
    expect(updateFor({})).toMatchObject({ state: 'created', update: { payment_mac: expect.any(String) as string } });
    expect(updateFor({ referenceId: null }, true).state).toBe('created');
  });

  test.each([
    ['referenceId', { referenceId: 'another' }],
    ['referenceId', { referenceId: null }],
    ['sellAmount', { sellAmount: '100.01' }],
    ['totalAmount', { totalAmount: '120.01' }],
    ['sellCurrency', { sellCurrency: 'EUR' }],
    ['buyCurrency', { buyCurrency: 'EUR' }],
    ['beneficiaryId', { beneficiary: { beneficiaryId: 'another' } }],
  ] as [string, Partial<SimplePayment>][])('has no MAC, and is never funded, with another %s: %j', (field, other) => {
    const created = updateFor(other);
    expect(created).toMatchObject({ state: 'unknown', detail: { differing: [field] } });
    expect(created.update.payment_mac).toBeUndefined();
  });

  /** The quote that was used says 100, with fees 120, for 80. */
  test.each([
    ['sellAmount', { sellAmount: '150', totalAmount: '120' }],
    ['sellAmount, totalAmount', { sellAmount: '150', totalAmount: '150' }],
    ['totalAmount', { totalAmount: '119.99' }],
  ] as [string, Partial<SimplePayment>][])('is never funded at another price than was quoted: %s', (fields, other) => {
    const instruction: PaymentInstruction = { ...INSTRUCTION, amountSide: 'buy', amount: '80' };
    const created = (payment: PaymentRecord) => createdUpdate(MAC, { payment, instruction }, { ...shown, ...other });
    expect(created(PAYMENT)).toMatchObject({
      state: 'unknown',
      update: { error_code: 'created_differs' },
      detail: { differing: fields.split(', ') },
    });
    expect(created({ ...PAYMENT, sellAmount: null, totalAmount: null }).state).toBe('unknown');
  });

  test('is what was quoted if it differs only by what floats add', () => {
    const noise = {
      sellAmount: '100.00000000000001',
      buyAmount: '79.99999999999999',
      totalAmount: '120.00000000000001',
    };
    expect(updateFor(noise).state).toBe('created');
    expect(updateFor({ totalAmount: '120.0001' }).state).toBe('unknown');
  });

  test('is compared with the quotes that it may have been created with, each as a whole', () => {
    const instruction: PaymentInstruction = { ...INSTRUCTION, amountSide: 'buy', amount: '80' };
    const quotes = [{ sellAmount: '101', buyAmount: '80', totalAmount: '121' }];
    const created = (other: Partial<SimplePayment>) =>
      createdUpdate(MAC, { payment: PAYMENT, instruction, quotes }, { ...shown, ...other }).state;
    expect(created({ sellAmount: '101', totalAmount: '121' })).toBe('created');
    expect(created({})).toBe('created');
    expect(created({ sellAmount: '101' })).toBe('unknown');
    expect(created({ sellAmount: '102', totalAmount: '122' })).toBe('unknown');
  });

  test('is never funded with another amount than was approved, whatever was quoted', () => {
    const payment = { ...PAYMENT, sellAmount: '101' };
    const created = createdUpdate(MAC, { payment, instruction: INSTRUCTION }, { ...shown, sellAmount: '101' });
    expect(created).toMatchObject({ state: 'unknown', detail: { differing: ['sellAmount'] } });
  });

  test('is never funded if it brings less than was quoted', () => {
    expect(updateFor({ buyAmount: '79.99' })).toMatchObject({ state: 'unknown', detail: { differing: ['buyAmount'] } });
  });
});
