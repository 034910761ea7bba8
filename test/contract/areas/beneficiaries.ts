import { expect } from 'vitest';
import { asText } from '../../sandbox/a-sandbox.ts';
import { EXAMPLE_BENEFICIARY } from '../../helpers/example-beneficiary.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import { aBeneficiary, anInstruction, aPayment, storedBeneficiary } from '../payments.ts';

const aPerson = { ...EXAMPLE_BENEFICIARY, nickname: 'Aminah', email: 'aminah@example.com' };

/** Unused fields of an account are present and null. */
const unusedCodes = ['iban', 'aba', 'bsbCode', 'sortCode', 'institutionNo', 'bankCode', 'branchCode', 'cnaps', 'clabe'];

const germany = { currency: 'EUR', bankAccountCountry: 'DE', beneficiaryCountry: 'DE' };

/** Contract: payments 2.1, 4.1. */
const cases: readonly ContractCase[] = [
  {
    name: 'each required field is required of beneficiaries of its entity type',
    covers: ['beneficiary-requirements', 'beneficiary-create'],
    calls: ['beneficiaries.requirements'],
    run: async (context) => {
      const all = await context.client.beneficiaries.requirements(germany);
      const fits = (pattern: string, text: string): boolean => new RegExp(`^(?:${pattern})$`).test(text);
      const ofCompany = all.filter(({ entityType }) => fits(entityType, 'company'));
      expect([all.length, ofCompany.length]).toEqual([2, 1]);
      const { fields, bankAccount } = ofCompany[0]!;
      const given: Readonly<Record<string, unknown>> = { ...aBeneficiary };
      for (const [field, pattern] of Object.entries(fields)) {
        expect([field, fits(pattern, asText(given[field]))]).toEqual([field, true]);
        await context.expectFieldsRefused('beneficiary-create', {}, aBeneficiary, { [field]: undefined });
      }
      for (const [field, pattern] of Object.entries(bankAccount)) {
        const account: Readonly<Record<string, unknown>> = { ...aBeneficiary.bankAccount };
        expect([field, fits(pattern, asText(account[field]))]).toEqual([field, true]);
        const body = { ...aBeneficiary, bankAccount: { ...account, [field]: undefined } };
        const wrong = { status: 400, code: 'validation_failed', field: `bankAccount.${field}` };
        await context.expectRawRefusal('beneficiary-create', { body }, wrong);
      }
      expect(await context.askList('beneficiary-requirements', { body: germany })).toHaveLength(2);
    },
  },
  {
    name: 'an unsupported corridor and a missing country are refused',
    covers: ['beneficiary-requirements'],
    calls: ['beneficiaries.requirements'],
    run: async (context) => {
      const { beneficiaries } = context.client;
      const none = beneficiaries.requirements({ ...germany, bankAccountCountry: 'XX' });
      await context.expectRefused(none, { kind: 'refused', status: 400, code: 'unsupported_corridor' });
      const missing = { currency: undefined, bankAccountCountry: undefined, beneficiaryCountry: undefined };
      await context.expectFieldsRefused('beneficiary-requirements', {}, germany, missing);
      await context.expectUnsent(beneficiaries.requirements({ ...germany, currency: 'euro' }), 'currency');
    },
  },
  {
    name: 'a beneficiary is stored as sent, with null for absent fields and a generated nickname',
    covers: ['beneficiary-create', 'beneficiary-get', 'beneficiary-find'],
    calls: ['beneficiaries.create', 'beneficiaries.item', 'beneficiaries.find'],
    run: async (context) => {
      const { beneficiaries } = context.client;
      const stored = await beneficiaries.create({ ...aPerson, type: 'bank' });
      expect(stored).toMatchObject({ ...aPerson, type: 'bank', companyName: null, region: null, relationship: null });
      const { beneficiaryId } = stored;
      expect(await beneficiaries.item(beneficiaryId)).toEqual(stored);
      const written = await context.ask('beneficiary-get', { params: { beneficiaryId } });
      expect(written['bankAccount']).toMatchObject(Object.fromEntries(unusedCodes.map((code) => [code, null])));
      const second = await context.ask('beneficiary-create', { body: aBeneficiary });
      expect(second).toMatchObject({ type: 'bank', nickname: expect.any(String) as string, firstName: null });
      const found = (await beneficiaries.find()).map((each) => each.beneficiaryId);
      expect(found.sort()).toEqual([beneficiaryId, second['beneficiaryId']].sort());
      expect(await context.askList('beneficiary-find', { body: {} })).toHaveLength(2);
    },
  },
  {
    name: 'a beneficiary that does not meet the requirements, or may not be paid, is refused',
    covers: ['beneficiary-create'],
    calls: ['beneficiaries.create'],
    run: async (context) => {
      const { beneficiaries } = context.client;
      const withIban = (iban: string) => ({ ...aBeneficiary, bankAccount: { ...aBeneficiary.bankAccount, iban } });
      await context.expectRefused(beneficiaries.create(withIban('DE00370400440532013000')), {
        kind: 'refused',
        status: 400,
        code: 'validation_failed',
        field: 'bankAccount.iban',
      });
      const sanctioned = beneficiaries.create({ ...aBeneficiary, companyName: 'SANCTIONED Trading' });
      await context.expectRefused(sanctioned, { kind: 'refused', status: 400, code: 'compliance_refused' });
      await context.expectFieldsRefused('beneficiary-create', {}, aBeneficiary, { entityType: 'club', type: 'cash' });
      await context.expectUnsent(beneficiaries.create({ ...aBeneficiary, country: 'Germany' }), 'country');
      expect(await beneficiaries.find()).toEqual([]);
    },
  },
  {
    name: 'a deletion returns the deleted beneficiary; payments keep their copy, open quotes become invalid',
    covers: ['beneficiary-delete', 'beneficiary-get'],
    calls: ['beneficiaries.remove', 'beneficiaries.item', 'simplePayments.create'],
    run: async (context) => {
      const { beneficiaries, simplePayments } = context.client;
      const beneficiaryId = await storedBeneficiary(context);
      const payment = await aPayment(context, { beneficiaryId });
      const instruction = await anInstruction(context, { beneficiaryId });
      await context.expectHidden('beneficiary-get', { beneficiaryId });
      await context.expectHidden('beneficiary-delete', { beneficiaryId });
      const stored = await beneficiaries.item(beneficiaryId);
      expect(await beneficiaries.remove(beneficiaryId)).toEqual(stored);
      const missing = { kind: 'refused', status: 404, code: 'not_found' } as const;
      await context.expectRefused(beneficiaries.item(beneficiaryId), missing);
      await context.expectRefused(beneficiaries.remove(beneficiaryId), missing);
      const kept = await simplePayments.item(payment.simplePaymentId);
      expect(kept.beneficiary).toMatchObject({ beneficiaryId, country: 'DE' });
      const mismatch = { kind: 'refused', status: 400, code: 'beneficiary_mismatch', field: 'quoteId' } as const;
      await context.expectRefused(simplePayments.create(instruction), mismatch);
      const params = { beneficiaryId: await storedBeneficiary(context) };
      expect(await context.ask('beneficiary-delete', { params })).toMatchObject(params);
    },
  },
];

export const beneficiaries: Area = { name: 'beneficiaries', settings: ['requirement-form'], cases };
