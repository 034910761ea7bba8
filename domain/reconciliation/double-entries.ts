import { CARRIED_FORWARD_FOR_MS } from './carry-forward.ts';
import { amountsOf, type Leg } from './leg.ts';
import type { LegMatch } from './leg-matching.ts';
import { amountKey, append, type MovementIndex } from './movement.ts';

export interface DoubleEntry {
  readonly leg: Leg;
  readonly entries: readonly number[];
}

/**
 * Takes free entries of a currency with the amount of a leg that has its entries already, while its interval is still
 * carried forward: `wholes` the amount itself, with its fees if they are repeated beside it, `fees` fees alone.
 */
export function takeDoubles(
  which: 'wholes' | 'fees',
  matches: Iterable<LegMatch>,
  index: MovementIndex,
  currency: string,
): DoubleEntry[] {
  const byAmount = new Map<string, LegMatch[]>();
  for (const match of matches) {
    if (
      match.leg.currency !== currency ||
      match.leg.rank > 1 ||
      match.deviation === 'other_amount' ||
      match.deviation === 'in_gap'
    )
      continue;
    const entries = which === 'wholes' ? match.entries.slice(0, 1) : match.entries.slice(1);
    for (const entry of entries) append(byAmount, amountKey(match.leg.currency, index.changeOf(entry)), match);
  }
  const covers = new Covers(byAmount);
  const found: DoubleEntry[] = [];
  for (const entry of index.free(currency)) {
    const match = covers.at(amountKey(index.currencyOf(entry), index.changeOf(entry)), index.dateOf(entry));
    if (match === null || !index.isFree(entry)) continue;
    const entries = [entry, ...(which === 'wholes' ? repeatedParts(entry, match, index) : [])];
    for (const taken of entries) index.take(taken);
    found.push({ leg: match.leg, entries });
  }
  return found;
}

function repeatedParts(entry: number, { leg, form, entries }: LegMatch, index: MovementIndex): number[] {
  if (entries.length === 1) return [];
  const around = [...new Set([...index.companionsOf(entry), ...index.neighboursOf(entry)])];
  const left = around.filter((other) => index.isFree(other));
  return amountsOf(leg, form)
    .slice(1)
    .flatMap((amount) => {
      const at = left.findIndex((other) => index.changeOf(other) === amount);
      return at === -1 ? [] : left.splice(at, 1);
    });
}

/** Finds a match of an amount whose interval contains a date. */
class Covers {
  readonly #byKey = new Map<string, { match: LegMatch; fromMs: number }[]>();

  constructor(byKey: ReadonlyMap<string, LegMatch[]>) {
    for (const [key, matches] of byKey) {
      const sorted = [...matches].sort((a, b) => a.leg.fromMs - b.leg.fromMs);
      let latest: LegMatch | undefined;
      // Beside each one that began, the one that ends last of all that began.
      const ends = sorted.map((match) => {
        if (latest === undefined || match.leg.untilMs > latest.leg.untilMs) latest = match;
        return { match: latest, fromMs: match.leg.fromMs };
      });
      this.#byKey.set(key, ends);
    }
  }

  at(key: string, dateMs: number): LegMatch | null {
    const ends = this.#byKey.get(key) ?? [];
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.fromMs ?? 0) <= dateMs) low = middle + 1;
      else high = middle;
    }
    const last = ends[low - 1];
    return last !== undefined && dateMs <= last.match.leg.untilMs + CARRIED_FORWARD_FOR_MS ? last.match : null;
  }
}
