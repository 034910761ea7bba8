import { keyOf, type Leg, legOf } from './leg.ts';
import { append } from './movement.ts';

export interface PairedLegs {
  /** All legs. Those that report a receipt a second time are matched after all others of the same amount. */
  readonly legs: Leg[];
  /** By the leg that reports a receipt a second time, that of the first report. */
  readonly firstOf: ReadonlyMap<Leg, Leg>;
}

/**
 * A deposit and a funding of equal amounts at about the same time may report the same receipt: each deposit is paired with one
 * funding. A second credit in the history shows that they are two receipts; without one the funding is ignored.
 */
export function pairReportsOfOneReceipt(legs: readonly Leg[]): PairedLegs {
  const [deposits, fundings] = [byKeyOf('deposit', legs), byKeyOf('funding', legs)];
  const changed = new Map<Leg, Leg>();
  const firstOf = new Map<Leg, Leg>();
  for (const [key, ofKey] of deposits) {
    for (const [deposit, funding] of pairOverlapping(ofKey, fundings.get(key) ?? [])) {
      const [fromMs, untilMs] = [Math.min(deposit.fromMs, funding.fromMs), Math.max(deposit.untilMs, funding.untilMs)];
      const rank = Math.min(deposit.rank, funding.rank);
      const first = legOf(deposit.fact, deposit.expected, { fromMs, untilMs, rank });
      const second = legOf(funding.fact, funding.expected, {
        fromMs: funding.fromMs,
        untilMs: funding.untilMs,
        rank: Math.max(1, funding.rank),
      });
      changed.set(deposit, first).set(funding, second);
      firstOf.set(second, first);
    }
  }
  return { legs: legs.map((leg) => changed.get(leg) ?? leg), firstOf };
}

function byKeyOf(kind: 'deposit' | 'funding', legs: readonly Leg[]): Map<string, Leg[]> {
  const byKey = new Map<string, Leg[]>();
  for (const leg of legs) if (leg.fact.kind === kind) append(byKey, keyOf(leg, 'included'), leg);
  for (const list of byKey.values()) list.sort((a, b) => a.untilMs - b.untilMs || a.fromMs - b.fromMs);
  return byKey;
}

/** Each at most once: two that overlap, otherwise the one that ends first stays alone. */
function pairOverlapping(some: readonly Leg[], others: readonly Leg[]): [Leg, Leg][] {
  const pairs: [Leg, Leg][] = [];
  for (let [one, other] = [0, 0]; ; ) {
    const [a, b] = [some[one], others[other]];
    if (a === undefined || b === undefined) return pairs;
    if (a.fromMs <= b.untilMs && b.fromMs <= a.untilMs) {
      pairs.push([a, b]);
      one += 1;
      other += 1;
    } else if (a.untilMs < b.untilMs) one += 1;
    else other += 1;
  }
}
