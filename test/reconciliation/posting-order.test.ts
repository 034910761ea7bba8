import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '../../domain/accounts/history-entry.ts';
import { isPostingComplete, orderByPosting } from '../../domain/reconciliation/posting-order.ts';

function anEntry(entryId: string, amountBefore: string, amountAfter: string, date: string): HistoryEntry {
  return { entryId, date, currency: 'USD', amountBefore, amountAfter, type: 'payment' };
}

const idsOf = (entries: readonly HistoryEntry[]): string[] => entries.map(({ entryId }) => entryId);

describe('an entry', () => {
  test('of another balance is a stray, and the chain is complete without it', () => {
    const ordered = orderByPosting([
      anEntry('a', '100', '90', '2026-03-02T12:00:00Z'),
      anEntry('x', '7', '5', '2026-03-02T12:01:00Z'),
      anEntry('b', '90', '80', '2026-03-02T12:02:00Z'),
    ]);
    expect(idsOf(ordered.entries)).toEqual(['a', 'b']);
    expect(idsOf(ordered.strays)).toEqual(['x']);
    expect(isPostingComplete(ordered, '100', '80')).toBe(false);
  });

  test('that is listed again with a later date is a copy', () => {
    const { entries, copies } = orderByPosting([
      anEntry('a', '100', '90', '2026-03-02T12:00:00Z'),
      anEntry('b', '90', '80', '2026-03-02T12:01:00Z'),
      anEntry('a2', '100', '90', '2026-03-02T12:05:00Z'),
      anEntry('c', '80', '70', '2026-03-02T12:06:00Z'),
    ]);
    expect(idsOf(entries)).toEqual(['a', 'b', 'c']);
    expect(idsOf(copies)).toEqual(['a2']);
  });

  test('that is missing is a gap, also where its balance is reached again soon', () => {
    const { entries, gaps, strays } = orderByPosting([
      anEntry('a', '100', '90', '2026-03-02T12:00:00Z'),
      anEntry('c', '80', '70', '2026-03-02T12:02:00Z'),
      anEntry('d', '70', '90', '2026-03-02T12:03:00Z'),
      anEntry('e', '90', '85', '2026-03-02T12:04:00Z'),
    ]);
    expect(idsOf(entries)).toEqual(['a', 'c', 'd', 'e']);
    expect(gaps).toHaveLength(1);
    expect(strays).toEqual([]);
  });
});
