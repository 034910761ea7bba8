import { addAmounts } from '../money.ts';
import { LIMIT_SCOPES, type LimitScope, unfulfilledInWords, type WriteAmount } from './policy-sentences.ts';

/** What a policy says of one run, in sentences: the same in the console and at the command line. */

export interface RunUnderPolicy {
  currencies: readonly {
    currency: string;
    /** Null: none fits. */
    rule: string | null;
    skippedRules: readonly { rule: string; unmetConditions: readonly string[] }[];
  }[];
  steps: readonly {
    step: number;
    role: string | null;
    logins: readonly string[] | null;
    people: readonly { name: string }[];
  }[];
  limits: readonly LimitOfRun[];
  needsSecondFactor: boolean;
}

/** A limit of the policy, and what a run asks of it. Amounts are decimal strings in `currency`. */
export interface LimitOfRun {
  scope: LimitScope;
  period: 'day' | 'week';
  currency: string;
  allowed: string;
  /** What is approved in this day or week; null, as `asked`: a currency has no reference rate. */
  used: string | null;
  asked: string | null;
  /** The first row to the beneficiary that comes closest to its limit. */
  rowRef: string | null;
  /** Currencies without a reference rate. */
  missingRates: string[];
  /** Whether it keeps the run from being approved now. */
  isPassed: boolean;
}

export function runUnderPolicyInWords(run: RunUnderPolicy, writeAmount: WriteAmount): string[] {
  const { currencies, steps, limits, needsSecondFactor } = run;
  return [
    ...(currencies.length === 0 ? ['No row of it can be paid now, so no rule is asked.'] : []),
    ...currencies.map(currencyInWords),
    ...steps.map(stepInWords),
    ...(needsSecondFactor && steps.length > 0 ? ['Each approval takes a second factor.'] : []),
    ...limits.map((limit) => limitInWords(limit, writeAmount)),
  ];
}

function currencyInWords({ currency, rule, skippedRules }: RunUnderPolicy['currencies'][number]): string {
  const skipped = skippedRules.map(
    ({ rule: name, unmetConditions }) => `“${name}” ${unmetConditions.map(unfulfilledInWords).join(', and ')}`,
  );
  return [
    rule === null
      ? `${currency}: no rule fits, so the run cannot be approved.`
      : `${currency}: the rule “${rule}” applies.`,
    ...(skipped.length === 0
      ? []
      : [`Not ${skipped.length === 1 ? 'this rule' : 'these rules'} before it: ${skipped.join('; ')}.`]),
  ].join(' ');
}

function stepInWords({ step, role, logins, people }: RunUnderPolicy['steps'][number]): string {
  const by = logins === null ? `a ${role ?? 'checker'}` : logins.join(' or ');
  const names = people.map(({ name }) => name);
  return `Step ${step} is for ${by}: ${names.length === 0 ? 'nobody could take it now' : `${names.join(', ')} could take it`}.`;
}

function limitInWords(limit: LimitOfRun, writeAmount: WriteAmount): string {
  const { scope, period, currency, allowed, used, asked, rowRef, missingRates, isPassed } = limit;
  const amount = (text: string): string => `${writeAmount(text)} ${currency}`;
  const when = period === 'day' ? 'today' : 'this week';
  const what = `What is approved ${when}${LIMIT_SCOPES[scope].of}${rowRef === null ? '' : ` of ${rowRef}`}`;
  if (used === null || asked === null) {
    return `${what}, at most ${amount(allowed)}: there is no reference rate of the last five days for ${missingRates.join(', ')}, so the run cannot be approved.`;
  }
  const together = `${what}: ${amount(used)} of ${amount(allowed)}, with this run ${amount(addAmounts(used, asked))}`;
  return isPassed ? `${together}. That is more, so the run cannot be approved ${when}.` : `${together}.`;
}
