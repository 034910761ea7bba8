import { canonicalAmount, subtractAmounts, sumAmounts } from '../money.ts';
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

/** With another interval, and another precedence, if they are given. */
export function legOf(fact: Fact, expected: ExpectedLeg, interval: Interval | null = null): Leg {
  return new LegOfFact(fact, expected, interval);
}

const NO_FEES: readonly string[] = [];

/** A day may have half a million: its amounts are computed when they are needed. */
class LegOfFact implements Leg {
  readonly fact: Fact;
  readonly expected: ExpectedLeg;
  readonly #interval: Interval | null;

  constructor(fact: Fact, expected: ExpectedLeg, interval: Interval | null) {
    this.fact = fact;
    this.expected = expected;
    this.#interval = interval;
  }

  get currency(): string {
    return this.expected.currency;
  }

  get fromMs(): number {
    return (this.#interval ?? this.expected).fromMs;
  }

  get untilMs(): number {
    return (this.#interval ?? this.expected).untilMs;
  }

  get rank(): number {
    return this.#interval?.rank ?? RANKS[this.fact.certainty];
  }

  get amount(): string {
    return canonicalAmount(this.expected.amount);
  }

  get principal(): string {
    const { amount, fees, feeTotal } = this;
    return fees.length === 0 ? amount : canonicalAmount(subtractAmounts(amount, feeTotal));
  }

  get fees(): readonly string[] {
    const { amount, fees } = this.expected;
    if (fees.length === 0) return NO_FEES;
    const positive = fees.map(canonicalAmount).filter((fee) => fee !== '0');
    return amount.startsWith('-') ? positive.map(negated) : positive;
  }

  get feeTotal(): string {
    const { fees } = this;
    return fees.length === 1 ? (fees[0] ?? '0') : canonicalAmount(sumAmounts(fees));
  }
}

/** Of a canonical amount other than zero. */
function negated(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
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
