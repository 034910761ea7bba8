import type { ApprovalPolicy } from './approval-policy.ts';
import { basisPointsInPercent, COST_BOUND } from './cost-bound.ts';
import { HELD_ACCOUNTS } from './held-accounts.ts';
import { counted } from '../counted.ts';
import { retentionParts } from './retention-sentences.ts';

/** A policy in sentences: the same in the console and at the command line. */

/** How amounts are written where the sentences are read. */
export type WriteAmount = (amount: string) => string;

export type Rule = ApprovalPolicy['rules'][number];
type Conversions = NonNullable<ApprovalPolicy['conversions']>;

/** `the currency is EUR or USD, and the total is at least 1,000.00`. What a later version adds is shown as it is written. */
export function conditionsInWords(when: Rule['when'], writeAmount: WriteAmount): string {
  const parts = Object.entries(when).map(
    ([name, value]) => conditionOf(name)?.says(value, writeAmount) ?? `${name.replaceAll('_', ' ')} ${shown(value)}`,
  );
  return parts.length === 0 ? 'always' : parts.join(', and ');
}

/** Why a rule does not apply to a run that does not fulfil one of its conditions: `asks for a larger total`. */
export function unfulfilledInWords(condition: string): string {
  return conditionOf(condition)?.unfulfilled ?? condition.replaceAll('_', ' ');
}

interface ConditionTexts {
  says: (value: unknown, writeAmount: WriteAmount) => string;
  unfulfilled: string;
}

const CONDITIONS: Readonly<Record<keyof Rule['when'], ConditionTexts>> = {
  currencies: { says: (value) => `the currency is ${listed(value)}`, unfulfilled: 'is for other currencies' },
  accounts: { says: (value) => `the account is ${listed(value)}`, unfulfilled: 'is for other accounts' },
  totalAtLeast: {
    says: (value, writeAmount) => `the total is at least ${writeAmount(String(value))}`,
    unfulfilled: 'asks for a larger total',
  },
  largestAtLeast: {
    says: (value, writeAmount) => `the largest row is at least ${writeAmount(String(value))}`,
    unfulfilled: 'asks for a larger row',
  },
  newBeneficiary: {
    says: () => 'an account is paid for the first time, or by another route',
    unfulfilled: 'asks for an account that is paid for the first time, or by another route',
  },
  anyCountryOf: {
    says: (value) => `a bank in ${listed(value)} is paid, or one whose country is not known`,
    unfulfilled: 'asks for a bank in another country',
  },
  onlyCountries: {
    says: (value) => `only banks in ${listed(value)} are paid`,
    unfulfilled: 'is only for banks in other countries',
  },
  weekdays: {
    says: (value) =>
      `it is decided on a ${listed(value).replaceAll(/\b(?!or\b)[a-z]/g, (first) => first.toUpperCase())}`,
    unfulfilled: 'is for other weekdays',
  },
  hours: { says: (value) => `it is decided ${hoursInWords(value)}`, unfulfilled: 'is for other hours of the day' },
};

function conditionOf(name: string): ConditionTexts | undefined {
  return (CONDITIONS as Readonly<Record<string, ConditionTexts | undefined>>)[name];
}

/** `a checker, then 2 of the group finance`. */
export function stepsInWords(steps: Rule['steps']): string {
  return steps.map(stepInWords).join(', then ');
}

function stepInWords(step: Rule['steps'][number]): string {
  const { approvals = 1 } = step;
  if ('role' in step) return approvals === 1 ? `a ${step.role}` : `${approvals} ${step.role}s`;
  if ('logins' in step) return approvals === 1 ? step.logins.join(' or ') : `${approvals} of ${step.logins.join(', ')}`;
  return 'group' in step ? `${approvals === 1 ? 'one' : approvals} of the group ${step.group}` : shown(step);
}

/** What holds for the rules of every policy. */
export const RULES_SENTENCE =
  'The first rule that fits applies, for each currency of a run. Nobody approves their own run, and each person counts once.';

export interface PolicyPart {
  name: string;
  says: string;
}

const KNOWN: readonly string[] = [
  'rules',
  'groups',
  'deputies',
  'timeZone',
  'accountTimeZones',
  'limits',
  'costBound',
  'unconfirmedAccounts',
  'duplicates',
  'changedAmountPercent',
  'changes',
  'secondFactor',
  'companySignIn',
  'conversions',
  'retention',
];

/** Everything but the rules. What is not set is said too: that is what holds then. */
export function otherParts(policy: ApprovalPolicy, writeAmount: WriteAmount): PolicyPart[] {
  const {
    groups = {},
    deputies = [],
    timeZone,
    accountTimeZones = {},
    limits,
    costBound,
    changes,
    secondFactor,
    companySignIn,
  } = policy;
  const { conversions, retention, unconfirmedAccounts, duplicates, changedAmountPercent = 20 } = policy;
  const others = Object.entries(policy).filter(([name]) => !KNOWN.includes(name));
  return [
    ...Object.entries(groups).map(([name, logins]) => ({ name: `Group ${name}`, says: logins.join(', ') })),
    ...deputies.map(({ deputy, for: user, from, until }) => ({
      name: `Deputy of ${user}, from ${from} to ${until}`,
      says: `${deputy}, in the steps that name ${user}; both count as one`,
    })),
    ...limitParts(limits, writeAmount),
    { name: 'What a payment may cost', says: costBoundSays(costBound) },
    { name: 'Rows to accounts that nobody confirmed', says: HELD_ACCOUNTS[unconfirmedAccounts ?? 'hold_changed'] },
    { name: 'Suspected duplicates', says: duplicatesSay(duplicates) },
    { name: 'Amounts unlike those of the last run', says: `by more than ${changedAmountPercent} %` },
    { name: 'Days, weeks and hours', says: `those of ${timeZone ?? 'UTC'}` },
    ...Object.entries(accountTimeZones).map(([account, zone]) => ({
      name: `Days on which rows of ${account} are due`,
      says: `those of ${zone}`,
    })),
    { name: 'Second factor at sign-in', says: factorAt(secondFactor?.signIn) },
    { name: 'Second factor at approvals', says: factorAt(secondFactor?.approvals) },
    { name: 'Second factor at changes', says: factorAt(secondFactor?.changes) },
    { name: 'Sign-in of the company', says: askedByCompany(companySignIn) },
    {
      name: 'Changes that no second administrator confirms',
      says:
        changes.delayHours === null
          ? 'never take effect'
          : `take effect after ${counted(changes.delayHours, 'hour')}, unless somebody objects`,
    },
    ...conversionParts(conversions, writeAmount),
    ...retentionParts(retention),
    ...others.map(([name, value]) => ({ name, says: shown(value) })),
  ];
}

function askedByCompany({ acr, amr, only = false }: ApprovalPolicy['companySignIn'] & object = {}): string {
  const asked = [
    ...(acr === undefined ? [] : [`acr ${acr.join(' or ')}`]),
    ...(amr === undefined ? [] : [`amr ${amr.join(' and ')}`]),
  ];
  const taken = asked.length === 0 ? 'is taken however it has asked' : `is taken where it says ${asked.join(', and ')}`;
  return only ? `${taken}; no password is` : taken;
}

function factorAt(setting: boolean | undefined): string {
  if (setting === undefined) return 'each takes one with a real provider, none with the sandbox';
  return setting ? 'each takes one' : 'none is asked for, with a real provider either';
}

type Limits = NonNullable<ApprovalPolicy['limits']>;
export type LimitScope = Exclude<keyof Limits, 'currency'>;

/** Whose approvals a limit adds up. */
export const LIMIT_SCOPES: Readonly<Record<LimitScope, { name: string; of: string }>> = {
  all: { name: 'May be approved in all', of: '' },
  maker: { name: 'May be approved of one maker', of: ' of its maker' },
  beneficiary: { name: 'May be approved for one bank account', of: ' for the beneficiary' },
};

function limitParts(limits: ApprovalPolicy['limits'], writeAmount: WriteAmount): PolicyPart[] {
  if (limits === undefined) return [{ name: 'Limits of what is approved', says: 'there are none' }];
  const { currency, ...byScope } = limits;
  return Object.entries(byScope).map(([scope, { day, week, ...others }]) => ({
    name: (LIMIT_SCOPES as Readonly<Record<string, { name: string } | undefined>>)[scope]?.name ?? `Limits: ${scope}`,
    says: [
      ...(day === undefined ? [] : [`at most ${writeAmount(day)} ${currency} a day`]),
      ...(week === undefined ? [] : [`at most ${writeAmount(week)} ${currency} a week, from Monday on`]),
      ...Object.entries(others).map(([name, value]) => `${name} ${shown(value)}`),
    ].join('; '),
  }));
}

function costBoundSays(bound: ApprovalPolicy['costBound']): string {
  const { feePercent, rateBasisPoints } = { ...COST_BOUND, ...bound };
  const rate = `a rate at most ${basisPointsInPercent(rateBasisPoints)} worse than the reference rate`;
  const missing = bound === undefined ? 'without one, any rate' : 'without one, nothing is approved';
  return `fees of at most ${feePercent} % of the amount sold, and ${rate}; ${missing}`;
}

function conversionParts(conversions: Conversions | undefined, writeAmount: WriteAmount): PolicyPart[] {
  const { limits = {}, directions = {}, secondFunding, ...others } = conversions ?? {};
  return [
    ...Object.entries(limits).map(([currency, limit]) => ({
      name: `Conversions that sell ${currency}`,
      says: limitInWords(limit, currency, writeAmount),
    })),
    {
      name: 'Conversions that sell a currency without limits here',
      says: 'each needs the approval of a second person',
    },
    ...Object.entries(directions).map(([pair, direction]) => ({
      name: `Rates of ${pair}`,
      says: direction === 'direct' ? 'units bought for one sold' : 'units sold for one bought',
    })),
    {
      name: 'A conversion whose first funding had no effect',
      says: secondFunding === 'person' ? 'is funded again by a person' : 'is funded again by payrun',
    },
    ...Object.entries(others).map(([name, value]) => ({ name: `Conversions: ${name}`, says: shown(value) })),
  ];
}

function limitInWords(limit: Conversions['limits'][string], currency: string, writeAmount: WriteAmount): string {
  const { maxOrder, dailyCap, approvalAbove, ...others } = limit;
  const amount = (text: string): string => `${writeAmount(text)} ${currency}`;
  return [
    approvalAbove === undefined
      ? 'each needs the approval of a second person'
      : `those above ${amount(approvalAbove)} need the approval of a second person`,
    maxOrder === undefined ? 'no largest order' : `at most ${amount(maxOrder)} an order`,
    dailyCap === undefined ? 'no daily cap' : `at most ${amount(dailyCap)} a day`,
    ...Object.entries(others).map(([name, value]) => `${name.replaceAll('_', ' ')} ${shown(value)}`),
  ].join('; ');
}

function hoursInWords(value: unknown): string {
  const { from, until } = value as NonNullable<Rule['when']['hours']>;
  return `between ${from} and ${until}${from > until ? ' of the next day' : ''}`;
}

function listed(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(' or ') : shown(value);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `1 hour`, `2,000 hours`. */

function duplicatesSay({
  days = 60,
  tolerancePercent = 1,
  regularPayments,
}: ApprovalPolicy['duplicates'] = {}): string {
  const regular = regularPayments === 'warn' ? '; regular payments of another invoice are warned of' : '';
  return `the same amount to an account within ${days} days; nearly the same is within ${tolerancePercent} %${regular}`;
}
