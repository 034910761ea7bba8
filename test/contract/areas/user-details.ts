import { expect } from 'vitest';
import { missingScreeningFields, type UserDetailsChange } from '../../../provider/onboarding/user-detail-fields.ts';
import type { Loose } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import type { ContractContext } from '../contract-context.ts';
import { anIndividual, aUser, complete, dayFor } from '../users-and-companies.ts';

/** Whether the sandbox accepts the client's format of days. */
const formIsTaken = (context: ContractContext): boolean => {
  const taken = context.setting('user-date-format');
  return taken === 'either' || (taken === 'DD-MM-YYYY') === (context.setting('client-day-form') === 'DD-MM-YYYY');
};

/** The missing fields in an answer's details; null if the answer does not list them. */
const missingIn = ({ status }: Loose): readonly unknown[] | null =>
  typeof status === 'string' ? null : (status!['missing_fields'] as unknown as readonly unknown[]);

/** Contract: account 2.4, 4.2. */
const cases: readonly ContractCase[] = [
  {
    name: 'a sent field is set, null removes it, and an absent field is unchanged',
    covers: ['user-detail-patch', 'user-detail-get'],
    calls: ['users.updateDetails', 'users.details'],
    run: async (context) => {
      const { users } = context.client;
      const { userId } = await aUser(context);
      const change: UserDetailsChange = {
        title: 'Ms',
        city: 'Singapore',
        state: 'Central',
        gender: 'female',
        nationality: 'SG',
        employmentIndustry: 'Banking/Finance/Insurance',
        occupation: 'Accountant',
        nameInChineseCharacters: '陈美',
      };
      expect(await users.updateDetails(userId, change)).toMatchObject({ ...change, firstName: 'Mei', aliasName: null });
      expect(await users.updateDetails(userId, { city: null })).toMatchObject({ ...change, city: null });
      const written = await context.ask('user-detail-get', { params: { userId } });
      expect(written).toMatchObject({ ...change, city: null, lastName: 'Tan', formerName: null });
      expect(await users.details(userId)).toMatchObject({ ...change, city: null });
    },
  },
  {
    name: 'days are sent in the configured format, and read in either',
    covers: ['user-detail-patch', 'user-detail-get'],
    calls: ['users.updateDetails', 'users.details'],
    run: async (context) => {
      const { users } = context.client;
      const { userId } = await aUser(context);
      const update = users.updateDetails(userId, { dateOfBirth: '1988-02-29', city: 'Singapore' });
      if (formIsTaken(context)) {
        expect((await update).dateOfBirth?.isoDay).toBe('1988-02-29');
      } else {
        const wrong = { kind: 'refused', status: 400, code: 'validation_failed', field: 'dateOfBirth' } as const;
        await context.expectRefused(update, wrong);
        expect(await users.details(userId)).toMatchObject({ dateOfBirth: null, city: null });
      }
      const body = { dateOfBirth: dayFor(context, '1990-12-31'), expiryDate: dayFor(context, '2030-01-02') };
      await context.ask('user-detail-patch', { params: { userId }, body });
      const { dateOfBirth, expiryDate, issueDate } = await users.details(userId);
      expect(dateOfBirth).toEqual({ raw: body.dateOfBirth, isoDay: '1990-12-31' });
      expect([expiryDate?.isoDay, issueDate]).toEqual(['2030-01-02', null]);
    },
  },
  {
    name: 'the details list what a screening still requires, an expiry date only if the identification has one',
    covers: ['user-detail-patch', 'user-detail-get'],
    calls: ['users.details'],
    run: async (context) => {
      const { users } = context.client;
      const { userId } = await aUser(context, anIndividual);
      const fresh = missingIn(await context.ask('user-detail-get', { params: { userId } }));
      const read = await users.details(userId);
      expect(read.status).toEqual({ value: 'incomplete', missingFields: fresh });
      if (fresh !== null) expect(fresh).toEqual(expect.arrayContaining(['gender', 'dateOfBirth', 'mobileNumber']));
      await complete(context, userId);
      const { status } = await users.details(userId);
      // The contract shows no value of complete details.
      const value: unknown = context.isSeeded ? expect.any(String) : 'complete';
      expect(status).toEqual({ value, missingFields: fresh === null ? null : [] });
      const body = { identificationType: 'passport' };
      await context.ask('user-detail-patch', { params: { userId }, body });
      const withPassport = await users.details(userId);
      expect(withPassport.status?.value).toBe('incomplete');
      expect(missingScreeningFields(withPassport)).toEqual(fresh === null ? null : ['expiryDate']);
    },
  },
  {
    name: 'an unlisted value, an invalid day and the status are refused with the field; an unknown user is not found',
    covers: ['user-detail-patch', 'user-detail-get'],
    calls: ['users.updateDetails', 'users.details'],
    run: async (context) => {
      const { userId } = await aUser(context);
      const wrong = {
        title: 'Sir',
        gender: 'f',
        identificationType: 'ktp',
        employmentIndustry: 'Banking/Financial/Insurance',
        employmentStatus: 'Busy',
        employmentPosition: 'King',
        nationality: 'Singapore',
        dateOfBirth: '30-02-1990',
        status: 'complete',
      };
      await context.expectFieldsRefused('user-detail-patch', { params: { userId } }, {}, wrong);
      await context.expectHidden('user-detail-patch', { userId }, { city: 'Singapore' });
      await context.expectHidden('user-detail-get', { userId });
      const { users } = context.client;
      const nobody = { kind: 'refused', status: 404, code: 'not_found' } as const;
      await context.expectRefused(users.details('nobody'), nobody);
      await context.expectUnsent(users.updateDetails(userId, { dateOfBirth: '1990-02-30' }), 'dateOfBirth');
      await context.expectUnsent(users.updateDetails(userId, {}), 'request');
    },
  },
];

export const userDetails: Area = {
  name: 'user details',
  settings: ['user-date-format', 'client-day-form', 'user-detail-status'],
  cases,
};
