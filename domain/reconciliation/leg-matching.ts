import { groupIntervals, matchIntervals } from './interval-matching.ts';
import { type Form, formsOf, keyOf, type Leg } from './leg.ts';
import { append, type MovementIndex } from './movement.ts';
import { type Split, splitsOf } from './split-entries.ts';

/** A leg and its entries, by their index. */
export interface LegMatch {
  readonly leg: Leg;
  readonly entries: readonly number[];
  readonly form: Form;
  /** Others expect, or have, the same amount at about the same time: which entry belongs to which leg makes no difference. */
  readonly isInterchangeable: boolean;
  /** Why it is a break although entries are found; `in_gap`: entries of it are what is missing in a broken chain. */
  readonly deviation: 'other_form' | 'other_fee' | 'other_amount' | 'in_gap' | null;
}

/** Matches legs with free entries, step by step. */
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
    this.matches.set(match.leg, match);
    for (const entry of match.entries) this.#index.take(entry);
  }

  /** Each leg in its usual form, then in the others that it may have. */
  matchForms(legs: readonly Leg[], usualFormOf: (leg: Leg) => Form): void {
    const byUsual = new Map<Form, Leg[]>();
    for (const leg of legs) append(byUsual, usualFormOf(leg), leg);
    // Neighbours with both amounts say more than one entry with one amount.
    for (const form of ['each_beside', 'beside'] as const) this.#matchSplits(form, byUsual.get(form) ?? [], null);
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
    const trial = new LegMatching(this.#index);
    trial.#matchSingles(this.open(legs), () => 'without_fees', 'other_fee');
    return [...trial.matches.values()];
  }

  /** Legs for which `formOf` is null are left out. */
  #matchSingles(legs: readonly Leg[], formOf: (leg: Leg) => Form | null, deviation: LegMatch['deviation']): void {
    const byKey = new Map<string, Leg[]>();
    for (const leg of this.open(legs)) {
      const form = formOf(leg);
      if (form !== null) append(byKey, keyOf(leg, form), leg);
    }
    for (const [key, competing] of byKey) {
      const entries = this.#index.freeWith(key);
      const candidates = entries.map((entry): Split => [entry]);
      this.#assign(competing, candidates, (leg) => formOf(leg) ?? 'included', deviation);
    }
  }

  #matchSplits(form: Form, legs: readonly Leg[], deviation: LegMatch['deviation']): void {
    const open = this.open(legs).filter(({ fees }) => fees.length > 0);
    if (open.length === 0) return;
    const splits = splitsOf(form, open, this.#index);
    const byKey = new Map<string, Leg[]>();
    for (const leg of open) append(byKey, keyOf(leg, form), leg);
    for (const [key, competing] of byKey) this.#assign(competing, splits.get(key) ?? [], () => form, deviation);
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
      const isInterchangeable = intervals.length > 1 || inside.length > 1;
      for (const [at, date] of matchIntervals(inside, intervals).entries()) {
        const leg = intervals[at];
        const entries = candidates[group.dates[date] ?? -1];
        if (leg === undefined || date < 0 || entries === undefined) continue;
        this.add({ leg, entries, form: formOf(leg), isInterchangeable, deviation });
      }
    }
  }
}

function asSingle(form: Form): Form | null {
  return form === 'included' || form === 'without_fees' ? form : null;
}
