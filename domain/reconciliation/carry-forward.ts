import type { Fact } from '../accounts/money-fact.ts';
import type { Movement } from './movement.ts';
import type { Reconciliation } from './reconciliation.ts';
import { type FormCounts, mergeCounts } from './usual-forms.ts';

/** Younger entries, and legs whose interval ended less long ago, stay open: the other side may still appear. */
export const CARRIED_FORWARD_FOR_MS = 86_400_000;

/** What the next reconciliation needs of the last: together with the new movements and facts it is its input. */
export interface CarriedForward {
  /** From shortly before the first open entry of each currency: the parts of a leg are neighbours. */
  readonly movements: Movement[];
  /** The balances before them, by currency; null if it is not known. */
  readonly openings: Readonly<Record<string, string | null>>;
  /** Ids of those that are no longer open. */
  readonly explained: ReadonlySet<string>;
  readonly facts: readonly Fact[];
  readonly suspectedDoubles: ReadonlyMap<string, string>;
  readonly knownForms: FormCounts;
}

const NEIGHBOURS = 2;

/** `knownForms` is what was learnt before. */
export function carryForward(result: Reconciliation, knownForms: FormCounts = {}): CarriedForward {
  const { chains, openEntries, openFacts, suspectedDoubles, learntForms } = result;
  const open = new Set(openEntries);
  const movements: Movement[] = [];
  const openings: Record<string, string | null> = {};
  for (const { currency, history, opening } of chains) {
    const { entries } = history;
    const first = entries.findIndex((entry) => open.has(entry));
    const kept = first === -1 ? [] : entries.slice(Math.max(0, first - NEIGHBOURS));
    for (const entry of kept) movements.push(entry);
    openings[currency] = kept[0]?.amountBefore ?? entries.at(-1)?.amountAfter ?? opening;
  }
  const explained = new Set(movements.filter((entry) => !open.has(entry)).map(({ entryId }) => entryId));
  return {
    movements,
    openings,
    explained,
    facts: openFacts,
    suspectedDoubles,
    knownForms: mergeCounts(knownForms, learntForms),
  };
}
