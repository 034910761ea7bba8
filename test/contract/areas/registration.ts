import { expect } from 'vitest';
import { defaultAccount } from '../../../sandbox/config/accounts.ts';
import { asText } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import { aSignUp, notifiedOf } from '../users-and-companies.ts';
import { omit } from '../omit.ts';

const aLegacySignUp = {
  firstName: 'Ada',
  lastName: 'Lim',
  email: 'ada@example.com',
  password: 'passw0rd-of-ada',
  products: 'payments',
  country: 'SG',
  accountType: 'individual',
} as const;

/** Fields that only samples show: accepted and returned. */
const ofSamples = { product: 'payments', userType: 'owner', mobileTelephone: '81234567', mobileCountryCode: '+65' };

/** Contract: account 2.2, 2.9, 4.1. */
const legacy: readonly ContractCase[] = [
  {
    name: 'the older sign-up returns the sent fields, and issues credentials that authenticate',
    covers: ['auth-signup-v1', 'user-get'],
    calls: ['registration.legacySignUp', 'users.get'],
    run: async (context) => {
      const { accessKeyId, secretAccessKey, ...rest } = await context.client.registration.legacySignUp({
        ...aLegacySignUp,
        ...ofSamples,
      });
      const sent = omit({ ...aLegacySignUp, ...ofSamples }, 'password');
      expect(rest).toMatchObject({ ...sent, language: 'en' });
      const keys = { accessKeyId: accessKeyId.reveal(), secretAccessKey: secretAccessKey.reveal() };
      const own = context.anotherClient({ ...defaultAccount, ...keys });
      const user = await own.users.get(rest.userId ?? '');
      expect(user).toMatchObject({ email: sent.email, status: context.setting('initial-user-status') });
      expect(await context.notifiedStatuses(rest.userId)).toEqual(notifiedOf(context, [user.status]));
      await context.client.users.get(user.id);
    },
  },
];

const cases: readonly ContractCase[] = [
  {
    name: 'the older sign-up refuses a used e-mail address, unless it makes a second user; it names an invalid field',
    covers: ['auth-signup-v1'],
    calls: ['registration.legacySignUp'],
    run: async (context) => {
      const body = { ...aLegacySignUp, ...ofSamples };
      const answer = await context.ask('auth-signup-v1', { body, allow: { besides: Object.keys(ofSamples) } });
      expect(answer['userName']).toEqual(expect.any(String));
      const again = context.client.registration.legacySignUp(aLegacySignUp);
      if (context.setting('second-sign-up') === 'accept') expect((await again).userId).not.toBe(answer['userId']);
      else await context.expectRefused(again, { kind: 'refused', status: 409, code: 'email_taken', field: 'email' });
      const wrong = { firstName: '', lastName: null, email: 'ada', password: '', products: 'loans', country: 'XX' };
      await context.expectFieldsRefused('auth-signup-v1', {}, aLegacySignUp, { ...wrong, accountType: 'person' });
      const unsent = context.client.registration.legacySignUp({ ...aLegacySignUp, email: 'ada' });
      await context.expectUnsent(unsent, 'email');
    },
  },
  {
    name: 'mails are requested by address, with the same answer for an unknown address',
    covers: ['auth-forgot-password', 'auth-signup-resend'],
    calls: ['registration.forgotPassword', 'registration.resendConfirmation'],
    run: async (context) => {
      await context.ask('user-signup-v2', {
        body: aSignUp,
        allow: { without: context.setting('signup-user-id') === 'omitted' ? ['userId'] : [] },
      });
      const { registration } = context.client;
      const message = await registration.forgotPassword(aSignUp.email);
      expect(message).toEqual(expect.any(String));
      expect(await registration.forgotPassword('nobody@example.com')).toBe(message);
      await registration.resendConfirmation(aSignUp.email);
      expect(await context.ask('auth-signup-resend', { body: { email: 'nobody@example.com' } })).toEqual({});
      expect(asText((await context.ask('auth-forgot-password', { body: aSignUp }))['message'])).toBe(message);
      for (const id of ['auth-forgot-password', 'auth-signup-resend'] as const) {
        await context.expectFieldsRefused(id, {}, {}, { email: undefined });
      }
      await context.expectUnsent(registration.forgotPassword('nobody'), 'email');
      await context.expectUnsent(registration.resendConfirmation(''), 'email');
    },
  },
  {
    name: 'countries need no token, and have a code and a dialling code',
    covers: ['countries-list'],
    calls: ['registration.countries'],
    run: async (context) => {
      const countries = await context.client.registration.countries();
      const singapore = { iso3166TwoLetterCode: 'SG', ituTelephoneCode: '+65', commonName: 'Singapore' };
      expect(countries).toContainEqual(expect.objectContaining(singapore));
      expect(context.ledger().requests.byOperation).not.toHaveProperty('auth-authenticate');
      expect(await context.askList('countries-list')).toHaveLength(countries.length);
    },
  },
];

export const registration: readonly Area[] = [
  { name: 'older sign-ups', settings: ['initial-user-status'], cases: legacy },
  { name: 'registration', settings: ['second-sign-up'], cases },
];
