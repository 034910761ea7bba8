import fc from 'fast-check';
import type { HistoryEntry } from '../../domain/accounts/history-entry.ts';

/** A balance in whole units, the seconds of a change after the one before, and the change. */
export interface Step {
  seconds: number;
  change: number;
}

export const EPOCH_MS = Date.UTC(2026, 2, 2);

/** A history as a provider writes it: each entry begins with the balance that the one before left. */
export function aHistory(opening: number, steps: readonly Step[]): HistoryEntry[] {
  let balance = opening;
  let timeMs = EPOCH_MS;
  return steps.map(({ seconds, change }, index) => {
    const amountBefore = `${balance}.00`;
    balance += change;
    timeMs += seconds * 1000;
    const date = new Date(timeMs).toISOString();
    return { entryId: `entry-${index}`, date, currency: 'USD', amountBefore, amountAfter: `${balance}.0`, type: '' };
  });
}

/** Many equal dates, and few different changes, so that balances are often reached again. */
export const steps = fc.array(
  fc.record({ seconds: fc.constantFrom(0, 0, 0, 0, 1, 5, 60), change: fc.constantFrom(10, -10, 10, -10, 5, 7, -3) }),
  { minLength: 1, maxLength: 60 },
);

/** The entries in the order of random keys. */
export function shuffled<Entry>(entries: readonly Entry[], keys: readonly number[]): Entry[] {
  return entries
    .map((entry, index) => ({ entry, key: keys[index % keys.length] ?? 0, index }))
    .sort((a, b) => a.key - b.key || a.index - b.index)
    .map(({ entry }) => entry);
}

export const keys = fc.array(fc.nat(), { minLength: 61, maxLength: 61 });
