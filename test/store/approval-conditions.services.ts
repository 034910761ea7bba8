import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApprovalPolicy } from '../../domain/approvals/approval-policy.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { explainRule } from '../../store/approvals/policy-explanation.ts';
import { saveProviderBeneficiaries } from '../../store/beneficiaries/provider-beneficiaries.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { ACCOUNT, beneficiaryAt } from './a-stored-run.ts';
import { RunsInApproval } from './runs-in-approval.ts';

type When = ApprovalPolicy['rules'][number]['when'];

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let chris: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  ({ chris } = runs);
  await saveProviderBeneficiaries(testDatabase.asWorker, await payeesIn(testDatabase.asWorker), ACCOUNT, [
    { beneficiaryId: 'shown-in-ng', known: { bankAccount: { country: 'NG', accountNumber: '1' } }, mac: null },
  ]);
});
afterAll(() => testDatabase.drop());

const checker = { role: 'checker' as const };

/** Two steps where the condition holds, else one. */
const twoStepsWhen = (when: When, parts: Partial<ApprovalPolicy> = {}): Partial<ApprovalPolicy> => ({
  ...parts,
  rules: [
    { name: 'more', when, steps: [checker, checker] },
    { name: 'rest', when: {}, steps: [checker] },
  ],
});

const bankIn = (country: string): Partial<PaymentInstruction> => {
  const { beneficiary } = beneficiaryAt(`account-${country}`);
  if (beneficiary.kind !== 'details') throw new Error('the beneficiary has no details');
  const { details } = beneficiary;
  return {
    beneficiary: { kind: 'details', details: { ...details, bankAccount: { ...details.bankAccount, country } } },
  };
};
/** The column says one country, and the codes by which it is paid another one. */
const calledGerman = (codes: { iban?: string; bicSwift?: string }): Partial<PaymentInstruction> => {
  const { beneficiary } = bankIn('DE');
  if (beneficiary?.kind !== 'details') throw new Error('the beneficiary has no details');
  const { details } = beneficiary;
  const bankAccount = { ...details.bankAccount, ...codes };
  return { beneficiary: { kind: 'details', details: { ...details, bankAccount } } };
};
const named = (beneficiaryId: string): Partial<PaymentInstruction> => ({
  beneficiary: { kind: 'existing', beneficiaryId },
});

describe('a rule for countries', () => {
  test.each<[string, When, Partial<PaymentInstruction>[], number]>([
    ['one row pays a bank there', { anyCountryOf: ['NG', 'RU'] }, [bankIn('DE'), bankIn('NG')], 2],
    ['an IBAN is of there', { anyCountryOf: ['RU'] }, [calledGerman({ iban: 'ru02 0445 2560' })], 2],
    ['a BIC is of there', { anyCountryOf: ['NG'] }, [calledGerman({ bicSwift: 'abcdng12' })], 2],
    ['an IBAN is of elsewhere', { onlyCountries: ['DE'] }, [calledGerman({ iban: 'AE070331' })], 1],
    ['no row pays a bank there', { anyCountryOf: ['NG', 'RU'] }, [bankIn('DE'), bankIn('FR')], 1],
    ['the provider has shown the bank of a named beneficiary', { anyCountryOf: ['NG'] }, [named('shown-in-ng')], 2],
    ['the bank of a named beneficiary is not known', { anyCountryOf: ['NG'] }, [named('never-shown')], 2],
    ['all rows pay banks in one of these', { onlyCountries: ['DE', 'FR'] }, [bankIn('DE'), bankIn('FR')], 2],
    ['one row pays a bank elsewhere', { onlyCountries: ['DE', 'FR'] }, [bankIn('DE'), bankIn('NG')], 1],
    ['one bank is not known', { onlyCountries: ['DE', 'FR'] }, [bankIn('DE'), named('never-shown')], 1],
  ])('when %s', async (_what, when, rows, steps) => {
    await runs.follow(twoStepsWhen(when));
    const { runId } = await runs.aRun(rows.length, (n) => rows[n - 1] ?? {});
    expect((await runs.decide(chris, runId)).steps).toBe(steps);
  });
});

describe('a rule for a time', () => {
  const RUN = {
    ...{ account: ACCOUNT, currency: 'EUR', total: '1.00', largest: '1.00', hasNewBeneficiary: false },
    ...{ countries: ['DE'], makerId: null },
  };
  const ruleAt = async (at: string, when: When, timeZone?: string): Promise<string | null> => {
    const policy = twoStepsWhen(when, timeZone === undefined ? {} : { timeZone });
    return (await explainRule(testDatabase.asServer, { ...RUN, at }, policy)).rule;
  };

  // 2026-01-05 is a Monday.
  test.each<[string, When, string, string | undefined, string]>([
    ['a weekday', { weekdays: ['monday'] }, '2026-01-05T12:00:00Z', undefined, 'more'],
    ['another weekday', { weekdays: ['saturday', 'sunday'] }, '2026-01-05T12:00:00Z', undefined, 'rest'],
    ['a weekday of the zone', { weekdays: ['monday'] }, '2026-01-04T23:30:00Z', 'Europe/Berlin', 'more'],
    ['hours of a day', { hours: { from: '09:00', until: '17:00' } }, '2026-01-05T09:00:00Z', undefined, 'more'],
    ['their end', { hours: { from: '09:00', until: '17:00' } }, '2026-01-05T17:00:00Z', undefined, 'rest'],
    ['before them', { hours: { from: '09:00', until: '17:00' } }, '2026-01-05T08:59:59Z', undefined, 'rest'],
    ['hours over midnight', { hours: { from: '18:00', until: '07:00' } }, '2026-01-05T06:59:00Z', undefined, 'more'],
    ['late in them', { hours: { from: '18:00', until: '07:00' } }, '2026-01-05T18:00:00Z', undefined, 'more'],
    ['outside them', { hours: { from: '18:00', until: '07:00' } }, '2026-01-05T12:00:00Z', undefined, 'rest'],
    [
      'hours of the zone',
      { hours: { from: '18:00', until: '07:00' } },
      '2026-07-06T16:30:00Z',
      'Europe/Berlin',
      'more',
    ],
  ])('%s', async (_what, when, at, timeZone, rule) => {
    expect(await ruleAt(at, when, timeZone)).toBe(rule);
  });

  test('is that of the decision', async () => {
    const { rows } = await testDatabase.database.query<{ day: 'monday' | 'sunday' }>(
      `select to_char(now() at time zone 'UTC', 'fmday') as day`,
    );
    const today = rows[0]?.day ?? 'monday';
    await runs.follow(twoStepsWhen({ weekdays: [today] }));
    expect((await runs.decide(chris, (await runs.aRun()).runId)).steps).toBe(2);
    await runs.follow(twoStepsWhen({ weekdays: [today === 'monday' ? 'sunday' : 'monday'] }));
    expect((await runs.decide(chris, (await runs.aRun()).runId)).steps).toBe(1);
  });

  test('that does not apply is named to whoever asks', async () => {
    const policy = twoStepsWhen({
      weekdays: ['sunday'],
      anyCountryOf: ['NG'],
      hours: { from: '10:00', until: '11:00' },
    });
    const found = await explainRule(testDatabase.asServer, { ...RUN, at: '2026-01-05T10:30:00Z' }, policy);
    expect(found.skippedRules).toEqual([
      { rule: 'more', unmetConditions: expect.arrayContaining(['weekdays', 'anyCountryOf']) as string[] },
    ]);
  });
});
