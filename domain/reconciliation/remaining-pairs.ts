import Big from 'big.js';
import type { Fact } from '../accounts/money-fact.ts';
import { amountsOf, contains, type Form, formsOf, type Leg, legOf } from './leg.ts';
import { isSameSide, listedLegOf, listKey } from './listed-evidence.ts';
import type { LegMatching } from './leg-matching.ts';
import { amountKey, append, type MovementIndex } from './movement.ts';

/**
 * How far the amount of an entry may be from the expected one, as a share of it, the closest first: in each round only a
 * leg and an entry that are each other's sole candidates make a pair.
 */
const ROUNDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1] as const;

/** Among more candidates none is sole; and a history in disorder takes no longer. */
const MAX_CANDIDATES = 64;

/** An entry without fees is found, but the fees beside it are others, or none. */
export function matchOtherFees(
  legs: readonly Leg[],
  matching: LegMatching,
  index: MovementIndex,
  usualFormOf: (leg: Leg) => Form,
): void {
  const expected = new Set(matching.open(legs).map(({ currency, amount }) => amountKey(currency, amount)));
  const found = matching.matchPrincipals(legs.filter(({ fees, fact }) => fees.length > 0 && fact.kind !== 'refund'));
  for (const match of found) {
    const [principal = 0] = match.entries;
    const isFee = (entry: number): boolean =>
      index.isFree(entry) &&
      isPart(index.changeOf(entry), match.leg.principal) &&
      !expected.has(amountKey(match.leg.currency, index.changeOf(entry)));
    const isSplit = usualFormOf(match.leg) !== 'included';
    const fee = isSplit ? around(principal, index).find(isFee) : undefined;
    const { leg, form, isAmbiguous, deviation } = match;
    const entries = fee === undefined ? match.entries : [principal, fee];
    matching.add({ leg, entries, form, isAmbiguous, deviation });
  }
}

/** Legs to which the provider's own list gives another amount, and for which an entry has the listed amount. */
export function matchListedAmounts(
  legs: readonly Leg[],
  listed: ReadonlyMap<string, Fact>,
  matching: LegMatching,
  index: MovementIndex,
): void {
  for (const leg of matching.open(legs)) {
    const fact = listed.get(listKey(leg.fact) ?? '');
    const listedLeg = listedLegOf(leg, fact);
    if (fact === undefined || listedLeg === undefined) continue;
    const other = legOf(fact, listedLeg);
    const entry = index
      .freeWith(leg.currency, other.amount)
      .find((candidate) => contains(leg, index.dateOf(candidate)));
    if (entry === undefined) continue;
    const deviation = other.principal === leg.principal ? 'other_fee' : 'other_amount';
    matching.add({ leg, entries: [entry], form: 'included', isAmbiguous: false, deviation });
  }
}

/** A leg and an entry that are left, of one currency, each without another candidate, although the amounts differ. */
export function matchOtherAmounts(
  legs: readonly Leg[],
  matching: LegMatching,
  index: MovementIndex,
  usualFormOf: (leg: Leg) => Form,
): void {
  for (const tolerance of ROUNDS) {
    const open = matching.open(legs).filter(({ rank }) => rank === 0);
    if (open.length === 0) return;
    const entries = new SortedEntries(index, open[0]?.currency);
    const legsOf = new Map<number, Leg[]>();
    const sole: [Leg, number][] = [];
    for (const leg of open) {
      const candidates = entries.near(leg, amountsOf(leg, usualFormOf(leg))[0] ?? leg.amount, tolerance);
      for (const entry of candidates) append(legsOf, entry, leg);
      if (candidates.length === 1) sole.push([leg, candidates[0] ?? 0]);
    }
    for (const [leg, entry] of sole) {
      if (legsOf.get(entry)?.length !== 1) continue;
      const form = usualFormOf(leg);
      const fees = feesBeside(leg, entry, form, index);
      matching.add({ leg, entries: [entry, ...fees], form, isAmbiguous: false, deviation: 'other_amount' });
    }
  }
}

/** The fees of a leg that is usually split are found beside an entry whose own amount is wrong. */
function feesBeside(leg: Leg, entry: number, form: Form, index: MovementIndex): number[] {
  if (!formsOf(leg).includes(form)) return [];
  const left = around(entry, index).filter((other) => index.isFree(other));
  return amountsOf(leg, form)
    .slice(1)
    .flatMap((amount) => {
      const at = left.findIndex((other) => index.changeOf(other) === amount);
      return at === -1 ? [] : left.splice(at, 1);
    });
}

function around(entry: number, index: MovementIndex): number[] {
  return [...new Set([...index.companionsOf(entry), ...index.neighboursOf(entry)])];
}

function isPart(fee: string, principal: string): boolean {
  return isSameSide(fee, principal) && new Big(fee).abs().lt(new Big(principal).abs());
}

/** Free entries of a currency by their amounts. As floating-point numbers: they only narrow the search. */
class SortedEntries {
  readonly #entries: number[];
  readonly #amounts: Float64Array;
  readonly #index: MovementIndex;

  constructor(index: MovementIndex, currency: string | undefined) {
    this.#index = index;
    const sorted = index
      .free(currency)
      .map((entry) => ({ entry, amount: Number(index.changeOf(entry)) }))
      .sort((a, b) => a.amount - b.amount || a.entry - b.entry);
    this.#entries = sorted.map(({ entry }) => entry);
    this.#amounts = Float64Array.from(sorted, ({ amount }) => amount);
  }

  /** Within the interval and the tolerance, of the same sign; two at most, as then none is sole. */
  near(leg: Leg, expected: string, tolerance: number): number[] {
    const [entries, amounts] = [this.#entries, this.#amounts];
    const amount = Number(expected);
    // With the tolerance 1, from a half to twice the amount.
    const bounds = [amount * (1 - tolerance / (1 + tolerance)), amount * (1 + tolerance)].sort((a, b) => a - b);
    const [lowest = 0, highest = 0] = bounds;
    const found: number[] = [];
    let first = firstAtLeast(amounts, lowest);
    for (const limit = first + MAX_CANDIDATES; first < entries.length && found.length < 2; first += 1) {
      if ((amounts[first] ?? 0) > highest) break;
      const entry = entries[first] ?? 0;
      // Too many to look at: not sole.
      if (first >= limit) return [];
      if (this.#index.isFree(entry) && contains(leg, this.#index.dateOf(entry))) found.push(entry);
    }
    return found;
  }
}

function firstAtLeast(amounts: Float64Array, least: number): number {
  let [low, high] = [0, amounts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((amounts[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
