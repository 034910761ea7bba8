import { breakOf, BREAK_TYPES, type Break } from './break.ts';
import type { Fact } from '../accounts/money-fact.ts';
import { doubleBreak, matchBreak, missingBreak, unexplainedBreak } from './fact-breaks.ts';
import type { Leg } from './leg.ts';
import type { LegMatching } from './leg-matching.ts';
import { amountKey, append, type MovementIndex } from './movement.ts';

export interface Remaining {
  readonly chainBreaks: readonly Break[];
  readonly matching: LegMatching;
  readonly index: MovementIndex;
  /** Expected legs without entries, none of them younger than the lag. */
  readonly missing: readonly Leg[];
  /** Entries without legs, none of them younger than the lag. */
  readonly unexplained: readonly number[];
  /** Of these, those that are one too many for a fact. */
  readonly suspected: ReadonlyMap<number, string>;
}

/** In the order of their types; of one type by currency and entries. Each leg and entry is in one break. */
export function findBreaks({ chainBreaks, matching, index, missing, unexplained, suspected }: Remaining): Break[] {
  const ofMatches: Break[] = [];
  for (const match of matching.matches.values()) {
    const found = matchBreak(match, index);
    if (found !== null) ofMatches.push(found);
  }
  const breaks = [
    ...chainBreaks,
    ...doubleBreaks(
      unexplained.filter((entry) => suspected.has(entry)),
      suspected,
      index,
    ),
    ...ofMatches,
    ...missingBreaks(missing, matching),
    ...unexplained.filter((entry) => !suspected.has(entry)).map((entry) => unexplainedBreak(entry, index)),
  ];
  return mergeListedFacts(breaks).sort(byTypeAndPlace);
}

function missingBreaks(missing: readonly Leg[], { matches }: LegMatching): Break[] {
  const byFact = new Map<Fact, Leg[]>();
  for (const leg of missing) append(byFact, leg.fact, leg);
  if (byFact.size === 0) return [];
  const amounts = new Set(missing.map(({ currency, amount }) => amountKey(currency, amount)));
  const matchedFacts = new Set<Fact>();
  const ambiguous = new Set<string>();
  for (const { leg, isAmbiguous } of matches.values()) {
    if (byFact.has(leg.fact)) matchedFacts.add(leg.fact);
    const key = isAmbiguous ? amountKey(leg.currency, leg.amount) : '';
    if (amounts.has(key)) ambiguous.add(key);
  }
  return [...byFact].map(([fact, legs]) =>
    missingBreak(
      legs,
      fact.hasMatchedLegs === true || matchedFacts.has(fact),
      legs.some(({ currency, amount }) => ambiguous.has(amountKey(currency, amount))),
    ),
  );
}

/** An amount and its fees beside it that are there twice are one break. */
function doubleBreaks(
  entries: readonly number[],
  suspected: ReadonlyMap<number, string>,
  index: MovementIndex,
): Break[] {
  const together: { factId: string; entries: number[] }[] = [];
  for (const entry of entries) {
    const factId = suspected.get(entry) ?? '';
    const last = together.at(-1);
    const around = [...index.neighboursOf(entry), ...index.companionsOf(entry)];
    const isPart =
      last?.factId === factId &&
      last.entries.some((other) => around.includes(other) && index.changeOf(other) !== index.changeOf(entry));
    if (isPart) last.entries.push(entry);
    else together.push({ factId, entries: [entry] });
  }
  return together.map((double) => doubleBreak(double.factId, double.entries, index));
}

/** A conversion that only the provider lists has two entries: one thing to explain. */
function mergeListedFacts(breaks: readonly Break[]): Break[] {
  const byFact = new Map<string, Break>();
  const others: Break[] = [];
  for (const found of breaks) {
    const [factId] = found.factIds;
    if (found.type !== 'unexplained_entry' || factId === undefined) {
      others.push(found);
      continue;
    }
    const first = byFact.get(factId);
    byFact.set(
      factId,
      first === undefined ? found : breakOf({ ...first, entryIds: [...first.entryIds, ...found.entryIds] }),
    );
  }
  return [...others, ...byFact.values()];
}

function byTypeAndPlace(a: Break, b: Break): number {
  const [one, other] = [a, b].map(
    ({ currency, factIds, entryIds }) => `${currency} ${entryIds.join(' ')} ${factIds.join(' ')}`,
  ) as [string, string];
  return BREAK_TYPES.indexOf(a.type) - BREAK_TYPES.indexOf(b.type) || (one < other ? -1 : Number(one > other));
}
