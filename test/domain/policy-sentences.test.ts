import { describe, expect, test } from 'vitest';
import { type ApprovalPolicy, approvalPolicySchema } from '../../domain/approvals/approval-policy.ts';
import { policyDifferences } from '../../domain/approvals/policy-differences.ts';
import { conditionsInWords, otherParts, stepsInWords } from '../../domain/approvals/policy-sentences.ts';
import { money } from '../../client/cli/wording.ts';

/** What an administrator reads of a policy before they confirm it. */

const CHECKER = { role: 'checker' };
const LARGE = { name: 'large', when: { totalAtLeast: '50000.00' }, steps: [CHECKER, { logins: ['sam', 'kim'] }] };
const REST = { name: 'rest', when: {}, steps: [CHECKER] };

const aPolicy = (parts: object = {}): ApprovalPolicy =>
  approvalPolicySchema.parse({ rules: [LARGE, REST], changes: { delayHours: 72 }, ...parts });

describe('a rule in words', () => {
  test('names all its conditions', () => {
    const when = {
      ...{ currencies: ['EUR', 'USD'], accounts: ['default'], totalAtLeast: '50000.00', largestAtLeast: '1000.50' },
      newBeneficiary: true as const,
    };
    expect(conditionsInWords(when, money)).toBe(
      'the currency is EUR or USD, and the account is default, and the total is at least 50,000.00, ' +
        'and the largest row is at least 1,000.50, and an account is paid for the first time, or by another route',
    );
    expect(conditionsInWords({}, money)).toBe('always');
  });

  test('says in which countries banks are, and when it is decided on', () => {
    expect(conditionsInWords({ anyCountryOf: ['NG', 'RU'], weekdays: ['saturday', 'sunday'] }, money)).toBe(
      'a bank in NG or RU is paid, or one whose country is not known, and it is decided on a Saturday or Sunday',
    );
    expect(conditionsInWords({ onlyCountries: ['DE'], hours: { from: '18:00', until: '07:00' } }, money)).toBe(
      'only banks in DE are paid, and it is decided between 18:00 and 07:00 of the next day',
    );
    expect(conditionsInWords({ hours: { from: '09:00', until: '17:00' } }, money)).toBe(
      'it is decided between 09:00 and 17:00',
    );
  });

  test('hides no condition that a later version has', () => {
    expect(conditionsInWords({ country_of: ['DE'] } as never, money)).toBe('country of ["DE"]');
  });
});

describe('what differs between two policies', () => {
  const differences = (parts: object, before: object = {}) => policyDifferences(aPolicy(before), aPolicy(parts), money);

  test('is nothing between equal ones, and where only what already holds is written out', () => {
    expect(differences({})).toEqual([]);
    expect(differences({ secondFactor: {} })).toEqual([]);
  });

  test('is a rule with other conditions or steps, old beside new', () => {
    expect(differences({ rules: [{ ...LARGE, steps: [CHECKER] }, REST] })).toEqual([
      {
        name: 'Rule “large”',
        before: 'the total is at least 50,000.00: a checker, then sam or kim',
        after: 'the total is at least 50,000.00: a checker',
      },
    ]);
  });

  test('is a rule that is added or removed, with its place', () => {
    const added = { name: 'euro', when: { currencies: ['EUR'] }, steps: [CHECKER] };
    expect(differences({ rules: [added, LARGE, REST] })).toEqual([
      { name: 'Rule “euro”', before: null, after: 'rule 1 of 3; the currency is EUR: a checker' },
    ]);
    expect(differences({ rules: [REST] })).toEqual([
      {
        name: 'Rule “large”',
        before: 'rule 1 of 2; the total is at least 50,000.00: a checker, then sam or kim',
        after: null,
      },
    ]);
  });

  test('is another order of the same rules, as the first that fits applies', () => {
    expect(differences({ rules: [REST, LARGE] })).toEqual([
      { name: 'Order of the rules', before: '“large”, “rest”', after: '“rest”, “large”' },
    ]);
  });

  test('tells rules of the same name apart', () => {
    expect(differences({ rules: [LARGE, REST, { ...REST, steps: [CHECKER, CHECKER] }] })).toEqual([
      { name: 'Rule “rest (2)”', before: null, after: 'rule 3 of 3; always: a checker, then a checker' },
    ]);
  });

  test.each([
    [{ timeZone: 'Europe/Berlin' }, 'Days, weeks and hours'],
    [{ changedAmountPercent: 5 }, 'Amounts unlike those of the last run'],
    [{ secondFactor: { approvals: true } }, 'Second factor at approvals'],
    [{ secondFactor: { approvals: false } }, 'Second factor at approvals'],
    [{ secondFactor: { changes: false } }, 'Second factor at changes'],
    [{ changes: { delayHours: null } }, 'Changes that no second administrator confirms'],
    [
      { retention: { decidedDays: 30, otherDays: 0 } },
      'Personal data of applicants whom the provider approved or rejected',
    ],
    [{ conversions: { limits: { EUR: { approvalAbove: '1.00' } } } }, 'Conversions that sell EUR'],
    [{ accountTimeZones: { eu: 'Europe/Berlin' } }, 'Days on which rows of eu are due'],
    [{ conversions: { directions: { 'USD/EUR': 'direct' } } }, 'Rates of USD/EUR'],
    [{ conversions: { secondFunding: 'person' } }, 'A conversion whose first funding had no effect'],
  ])('has every other part: %j', (parts, name) => {
    expect(differences(parts).map((each) => each.name)).toEqual([name]);
    expect(differences({}, parts).map((each) => each.name)).toEqual([name]);
  });

  test('has how long the data of payees is kept', () => {
    const retention = { decidedDays: 30, otherDays: 0 };
    const [difference, ...others] = differences({ retention: { ...retention, payeesDays: 3_653 } }, { retention });
    expect(others).toEqual([]);
    expect(difference).toMatchObject({
      name: 'Personal data of those whom a run paid',
      before: 'is kept for five years after the end of the run',
      after: 'is kept for 3,653 days after the end of the run',
    });
  });

  test.each(['maxOrder', 'dailyCap', 'approvalAbove'])('has each limit of conversions: %s', (limit) => {
    const limits = (amount: string) => ({ conversions: { limits: { EUR: { [limit]: amount } } } });
    const [difference] = differences(limits('20.00'), limits('10.00'));
    expect([difference?.before, difference?.after]).toEqual([
      expect.stringContaining('10.00 EUR'),
      expect.stringContaining('20.00 EUR'),
    ]);
  });

  test('names groups, deputies, and how many approvals a step takes', () => {
    const grouped = {
      ...REST,
      steps: [{ group: 'finance', approvals: 2 }, { logins: ['sam', 'kim'], approvals: 2 }, { role: 'checker' }],
    };
    const parts = {
      rules: [grouped],
      groups: { finance: ['sam', 'kim', 'lee'] },
      deputies: [{ deputy: 'dana', for: 'sam', from: '2026-12-01', until: '2026-12-14' }],
    };
    expect(stepsInWords(aPolicy(parts).rules[0]?.steps ?? [])).toBe(
      '2 of the group finance, then 2 of sam, kim, then a checker',
    );
    expect(differences({ groups: parts.groups, deputies: parts.deputies })).toEqual([
      { name: 'Group finance', before: null, after: 'sam, kim, lee' },
      {
        name: 'Deputy of sam, from 2026-12-01 to 2026-12-14',
        ...{ before: null, after: 'dana, in the steps that name sam; both count as one' },
      },
    ]);
  });

  test.each([
    [{ steps: [{ group: 'nowhere' }] }, 'no such group'],
    [{ steps: [{ group: 'finance', approvals: 3 }] }, 'asks for more people than it names'],
    [{ steps: [{ logins: ['sam', 'sam'], approvals: 2 }] }, 'asks for more people than it names'],
    [
      {
        steps: [
          { role: 'checker', approvals: 3 },
          { role: 'checker', approvals: 3 },
        ],
      },
      'more than 5 approvals',
    ],
  ])('a rule that nobody could fulfil is refused: %j', (rule, message) => {
    const groups = { finance: ['sam', 'kim'] };
    expect(() => aPolicy({ rules: [{ ...REST, ...rule }], groups })).toThrow(message);
  });

  test('has each limit of what is approved, and says that there is none', () => {
    const limits = { currency: 'EUR', all: { day: '5000.00', week: '20000.00' }, maker: { day: '1000.00' } };
    expect(differences({ limits })).toEqual([
      {
        name: 'May be approved in all',
        before: null,
        after: 'at most 5,000.00 EUR a day; at most 20,000.00 EUR a week, from Monday on',
      },
      { name: 'May be approved of one maker', before: null, after: 'at most 1,000.00 EUR a day' },
      { name: 'Limits of what is approved', before: 'there are none', after: null },
    ]);
    expect(otherParts(aPolicy({ limits: { currency: 'EUR', beneficiary: { week: '9.00' } } }), money)).toContainEqual({
      name: 'May be approved for one bank account',
      says: 'at most 9.00 EUR a week, from Monday on',
    });
    expect(() => aPolicy({ limits: { currency: 'EUR', all: {} } })).toThrow('give an amount');
  });

  test('has a part that a later version adds, as it is written', () => {
    const later = { ...aPolicy(), escalation: { afterHours: 4 } };
    expect(otherParts(later, money)).toContainEqual({ name: 'escalation', says: '{"afterHours":4}' });
    expect(policyDifferences(aPolicy(), later, money)).toEqual([
      { name: 'escalation', before: null, after: '{"afterHours":4}' },
    ]);
  });
});
