import { isPostingComplete, orderByPosting } from './posting-order.ts';
import type { Break } from './break.ts';
import { CARRIED_FORWARD_FOR_MS } from './carry-forward.ts';
import { chainBreaks, type ChainBreak } from './chain-breaks.ts';
import { type DoubleEntry, takeDoubles } from './double-entries.ts';
import type { Fact } from '../accounts/money-fact.ts';
import { findBreaks } from './find-breaks.ts';
import { explainGaps } from './gap-explanations.ts';
import { contains, type Form, type Leg, legOf } from './leg.ts';
import { LegMatching } from './leg-matching.ts';
import { append, type Movement, MovementIndex } from './movement.ts';
import type { CurrencyChain, MatchedLeg, Reconciliation, ReconciliationInput } from './reconciliation.ts';
import { listKey } from './listed-evidence.ts';
import { matchListedAmounts, matchOtherAmounts, matchOtherFees } from './remaining-pairs.ts';
import { type FormCounts, learnForms, mergeCounts, usualForms } from './usual-forms.ts';
import { pairReportsOfOneReceipt } from './receipt-reports.ts';

const DAY_MS = 86_400_000;

/** With a smaller share of the amount an entry is not taken for that of a leg; see `matchOtherAmounts`. */
const LEAST_SHARE = 0.5;

/**
 * Compares the provider's history of one account with what our record expects. Nothing is guessed: amounts are never
 * added up to find what fits, and where several entries of one amount belong to several facts, they match as a group.
 * O(n log n) in the movements and facts.
 */
export function reconcile(input: ReconciliationInput): Reconciliation {
  const { asOfMs, explained = new Set() } = input;
  const isOverdue = (timeMs: number): boolean => timeMs + CARRIED_FORWARD_FOR_MS <= asOfMs;
  const chains = orderChains(input);
  const index = new MovementIndex();
  for (const { history } of chains) index.addChain(history, explained);
  index.build();

  const { facts, listed } = factsOf(input);
  const fitted = index.movements.some(hasDayAlone) ? fromStartOfDay : (leg: Leg): Leg => leg;
  const { legs, firstOf } = pairReportsOfOneReceipt(
    facts.flatMap((fact) => fact.legs.map((leg) => fitted(legOf(fact, leg)))),
  );
  const gaps = chains.flatMap(chainBreaks);
  const { matching, doubles, learntForms, broken } = matchLegs(legs, { listed, gaps, firstOf }, index, input);

  const missing = matching.open(legs).filter((leg) => leg.rank === 0 && !firstOf.has(leg));
  // The second report of a receipt is carried forward with the first.
  const isStillExpected = (leg: Leg): boolean =>
    leg.fact.certainty !== 'provider_only' && !matching.matches.has(firstOf.get(leg) ?? leg);
  const awaited = awaitedEntries(
    missing.filter(({ untilMs }) => !isOverdue(untilMs)),
    index,
  );
  const young = (entry: number): boolean => !isOverdue(index.dateOf(entry)) || awaited.has(entry);
  const suspected = suspectedDoubles(doubles, index, input.suspectedDoubles ?? new Map());
  const free = [...index.free(), ...doubles.flatMap(({ entries }) => entries)].sort((a, b) => a - b);
  const breaks = findBreaks({
    chainBreaks: broken,
    matching,
    index,
    missing: missing.filter(({ untilMs }) => isOverdue(untilMs)),
    unexplained: free.filter((entry) => !young(entry)),
    suspected,
  });
  const stillOpen = openFacts(
    matching.open(legs).filter((leg) => !isOverdue((firstOf.get(leg) ?? leg).untilMs) && isStillExpected(leg)),
    matching,
  );
  return {
    chains,
    matched: matchedLegs(matching, firstOf, index),
    breaks,
    openFacts: stillOpen,
    openEntries: free.filter(young).flatMap((entry) => index.movements[entry] ?? []),
    suspectedDoubles: new Map(
      free.filter(young).flatMap((entry) => {
        const factId = suspected.get(entry);
        return factId === undefined ? [] : [[index.idOf(entry), factId] as const];
      }),
    ),
    learntForms,
  };
}

/**
 * Free entries that may still turn out to belong to a leg whose time is not over, with another amount or beside its fees: they are
 * as young as the leg.
 */
function awaitedEntries(legs: readonly Leg[], index: MovementIndex): Set<number> {
  const awaited = new Set<number>();
  const byCurrency = new Map<string, Leg[]>();
  for (const leg of legs) append(byCurrency, leg.currency, leg);
  for (const entry of byCurrency.size === 0 ? [] : index.free()) {
    const change = Number(index.changeOf(entry));
    const mayBelong = (leg: Leg): boolean => {
      const share = change / Number(leg.amount);
      return share >= LEAST_SHARE && share <= 1 / LEAST_SHARE && contains(leg, index.dateOf(entry));
    };
    if (byCurrency.get(index.currencyOf(entry))?.some(mayBelong) !== true) continue;
    for (const other of [entry, ...index.neighboursOf(entry), ...index.companionsOf(entry)]) awaited.add(other);
  }
  return awaited;
}

function hasDayAlone({ date }: Movement): boolean {
  return typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date.trim());
}

/** Entries that are dated with a day alone count as of its start. */
function fromStartOfDay(leg: Leg): Leg {
  const fromMs = leg.fromMs - (((leg.fromMs % DAY_MS) + DAY_MS) % DAY_MS);
  return legOf(leg.fact, leg.expected, { fromMs, untilMs: leg.untilMs, rank: leg.rank });
}

/** By entry, the fact that has its entries already. */
function suspectedDoubles(
  doubles: readonly DoubleEntry[],
  index: MovementIndex,
  known: ReadonlyMap<string, string>,
): Map<number, string> {
  const suspected = new Map<number, string>();
  for (const entry of known.size === 0 ? [] : index.free()) {
    const factId = known.get(index.idOf(entry));
    if (factId !== undefined) suspected.set(entry, factId);
  }
  for (const { leg, entries } of doubles) for (const entry of entries) suspected.set(entry, leg.fact.factId);
  return suspected;
}

function orderChains({ movements, balances }: ReconciliationInput): CurrencyChain[] {
  const byCurrency = new Map<string, Movement[]>(Object.keys(balances).map((currency) => [currency, []]));
  for (const movement of movements) append(byCurrency, movement.currency, movement);
  return [...byCurrency.keys()].sort().map((currency) => {
    const { opening, closing } = balances[currency] ?? { opening: null, closing: null };
    const history = orderByPosting(byCurrency.get(currency) ?? [], { opening });
    const isComplete = opening !== null && closing !== null && isPostingComplete(history, opening, closing);
    return { currency, opening, closing, history, isComplete };
  });
}

/** Ours, and those that only the provider lists. What both have is in `listed` as evidence, by `listKey`. */
function factsOf({ facts, listed = [] }: ReconciliationInput): { facts: Fact[]; listed: Map<string, Fact> } {
  const ours = [...facts];
  const shown = [...listed];
  const listedKeys = new Set(shown.map(listKey));
  const known = new Set(listedKeys.size === 0 ? [] : ours.map(listKey).filter((key) => listedKeys.has(key)));
  const evidence = new Map<string, Fact>();
  for (const fact of shown) {
    const key = listKey(fact);
    if (key !== null && known.has(key)) evidence.set(key, fact);
    else ours.push({ ...fact, certainty: 'provider_only' });
  }
  return { facts: ours, listed: evidence };
}

interface Evidence {
  /** By `listKey`. */
  listed: ReadonlyMap<string, Fact>;
  gaps: readonly ChainBreak[];
  firstOf: ReadonlyMap<Leg, Leg>;
}

interface MatchedLegs {
  matching: LegMatching;
  broken: Break[];
  doubles: DoubleEntry[];
  learntForms: FormCounts;
}

/** One currency after another: their legs and entries have nothing to do with each other but the usual forms. */
function matchLegs(
  legs: readonly Leg[],
  evidence: Evidence,
  index: MovementIndex,
  input: ReconciliationInput,
): MatchedLegs {
  const byCurrency = new Map<string, Leg[]>();
  for (const leg of legs) append(byCurrency, leg.currency, leg);
  const learntForms = [...byCurrency.values()].map((own) => learnForms(own, index)).reduce(mergeCounts, {});
  const usualFormOf = usualForms(mergeCounts(input.knownForms ?? {}, learntForms));
  const matched: MatchedLegs = { matching: new LegMatching(index), doubles: [], learntForms, broken: [] };
  // What has no leg may still be a broken chain.
  const currencies = new Set([...byCurrency.keys(), ...evidence.gaps.map(({ found }) => found.currency)]);
  for (const currency of currencies) {
    matchCurrency(currency, byCurrency.get(currency) ?? [], { ...evidence, usualFormOf }, index, input, matched);
  }
  return matched;
}

/** What is certain first, then what only remains. Legs that still may get their entries are not paired with others. */
function matchCurrency(
  currency: string,
  legs: readonly Leg[],
  { listed, gaps, firstOf, usualFormOf }: Evidence & { usualFormOf: (leg: Leg) => Form },
  index: MovementIndex,
  { asOfMs }: ReconciliationInput,
  { matching, doubles, broken }: MatchedLegs,
): void {
  matching.matchForms(legs, usualFormOf);
  const overdue = matching
    .open(legs)
    .filter(({ rank, untilMs }) => rank === 0 && untilMs + CARRIED_FORWARD_FOR_MS <= asOfMs);
  matchListedAmounts(overdue, listed, matching, index);
  matchOtherFees(overdue, matching, index, usualFormOf);
  const missing = matching.open(legs).filter((leg) => leg.rank === 0 && !firstOf.has(leg));
  const own = gaps.filter(({ found }) => found.currency === currency);
  for (const found of explainGaps(own, missing, matching, index)) broken.push(found);
  for (const found of takeDoubles('wholes', matching.matches.values(), index, currency)) doubles.push(found);
  matchOtherAmounts(overdue, matching, index, usualFormOf);
  for (const found of takeDoubles('fees', matching.matches.values(), index, currency)) doubles.push(found);
}

/** The last step: it takes the matches away one by one, so that not all of them are kept twice. */
function matchedLegs({ matches }: LegMatching, firstOf: ReadonlyMap<Leg, Leg>, index: MovementIndex): MatchedLeg[] {
  const otherReportIds = new Map<Leg, string>();
  for (const [second, first] of firstOf) if (!matches.has(second)) otherReportIds.set(first, second.fact.factId);
  const matched: MatchedLeg[] = [];
  for (const { leg, entries, form, isAmbiguous, deviation } of matches.values()) {
    matches.delete(leg);
    const movements = entries.flatMap((entry) => index.movements[entry] ?? []);
    matched.push({
      leg,
      movements,
      form,
      isAmbiguous,
      deviation,
      otherReportId: otherReportIds.get(leg) ?? null,
    });
  }
  return matched;
}

/** Each with the legs that are still expected. */
function openFacts(missing: readonly Leg[], matching: LegMatching): Fact[] {
  const byFact = new Map<Fact, Leg[]>();
  for (const leg of missing) append(byFact, leg.fact, leg);
  const matchedFacts = new Set<Fact>();
  for (const { fact } of matching.matches.keys()) if (byFact.has(fact)) matchedFacts.add(fact);
  return [...byFact].map(([fact, legs]) => ({
    ...fact,
    legs: legs.map(({ expected }) => expected),
    hasMatchedLegs: fact.hasMatchedLegs === true || matchedFacts.has(fact),
  }));
}
