import Big from 'big.js';
import { canonicalAmount } from '../money.ts';
import type { Certainty, ExpectedLeg, Fact } from '../accounts/money-fact.ts';
import type { Interval } from './interval-matching.ts';
import { amountKey } from './movement.ts';

/**
 * How the provider writes a leg with fees into the history: `included`: one entry with the fees; `beside`: one without and
 * one with all fees; `each_beside`: one without and one for each fee; `without_fees`: one without, as for a refund that
 * does not return the fees.
 */
export type Form = 'included' | 'beside' | 'each_beside' | 'without_fees';

/** A leg of a fact on the way to its entries. Amounts are signed and canonical. */
export interface Leg extends Interval {
  readonly fact: Fact;
  readonly expected: ExpectedLeg;
  readonly currency: string;
  readonly amount: string;
  /** The amount without fees; the same as `amount` if there are none. */
  readonly principal: string;
  /** Each with the sign of the amount. */
  readonly fees: readonly string[];
  /** Their sum; `'0'` without fees. */
  readonly feeTotal: string;
}

const RANKS: Readonly<Record<Certainty, number>> = { expected: 0, possible: 1, provider_only: 2 };

export function legOf(fact: Fact, expected: ExpectedLeg): Leg {
  const { currency, fromMs, untilMs } = expected;
  const common = { fact, expected, currency, fromMs, untilMs, rank: RANKS[fact.certainty] };
  const amount = canonicalAmount(expected.amount);
  const fees = expected.fees.filter((fee) => !new Big(fee).eq(0));
  if (fees.length === 0) return { ...common, amount, principal: amount, fees: [], feeTotal: '0' };
  const sign = amount.startsWith('-') ? -1 : 1;
  const signed = fees.map((fee) => new Big(fee).times(sign));
  const feeTotal = signed.reduce((sum, fee) => sum.plus(fee), new Big(0));
  return {
    ...common,
    amount,
    principal: canonicalAmount(new Big(amount).minus(feeTotal).toFixed()),
    fees: signed.map((fee) => canonicalAmount(fee.toFixed())),
    feeTotal: canonicalAmount(feeTotal.toFixed()),
  };
}

/** The forms that a leg may have, the first if nothing is known. Only a refund may leave the fees out. */
export function formsOf({ fees, fact }: Pick<Leg, 'fees' | 'fact'>): readonly Form[] {
  if (fees.length === 0) return ['included'];
  const forms: Form[] = fees.length === 1 ? ['included', 'beside'] : ['included', 'beside', 'each_beside'];
  return fact.kind === 'refund' ? [...forms, 'without_fees'] : forms;
}

/** The amounts of the entries of a form, the largest part first. */
export function amountsOf(leg: Leg, form: Form): readonly string[] {
  if (form === 'included') return [leg.amount];
  if (form === 'without_fees') return [leg.principal];
  return form === 'beside' ? [leg.principal, leg.feeTotal] : [leg.principal, ...leg.fees];
}

/** Legs and movements with the same key can be matched in this form. */
export function keyOf(leg: Leg, form: Form): string {
  return amountKey(leg.currency, amountsOf(leg, form).join(' '));
}

export function contains({ fromMs, untilMs }: Interval, dateMs: number): boolean {
  return fromMs <= dateMs && dateMs <= untilMs;
}
