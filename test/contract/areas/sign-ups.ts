import { expect } from 'vitest';
import { ProviderFailure } from '../../../provider/calls/failure.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import { aSignUp, notifiedOf, signedUpId } from '../users-and-companies.ts';
import { omit } from '../omit.ts';

/** Contract: account 2.1, 2.3, 4.2. */
const companies: readonly ContractCase[] = [
  {
    name: 'a company is returned as sent, and has a user, an account and a notification',
    covers: ['user-signup-v2', 'user-get', 'company-get'],
    calls: ['users.signUp', 'users.get', 'company.get'],
    run: async (context) => {
      const { users, company } = context.client;
      const signedUp = await users.signUp({ ...aSignUp, language: 'id' });
      const knowsCompanyName = context.setting('signup-company-name') === 'on';
      const { companyName } = aSignUp;
      const sent = omit(aSignUp, 'password', 'companyName');
      expect(signedUp).toMatchObject({
        ...sent,
        language: 'id',
        companyName: knowsCompanyName ? companyName : null,
      });
      if (context.setting('signup-user-id') === 'omitted') expect(() => signedUp.userId).toThrow(ProviderFailure);
      const userId = await signedUpId(context, signedUp);
      const status = context.setting('initial-user-status');
      expect(await context.notifiedStatuses(userId)).toEqual(notifiedOf(context, [status]));
      const user = await users.get(userId);
      expect(user).toMatchObject({ id: userId, email: sent.email, firstName: 'Mei', lastName: 'Tan', status });
      const ofCompany = await company.get(user.accountId ?? '');
      expect(ofCompany.companyName).toBe(knowsCompanyName ? companyName : null);
    },
  },
];

const others: readonly ContractCase[] = [
  {
    name: 'an individual needs no password, language or company name, and has no company',
    covers: ['user-signup-v2', 'company-get'],
    calls: ['users.signUp', 'company.get'],
    run: async (context) => {
      const shortest = { ...omit(aSignUp, 'password', 'companyName'), accountType: 'individual' as const };
      const signedUp = await context.client.users.signUp(shortest);
      expect(signedUp).toMatchObject({ accountType: 'individual', language: 'en', companyName: null });
      const userId = await signedUpId(context, signedUp);
      const { accountId } = await context.client.users.get(userId);
      const none = context.client.company.get(accountId ?? '');
      await context.expectRefused(none, { kind: 'refused', status: 404, code: 'not_found' });
      await context.expectHidden('user-get', { userId });
    },
  },
  {
    name: 'an e-mail address can sign up once, or makes a second user; an invalid field is named',
    covers: ['user-signup-v2'],
    calls: ['users.signUp'],
    run: async (context) => {
      const { users } = context.client;
      const first = await signedUpId(context, await users.signUp(aSignUp));
      const again = users.signUp({ ...aSignUp, email: 'MEI@example.com' });
      if (context.setting('second-sign-up') === 'accept') {
        const second = await signedUpId(context, await again);
        expect(context.ledger().signedUpMoreThanOnce).toEqual([[first, second]]);
      } else {
        await context.expectRefused(again, { kind: 'refused', status: 409, code: 'email_taken', field: 'email' });
        expect(context.ledger().signedUpMoreThanOnce).toEqual([]);
      }
      const wrong = {
        firstName: 'x'.repeat(65),
        lastName: 'x'.repeat(65),
        email: `${'x'.repeat(120)}@example.com`,
        password: 'has a space 1',
        language: 'de',
        countryCode: 'XX',
        accountType: 'person',
      };
      await context.expectFieldsRefused('user-signup-v2', {}, aSignUp, wrong);
      for (const password of ['short1', 'lettersonly', '12345678']) {
        await context.expectFieldsRefused('user-signup-v2', {}, aSignUp, { password });
        await context.expectUnsent(users.signUp({ ...aSignUp, password }), 'password');
      }
      for (const field of ['firstName', 'lastName', 'email', 'countryCode', 'accountType']) {
        await context.expectFieldsRefused('user-signup-v2', {}, aSignUp, { [field]: undefined });
      }
    },
  },
];

export const signUps: readonly Area[] = [
  {
    name: 'sign-ups of companies',
    settings: ['signup-company-name', 'signup-user-id', 'initial-user-status'],
    cases: companies,
  },
  { name: 'other sign-ups', settings: ['signup-company-name', 'signup-user-id', 'second-sign-up'], cases: others },
];
