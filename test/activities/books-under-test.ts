import type { storeHistory } from '../../activities/accounts/store-history.ts';
import { compareDay } from '../../activities/reconciliation/compare-day.ts';
import type { Fact } from '../../domain/accounts/money-fact.ts';
import { readInstant } from '../../domain/instant.ts';
import type { HistoryLine } from '../../fixtures/reconciliation/provider-model.ts';
import type { FactRange, FactSource } from '../../store/accounts/fact-sources.ts';
import type { Database } from '../../store/database/database.ts';

const DAY_MS = 86_400_000;

/** A line of the model's history as a read of the provider's shows it. */
export function shownOf(line: HistoryLine): Parameters<typeof storeHistory>[2][number] {
  const { id, date, currency, amountBefore, amountAfter, type, transactionId } = line;
  return {
    ...{ id, balanceId: null, amountBefore, amountAfter, currency, totalAmount: null, transactionId },
    transactionType: type,
    date: { raw: date, epochMs: readInstant(date) ?? 0 },
  };
}

/** Facts as a subject tells them: those before the end of the day that no earlier day has closed. */
export function sourceOf(facts: readonly Fact[]): FactSource {
  return async (database, { account, day }) => {
    const { rows } = await database.query<{ id: string }>(
      'select fact_id as id from booked_facts where account = $1 and day < $2::date',
      [account, day],
    );
    const closed = new Set(rows.map(({ id }) => id));
    const endMs = Date.parse(day) + DAY_MS;
    return facts.filter(({ factId, legs }) => !closed.has(factId) && legs.some(({ fromMs }) => fromMs < endMs));
  };
}

/** Reconciles days with what these sources say. */
export function reconcilingFrom({ database }: { database: Database }, sources: readonly FactSource[]) {
  return (range: FactRange) => compareDay(database, range, sources);
}
