import { groupIntervals, matchIntervals } from './interval-matching.ts';
import { amountsOf, type Form, formsOf, keyOf, type Leg } from './leg.ts';
import { groupsByKey, type MovementIndex } from './movement.ts';
import { type Split, splitsOf } from './split-entries.ts';

/** A leg and its entries, by their index. */
export interface LegMatch {
  readonly leg: Leg;
  readonly entries: readonly number[];
  readonly form: Form;
  /** Others expect, or have, the same amount at about the same time: which entry belongs to which leg makes no difference. */
  readonly isAmbiguous: boolean;
  /** Why it is a break although entries are found; `in_gap`: entries of it are what is missing in a broken chain. */
  readonly deviation: 'other_form' | 'other_fee' | 'other_amount' | 'in_gap' | null;
}

/** As it is kept: of most legs the one entry, without a list around it. */
class KeptMatch implements LegMatch {
  readonly leg: Leg;
  readonly form: Form;
  readonly isAmbiguous: boolean;
  readonly deviation: LegMatch['deviation'];
  readonly #entries: number | readonly number[];

  constructor({ leg, entries, form, isAmbiguous, deviation }: LegMatch) {
    this.leg = leg;
    this.form = form;
    this.isAmbiguous = isAmbiguous;
    this.deviation = deviation;
    const [first] = entries;
    this.#entries = entries.length === 1 && first !== undefined ? first : entries;
  }

  get entries(): readonly number[] {
    return typeof this.#entries === 'number' ? [this.#entries] : this.#entries;
  }
}

/** Matches legs with free entries, step by step; those of each step are of one currency. */
export class LegMatching {
  readonly matches = new Map<Leg, LegMatch>();
  readonly #index: MovementIndex;

  constructor(index: MovementIndex) {
    this.#index = index;
  }

  open(legs: readonly Leg[]): Leg[] {
    return legs.filter((leg) => !this.matches.has(leg));
  }

  add(match: LegMatch): void {
    this.matches.set(match.leg, new KeptMatch(match));
    for (const entry of match.entries) this.#index.take(entry);
  }

  /** Each leg in its usual form, then in the others that it may have. */
  matchForms(legs: readonly Leg[], usualFormOf: (leg: Leg) => Form): void {
    // Neighbours with both amounts say more than one entry with one amount.
    for (const form of ['each_beside', 'beside'] as const) {
      this.#matchSplits(
        form,
        legs.filter((leg) => usualFormOf(leg) === form),
        null,
      );
    }
    this.#matchSingles(legs, (leg) => asSingle(usualFormOf(leg)), null);
    this.#matchSingles(legs, (leg) => (usualFormOf(leg) === 'included' ? null : 'included'), 'other_form');
    for (const form of ['each_beside', 'beside'] as const) {
      const others = legs.filter((leg) => formsOf(leg).includes(form) && usualFormOf(leg) !== form);
      this.#matchSplits(form, others, 'other_form');
    }
    const isOther = (leg: Leg): boolean => formsOf(leg).includes('without_fees') && usualFormOf(leg) !== 'without_fees';
    this.#matchSingles(legs, (leg) => (isOther(leg) ? 'without_fees' : null), 'other_form');
  }

  /** Legs whose amount without fees is found, not added yet: the fees may be found beside it. */
  matchPrincipals(legs: readonly Leg[]): LegMatch[] {
    const tentative = new LegMatching(this.#index);
    tentative.#matchSingles(this.open(legs), () => 'without_fees', 'other_fee');
    return [...tentative.matches.values()];
  }

  /** Legs for which `formOf` is null are left out. */
  #matchSingles(legs: readonly Leg[], formOf: (leg: Leg) => Form | null, deviation: LegMatch['deviation']): void {
    const open = this.open(legs).filter((leg) => formOf(leg) !== null);
    const amountIn = (leg: Leg): string => amountsOf(leg, formOf(leg) ?? 'included')[0] ?? '0';
    for (const [amount, competing] of groupsByKey(open, amountIn)) {
      const entries = this.#index.freeWith(competing[0]?.currency ?? '', amount);
      const candidates = entries.map((entry): Split => [entry]);
      this.#assign(competing, candidates, (leg) => formOf(leg) ?? 'included', deviation);
    }
  }

  #matchSplits(form: Form, legs: readonly Leg[], deviation: LegMatch['deviation']): void {
    const open = this.open(legs).filter(({ fees }) => fees.length > 0);
    if (open.length === 0) return;
    const splits = splitsOf(form, open, this.#index);
    for (const [key, competing] of groupsByKey(open, (leg) => keyOf(leg, form))) {
      this.#assign(competing, splits.get(key) ?? [], () => form, deviation);
    }
  }

  /** The candidates are in the order of their dates. */
  #assign(
    legs: readonly Leg[],
    candidates: readonly Split[],
    formOf: (leg: Leg) => Form,
    deviation: LegMatch['deviation'],
  ): void {
    if (candidates.length === 0) return;
    const dates = candidates.map(([first = 0]) => this.#index.dateOf(first));
    for (const group of groupIntervals(dates, legs)) {
      const intervals = group.intervals.flatMap((at) => legs[at] ?? []);
      const inside = group.dates.map((at) => dates[at] ?? 0);
      const isAmbiguous = intervals.length > 1 || inside.length > 1;
      for (const [at, date] of matchIntervals(inside, intervals).entries()) {
        const leg = intervals[at];
        const entries = candidates[group.dates[date] ?? -1];
        if (leg === undefined || date < 0 || entries === undefined) continue;
        this.add({ leg, entries, form: formOf(leg), isAmbiguous, deviation });
      }
    }
  }
}

function asSingle(form: Form): Form | null {
  return form === 'included' || form === 'without_fees' ? form : null;
}
