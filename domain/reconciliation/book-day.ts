import type { Fact } from '../accounts/money-fact.ts';
import { canonicalJson } from '../canonical-json.ts';
import { contentSha256 } from '../sha256.ts';
import type { Break } from './break.ts';
import { subtractAmounts } from '../money.ts';
import { carryForward, type CarriedForward } from './carry-forward.ts';
import { booksOfDay, computeDay, type ComputedDay, type Reclassification } from './compute-day.ts';
import { classLines, type ClassLine } from './entry-class.ts';
import { entriesOfDay, orderByPosting } from './posting-order.ts';
import { append, type Movement } from './movement.ts';
import { reconcile } from './reconcile.ts';
import type { BalancePair, Reconciliation } from './reconciliation.ts';

/** What the books of one day begin with, as JSON: what the day before left open. */
export interface BroughtForward extends Omit<CarriedForward, 'explained' | 'suspectedDoubles'> {
  readonly explained: readonly string[];
  readonly suspectedDoubles: readonly (readonly [entryId: string, factId: string])[];
  /** By currency, the balance at the end of the day before. */
  readonly balances: Readonly<Record<string, string>>;
  /** By entry that is still open, the day in whose books it is. */
  readonly openOn: Readonly<Record<string, string>>;
}

export interface DayToBook {
  readonly account: string;
  /** UTC, YYYY-MM-DD. */
  readonly day: string;
  /** Entries that are in the books of no day before, dated until `SEEN_AFTER_MS` after its end: the later ones tell where it ends. */
  readonly movements: readonly Movement[];
  /** By currency, a balance that the provider showed after the day, and the one by the history at that time. */
  readonly shown: Readonly<Record<string, { readonly balance: string; readonly byHistory: string }>>;
  /** By our record, those that were left open included. */
  readonly facts: readonly Fact[];
  readonly listed: readonly Fact[];
  /** Null: it is the first day. */
  readonly brought: BroughtForward | null;
}

export interface BookedDay {
  readonly reconciliation: Reconciliation;
  /** The entries of this day, also those that have no place in it. */
  readonly entries: readonly Movement[];
  readonly books: readonly ComputedDay[];
  /** Of the entries of this day. */
  readonly lines: readonly ClassLine[];
  /** Ids of facts that no later day needs. */
  readonly closedFacts: readonly string[];
  /** What the next day begins with. */
  readonly carried: BroughtForward;
  /** Of all books of the day. */
  readonly contentHash: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A day counts as seen so long after its end, whenever it is reconciled: the same record gives the same books. */
export const SEEN_AFTER_MS = 6 * HOUR_MS;

/** Reconciles the entries of one day with what our record expects, and makes its books. */
export function bookDay(input: DayToBook): BookedDay {
  const { account, day, listed, brought } = input;
  const facts = stillExpected(input.facts, brought?.facts ?? []);
  const movements = cutDay(input);
  const balances = balancesOf(input, movements);
  const found = reconcile({
    movements: [...(brought?.movements ?? []), ...movements],
    balances,
    facts,
    listed,
    explained: new Set(brought?.explained ?? []),
    suspectedDoubles: new Map(brought?.suspectedDoubles ?? []),
    ...(brought === null ? {} : { knownForms: brought.knownForms }),
    asOfMs: Date.parse(day) + DAY_MS + SEEN_AFTER_MS,
  });
  const own = new Set(movements);
  const reconciliation = { ...found, breaks: found.breaks.filter((one) => !wasReported(one, brought)) };
  const all = classLines(reconciliation);
  const lines = all.filter(({ movement }) => own.has(movement));
  const reclassified = all.filter(({ movement, entryClass }) => !own.has(movement) && entryClass !== 'open');
  const openOn = brought?.openOn ?? {};
  const books = reconciliation.chains.map(({ currency, history, opening }) => {
    const entries = history.entries.filter((entry) => own.has(entry));
    const before = brought?.balances[currency] ?? opening ?? entries[0]?.amountBefore ?? '0';
    const corrections = reclassificationsOf(reclassified, currency, openOn);
    return computeDay(account, booksOfDay(currency, day, before, entries), lines, corrections);
  });
  return {
    reconciliation,
    entries: movements,
    books,
    lines,
    closedFacts: closedFacts(facts, reconciliation),
    carried: carriedBy(reconciliation, books, input),
    contentHash: contentSha256(canonicalJson([account, day, ...books.map(({ contentHash }) => contentHash)])),
  };
}

/** A broken chain is reported at once; entries that were open may show it again. */
function wasReported({ type, entryIds }: Break, brought: BroughtForward | null): boolean {
  const before = new Set(brought?.movements.map(({ entryId }) => entryId));
  return type === 'chain_broken' && entryIds.every((entryId) => before.has(entryId));
}

function cutDay({ day, movements, brought }: DayToBook): Movement[] {
  const byCurrency = new Map<string, Movement[]>();
  for (const movement of movements) append(byCurrency, movement.currency, movement);
  return [...byCurrency].flatMap(([currency, own]) => entriesOfDay(own, day, brought?.balances[currency] ?? null));
}

/** The closing balance is the one that the provider showed later, without what the history says of the time between. */
function balancesOf({ brought, shown }: DayToBook, entries: readonly Movement[]): Record<string, BalancePair> {
  const currencies = new Set([...Object.keys(brought?.openings ?? {}), ...entries.map(({ currency }) => currency)]);
  return Object.fromEntries(
    [...currencies].map((currency) => {
      const opening = brought?.openings[currency] ?? null;
      const later = shown[currency];
      if (later === undefined) return [currency, { opening, closing: null }];
      const own = entries.filter((entry) => entry.currency === currency);
      const before = brought?.balances[currency] ?? opening;
      const { entries: ordered } = orderByPosting(own, { opening: before });
      const atEnd = ordered.at(-1)?.amountAfter ?? before;
      const closing = atEnd === null ? null : subtractAmounts(later.balance, subtractAmounts(later.byHistory, atEnd));
      return [currency, { opening, closing }];
    }),
  );
}

/** What the database says now; of a fact that was left open, only the legs that were missing. */
function stillExpected(facts: readonly Fact[], leftOpen: readonly Fact[]): Fact[] {
  const open = new Map(leftOpen.map((fact) => [fact.factId, fact]));
  return facts.map((fact) => {
    const before = open.get(fact.factId);
    if (before === undefined) return fact;
    const isOpen = (currency: string, amount: string): boolean =>
      before.legs.some((leg) => leg.currency === currency && isDebit(leg.amount) === isDebit(amount));
    const legs = fact.legs.filter(({ currency, amount }) => isOpen(currency, amount));
    return { ...fact, legs, hasMatchedLegs: before.hasMatchedLegs ?? false };
  });
}

function isDebit(amount: string): boolean {
  return amount.startsWith('-');
}

function reclassificationsOf(
  lines: readonly ClassLine[],
  currency: string,
  openOn: Readonly<Record<string, string>>,
): Reclassification[] {
  return lines.flatMap(({ movement, entryClass, amount }) => {
    const ofDay = openOn[movement.entryId];
    if (ofDay === undefined || movement.currency !== currency) return [];
    return [{ entryId: movement.entryId, ofDay, from: 'open', to: entryClass, amount }];
  });
}

/** One that may not have moved money is closed only by an entry: it may turn out later that it did. */
function closedFacts(facts: readonly Fact[], { openFacts, matched }: Reconciliation): string[] {
  const open = new Set(openFacts.map(({ factId }) => factId));
  const found = new Set(matched.map(({ leg }) => leg.fact.factId));
  const isClosed = ({ factId, certainty }: Fact): boolean => found.has(factId) || certainty === 'expected';
  const ours = facts.filter((fact) => !open.has(fact.factId) && isClosed(fact)).map(({ factId }) => factId);
  const listed = matched.filter(({ leg }) => leg.fact.certainty === 'provider_only').map(({ leg }) => leg.fact.factId);
  return [...new Set([...ours, ...listed])];
}

function carriedBy(
  reconciliation: Reconciliation,
  books: readonly ComputedDay[],
  { day, brought }: DayToBook,
): BroughtForward {
  const { explained, suspectedDoubles, ...carried } = carryForward(reconciliation, brought?.knownForms);
  const openOn = reconciliation.openEntries.map(({ entryId }) => [entryId, brought?.openOn[entryId] ?? day]);
  return {
    ...carried,
    explained: [...explained],
    suspectedDoubles: [...suspectedDoubles],
    balances: Object.fromEntries(books.map(({ currency, closing }) => [currency, closing])),
    openOn: Object.fromEntries(openOn) as Record<string, string>,
  };
}
