import { canonicalAmount, subtractAmounts } from '../money.ts';
import type { Break } from './break.ts';
import type { ChainBreak } from './chain-breaks.ts';
import type { Leg } from './leg.ts';
import type { LegMatch, LegMatching } from './leg-matching.ts';
import { amountKey, append, type MovementIndex } from './movement.ts';

/** How far from a gap the entries of the leg may be whose other part is missing there. */
const AROUND = 2;
const DAY_MS = 86_400_000;

interface Candidate {
  readonly leg: Leg;
  /** Null if the leg has no entries. */
  readonly match: LegMatch | null;
  /** The entries of the leg that are not missing have these amounts. */
  readonly left: readonly string[];
}

/**
 * Finds for each gap the leg that is missing by just its amount, or of which one entry is: without entries, without the one
 * for the amount, or without fees. The leg was expected at most a day from the gap. It belongs to the break of the chain, and is
 * no other break. Returns the breaks with their facts.
 */
export function explainGaps(
  breaks: readonly ChainBreak[],
  missing: readonly Leg[],
  matching: LegMatching,
  index: MovementIndex,
): Break[] {
  if (breaks.every(({ missing: amount }) => amount === null)) return breaks.map(({ found }) => found);
  const candidates = candidatesOf(missing, matching.matches.values(), index);
  const explained = new Set<Leg>();
  return breaks.map((gap) => {
    for (const { leg, match, left } of candidates.get(amountKey(gap.found.currency, gap.missing ?? '')) ?? []) {
      const isNear = leg.fromMs <= gap.untilMs + DAY_MS && leg.untilMs >= gap.fromMs - DAY_MS;
      const entries = isNear && !explained.has(leg) ? entriesAround(gap, left, index) : null;
      if (entries === null) continue;
      explained.add(leg);
      const found = [...(match?.entries ?? []), ...entries];
      matching.add({ leg, entries: found, form: 'included', isAmbiguous: false, deviation: 'in_gap' });
      return { ...gap.found, factIds: [leg.fact.factId] };
    }
    return gap.found;
  });
}

function candidatesOf(
  missing: readonly Leg[],
  matches: Iterable<LegMatch>,
  index: MovementIndex,
): Map<string, Candidate[]> {
  const byAmount = new Map<string, Candidate[]>();
  const add = (candidate: Candidate, amount: string): void =>
    append(byAmount, amountKey(candidate.leg.currency, amount), candidate);
  for (const leg of missing) {
    add({ leg, match: null, left: [] }, leg.amount);
    if (leg.fees.length === 0) continue;
    add({ leg, match: null, left: [leg.feeTotal] }, leg.principal);
    if (leg.fact.kind === 'refund') add({ leg, match: null, left: [] }, leg.principal);
    if (leg.fees.length > 1) add({ leg, match: null, left: leg.fees }, leg.principal);
  }
  for (const match of matches) {
    const { leg } = match;
    if (match.deviation !== 'other_fee') continue;
    const found = match.entries.reduce((sum, entry) => subtractAmounts(sum, index.changeOf(entry)), leg.amount);
    add({ leg, match, left: [] }, canonicalAmount(found));
    // One of two fees, found beside it but not as a fee of this leg.
    for (const [at, fee] of leg.fees.length > 1 ? leg.fees.entries() : []) {
      add({ leg, match, left: leg.fees.filter((_, other) => other !== at) }, fee);
    }
  }
  return byAmount;
}

/** Free entries with these amounts near the gap, or null. */
function entriesAround({ around }: ChainBreak, amounts: readonly string[], index: MovementIndex): number[] | null {
  const near = around.flatMap((movement) => {
    const at = index.positionOf(movement);
    return Array.from({ length: 2 * AROUND + 1 }, (_, offset) => at - AROUND + offset);
  });
  const left = [...new Set(near)].filter((entry) => index.isFree(entry));
  const entries: number[] = [];
  for (const amount of amounts) {
    const at = left.findIndex((entry) => index.changeOf(entry) === amount);
    if (at === -1) return null;
    entries.push(...left.splice(at, 1));
  }
  return entries;
}
