import type { Fact } from '../../domain/accounts/money-fact.ts';
import { withoutFloatNoise } from '../../domain/money.ts';
import { bookDay, type DayToBook, SEEN_AFTER_MS } from '../../domain/reconciliation/book-day.ts';
import { ListedEvidence } from '../../domain/reconciliation/listed-evidence.ts';
import { SharedParts } from '../../domain/reconciliation/shared-parts.ts';
import type { FactRange, FactSource } from '../../store/accounts/fact-sources.ts';
import type { Database, Queryable } from '../../store/database/database.ts';
import { readDayBefore, storeBookDay } from '../../store/reconciliation/book-days.ts';
import { readDayEntries, readFirstDay, readShownBalances } from '../../store/reconciliation/day-entries.ts';
import { listedFacts } from '../../store/reconciliation/listed-facts.ts';
import { FACT_SOURCES } from '../fact-sources.ts';

export interface ReconciledDay {
  /** `closed`: it was closed meanwhile. `too_early`: the day before it is not reconciled, or has to be again. */
  outcome: 'stored' | 'closed' | 'too_early';
  breaks: number;
}

/** Compares the provider's history of one day with our record, and stores the books of the day and what differs. */
export async function compareDay(
  database: Database,
  range: FactRange,
  sources: readonly FactSource[] = FACT_SOURCES,
): Promise<ReconciledDay> {
  // First of all: what is read after it must be no older than it.
  const before = await readDayBefore(database, range);
  if (before === null && (await readFirstDay(database, range.account)) !== range.day) {
    return { outcome: 'too_early', breaks: 0 };
  }
  const shared = new SharedParts();
  const facts: Fact[] = [];
  for (const source of sources) for (const fact of await source(database, range)) facts.push(shared.fact(fact));
  const listed = new ListedEvidence(facts);
  for (const fact of await listedFacts(database, range)) listed.add(fact);
  const booked = bookDay({
    ...range,
    movements: (await readDayEntries(database, range, SEEN_AFTER_MS)).map((entry) => shared.movement(entry)),
    shown: await shownBalances(database, range),
    facts,
    listed: listed.facts,
    brought: before?.carried ?? null,
  });
  const isStored = await storeBookDay(database, range, { booked, carriedFrom: before?.reconciledAt ?? null });
  return { outcome: isStored ? 'stored' : 'closed', breaks: booked.reconciliation.breaks.length };
}

async function shownBalances(database: Queryable, range: FactRange): Promise<DayToBook['shown']> {
  const shown = await readShownBalances(database, range);
  return Object.fromEntries(
    shown.map(({ currency, balance, byHistory }) => [currency, { balance: withoutFloatNoise(balance), byHistory }]),
  );
}
