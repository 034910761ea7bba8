import { expect } from 'vitest';
import { canUpdateCompany } from '../../../provider/onboarding/company.ts';
import { asText } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import { aCompany, aUser, beIn } from '../users-and-companies.ts';

/** The company in the contract's format of days. */
const written = { ...aCompany, incorporationDate: '31-01-2019' };

/** Contract: account 2.5, 4.3. */
const cases: readonly ContractCase[] = [
  {
    name: 'a company can be updated, with all fields, only while its account waits for phone or documents',
    covers: ['company-get', 'company-patch'],
    calls: ['company.get', 'company.update'],
    run: async (context) => {
      const { company } = context.client;
      const { accountId } = await aUser(context);
      const fresh = await context.ask('company-get', { params: { accountId } });
      expect(fresh).toMatchObject({ accountId, city: null, incorporationDate: null });
      const update = company.update(accountId, aCompany);
      if (!canUpdateCompany(context.setting('initial-user-status'))) {
        const frozen = { kind: 'refused', status: 409, code: 'account_status_not_allowed' } as const;
        await context.expectRefused(update, frozen);
        expect((await company.get(accountId)).city).toBeNull();
        return;
      }
      const day = { raw: '31-01-2019', isoDay: '2019-01-31' };
      expect(await update).toMatchObject({ ...aCompany, accountId, incorporationDate: day });
      expect(await company.get(accountId)).toMatchObject({ ...aCompany, incorporationDate: day });
    },
  },
  {
    name: 'a postal code is a string in the client, whatever its type in the answer',
    covers: ['company-get', 'company-patch'],
    calls: ['company.get', 'company.update'],
    run: async (context) => {
      const { accountId } = await aUser(context);
      if (!canUpdateCompany(context.setting('initial-user-status'))) return;
      const asNumber = context.setting('company-postal-code') === 'number';
      const answer = await context.ask('company-patch', { params: { accountId }, body: written });
      expect(answer['postalCode']).toBe(asNumber ? 189890 : '189890');
      expect((await context.client.company.get(accountId)).postalCode).toBe('189890');
      await context.ask('company-patch', { params: { accountId }, body: { ...written, postalCode: 18989 } });
      expect((await context.client.company.get(accountId)).postalCode).toBe('18989');
      const { postalCode } = await context.client.company.update(accountId, { ...aCompany, postalCode: '018989' });
      expect(postalCode).toBe('018989');
    },
  },
  {
    name: 'a company of another caller or of an individual is not found; a screening freezes the company',
    covers: ['company-get', 'company-patch'],
    calls: ['company.get', 'company.update'],
    run: async (context) => {
      const { company } = context.client;
      const { userId, accountId } = await aUser(context);
      const missing = { kind: 'refused', status: 404, code: 'not_found' } as const;
      await context.expectHidden('company-get', { accountId });
      await context.expectHidden('company-patch', { accountId }, written);
      // A user's id is not an account's id.
      await context.expectRefused(company.get(userId), missing);
      const individual = await aUser(context, { accountType: 'individual', email: 'lee@example.com' });
      await context.expectRefused(company.update(individual.accountId, aCompany), missing);
      await beIn(context, userId, 'pending_approval');
      const frozen = { kind: 'refused', status: 409, code: 'account_status_not_allowed' } as const;
      await context.expectRefused(company.update(accountId, aCompany), frozen);
      expect(asText((await context.ask('company-get', { params: { accountId } }))['accountId'])).toBe(accountId);
    },
  },
];

const fields: readonly ContractCase[] = [
  {
    name: 'each of the nine fields is required, and the two read-only fields change nothing',
    covers: ['company-patch'],
    calls: ['company.update'],
    run: async (context) => {
      const { accountId } = await aUser(context);
      const params = { accountId };
      for (const field of Object.keys(aCompany)) {
        await context.expectFieldsRefused('company-patch', { params }, written, { [field]: undefined });
        await context.expectFieldsRefused('company-patch', { params }, written, { [field]: null });
        await context.expectUnsent(context.client.company.update(accountId, { ...aCompany, [field]: '' }), field);
      }
      const wrong = {
        countryOfOperations: 'XX',
        businessType: 'Banking/Finance/Insurance',
        incorporationDate: '2019-01-31',
      };
      await context.expectFieldsRefused('company-patch', { params }, written, wrong);
      if (!canUpdateCompany(context.setting('initial-user-status'))) return;
      const before = (await context.client.company.get(accountId)).companyName;
      const body = { ...written, accountId: 'another', companyName: 'Another' };
      const updated = await context.ask('company-patch', { params, body });
      expect([updated['accountId'], updated['companyName']]).toEqual([accountId, before]);
    },
  },
];

export const company: readonly Area[] = [
  { name: 'company', settings: ['company-postal-code', 'initial-user-status'], cases },
  { name: 'fields of a company', settings: ['company-postal-code', 'signup-company-name'], cases: fields },
];
