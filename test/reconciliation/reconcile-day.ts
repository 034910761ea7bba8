import { identifyEntries } from '../../domain/accounts/history-entry.ts';
import type { Break } from '../../domain/reconciliation/break.ts';
import type { Movement } from '../../domain/reconciliation/movement.ts';
import { reconcile } from '../../domain/reconciliation/reconcile.ts';
import type { Reconciliation, ReconciliationInput } from '../../domain/reconciliation/reconciliation.ts';
import { DAY_MS } from '../../fixtures/reconciliation/day-generator.ts';
import type { GeneratedDay, Planted } from '../../fixtures/reconciliation/generated-day.ts';

/** The movements as they are stored, and the tag of each by its id. */
export function movementsOf({ lines }: Pick<GeneratedDay, 'lines'>): {
  movements: Movement[];
  tags: Map<string, string>;
} {
  const identified = identifyEntries(lines.map(({ line, tag }) => ({ ...line, providerId: line.id, tag })));
  const tags = new Map(identified.map(({ entryId, tag }) => [entryId, tag]));
  const movements = identified.map(
    ({ entryId, date, currency, amountBefore, amountAfter, type, transactionId }): Movement => ({
      ...{ entryId, date, currency, amountBefore, amountAfter, type, transactionId },
    }),
  );
  return { movements, tags };
}

export function reconcileDay(day: GeneratedDay, more: Partial<ReconciliationInput> = {}): Reconciliation {
  const { facts, listed, balances, dayMs } = day;
  const { movements } = movementsOf(day);
  return reconcile({ movements, facts, listed, balances, asOfMs: dayMs + 3 * DAY_MS, ...more });
}

/** A break in the words of the generator. */
export function described({ type, currency, factIds, entryIds }: Break, tags: ReadonlyMap<string, string>): Planted {
  return { type, currency, facts: [...factIds], tags: entryIds.map((id) => tags.get(id) ?? '?') };
}

/** Whether it is the planted one; what the generator left open counts as equal. */
export function isPlanted(found: Planted, planted: Planted): boolean {
  if (found.type !== planted.type) return false;
  if (planted.currency !== '' && planted.currency !== found.currency) return false;
  if (planted.facts.length > 0 && planted.facts.join() !== found.facts.join()) return false;
  return planted.tags.includes('*') || planted.type === 'conversion_leg' || planted.tags.join() === found.tags.join();
}
