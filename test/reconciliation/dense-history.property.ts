import { describe, expect, test } from 'vitest';
import { identifyEntries } from '../../domain/accounts/history-entry.ts';
import { isPostingComplete, orderByPosting } from '../../domain/reconciliation/posting-order.ts';
import { type HistoryLine, ProviderModel, seeded } from '../../fixtures/reconciliation/provider-model.ts';

const START_MS = Date.UTC(2026, 2, 2, 12);
const OPENING_MINOR = 10_000_000_000n;
const OPENING = '100000000';
const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

/** Five entries a second, in the order of their balances; one in a hundred was posted five hours after its date. */
function aDenseHistory(seed: number): HistoryLine[] {
  const random = seeded(seed);
  const model = new ProviderModel(random, new Map([['USD', OPENING_MINOR]]));
  for (let atMs = START_MS; atMs < START_MS + 300_000; atMs += Math.floor(random() * 400)) {
    const amount = BigInt(1_000 + Math.floor(random() * 1e6));
    const datedMs = random() < 0.01 ? atMs - 5 * 3_600_000 : atMs;
    model.post('USD', random() < 0.8 ? -amount : amount, atMs, 'x', { datedMs, postedMs: atMs });
  }
  return model.history().lines.map(({ line }) => line);
}

const identified = (lines: readonly HistoryLine[]) =>
  identifyEntries(lines.map((line) => ({ ...line, providerId: line.id })));

/** Most dates are written to the second: the entries of one second are in no order, and what was posted late is hours away. */
describe('a history with several entries a second', () => {
  test.each(seeds)('has no gap (seed %i)', (seed) => {
    const lines = aDenseHistory(seed);
    const ordered = orderByPosting(identified(lines), { opening: OPENING });
    expect(ordered.entries).toHaveLength(lines.length);
    expect(isPostingComplete(ordered, OPENING, lines.at(-1)?.amountAfter ?? '')).toBe(true);
  });

  test.each(seeds)('has one gap where one entry is missing (seed %i)', (seed) => {
    const lines = aDenseHistory(seed);
    const at = Math.floor(lines.length / 2);
    const [missing] = lines.splice(at, 1);
    const ordered = orderByPosting(identified(lines), { opening: OPENING });
    expect(ordered.entries).toHaveLength(lines.length);
    expect(ordered.gaps.map(({ after, before }) => [after?.amountAfter, before.amountBefore])).toEqual([
      [missing?.amountBefore, missing?.amountAfter],
    ]);
  });
});
