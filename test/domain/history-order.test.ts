import { describe, expect, test } from 'vitest';
import { type HistoryEntry, identifyEntries } from '../../domain/accounts/history-entry.ts';
import { isChainComplete, orderHistory } from '../../domain/accounts/history-order.ts';
import { orderByPosting } from '../../domain/reconciliation/posting-order.ts';
import { aHistory } from './history-chains.ts';

const NOON = '2026-03-02T12:00:00Z';

function anEntry(
  entryId: string,
  amountBefore: string,
  amountAfter: string,
  date: string | number = NOON,
): HistoryEntry {
  return { entryId, date, currency: 'USD', amountBefore, amountAfter, type: 'payment' };
}

const idsOf = (entries: readonly HistoryEntry[]): string[] => entries.map(({ entryId }) => entryId);

describe.each([
  ['as entries are stored', orderHistory],
  ['of the whole history', orderByPosting],
] as const)('the order %s', (_, ordering) => {
  describe('dates', () => {
    test('without zone are UTC, and those with zone count as the moment that they name', () => {
      const entries = [
        anEntry('c', '80', '70', '2026-03-02T13:00:00+01:00'),
        anEntry('a', '100', '90', '2026-03-02 11:58:00'),
        anEntry('b', '90', '80', Date.UTC(2026, 2, 2, 11, 59)),
      ];
      expect(idsOf(ordering(entries, { inversionMs: 0 }).entries)).toEqual(['a', 'b', 'c']);
    });

    test('that cannot be read put an entry last', () => {
      const { entries, gaps } = ordering([anEntry('b', '90', '80', 'yesterday'), anEntry('a', '100', '90')]);
      expect(idsOf(entries)).toEqual(['a', 'b']);
      expect(gaps).toEqual([]);
    });

    test('of a day alone leave the order to the links: 5,000 entries', () => {
      const history = aHistory(
        1_000_000,
        Array.from({ length: 5_000 }, (_, index) => ({ seconds: 0, change: [-10, -10, 10, -7][index % 4] ?? 0 })),
      ).map((entry) => ({ ...entry, date: '2026-03-02' }));
      const ordered = ordering([...history].reverse(), { opening: '1000000' });
      expect(isChainComplete(ordered, '1000000', history.at(-1)?.amountAfter ?? '')).toBe(true);
      expect(ordered.entries).toHaveLength(5_000);
    });
  });

  describe('an entry', () => {
    test('that is listed again under its id counts once', () => {
      const again = { ...anEntry('a', '100', '90.00'), type: 'Payment' };
      const { entries, repeated } = ordering([anEntry('a', '100', '90'), again, anEntry('b', '90', '80')]);
      expect(idsOf(entries)).toEqual(['a', 'b']);
      expect(repeated).toHaveLength(1);
    });

    test('that is listed again under its id with other amounts leaves the chain incomplete', () => {
      const ordered = ordering([anEntry('a', '100', '90'), anEntry('a', '100', '80')]);
      expect(ordered.conflicting).toMatchObject([{ entry: { amountAfter: '80' }, other: { amountAfter: '90' } }]);
      expect(isChainComplete(ordered, '100', '80')).toBe(false);
    });

    test('that is listed twice under two ids is a copy, if the chain is complete without it', () => {
      const { entries, copies, gaps } = ordering([
        anEntry('a', '100', '90'),
        anEntry('a2', '100', '90'),
        anEntry('b', '90', '80', '2026-03-02T12:01:00Z'),
      ]);
      expect(idsOf(entries)).toEqual(['a', 'b']);
      expect(idsOf(copies)).toEqual(['a2']);
      expect(gaps).toEqual([]);
    });

    test('that equals another is no copy if a third leads back between them', () => {
      const ordered = ordering([anEntry('a', '100', '90'), anEntry('b', '100', '90'), anEntry('c', '90', '100')]);
      expect(idsOf(ordered.entries)).toEqual(['a', 'c', 'b']);
      expect(ordered.copies).toEqual([]);
    });

    test('without id is identified by its fields, and equal ones are numbered', () => {
      const fields = { ...anEntry('', '100', '90.0'), providerId: null };
      const [one, two, three] = identifyEntries([
        fields,
        { ...fields, amountAfter: '90' },
        { ...fields, providerId: '7' },
      ]);
      expect(one?.entryId).toMatch(/^[0-9a-f]{64}#1$/);
      expect(two?.entryId).toBe(one?.entryId.replace('#1', '#2'));
      expect(three?.entryId).toBe('7');
    });
  });

  describe('a chain', () => {
    test('is complete only from the balance known before it to the balance read after it', () => {
      const ordered = ordering([anEntry('a', '100', '90')], { opening: '100.00' });
      expect(isChainComplete(ordered, '100.00', '90.00')).toBe(true);
      expect(isChainComplete(ordered, '101', '90')).toBe(false);
      expect(isChainComplete(ordered, '100', '89')).toBe(false);
      expect(isChainComplete(ordering([]), '5', '5.0')).toBe(true);
      expect(isChainComplete(ordering([]), '5', '6')).toBe(false);
    });

    test('that does not begin with the opening balance has a gap before its first entry', () => {
      const { gaps } = ordering([anEntry('a', '100', '90')], { opening: '120' });
      expect(gaps).toMatchObject([{ after: null, before: { entryId: 'a' }, expected: '120', found: '100' }]);
    });

    test('begins with the entry that nothing precedes, also if its date is a second later', () => {
      const late = anEntry('a', '100', '90', '2026-03-02T12:00:01Z');
      expect(idsOf(ordering([anEntry('b', '90', '80'), late]).entries)).toEqual(['a', 'b']);
    });

    test('has one currency', () => {
      expect(() => ordering([anEntry('a', '1', '2'), { ...anEntry('b', '2', '3'), currency: 'EUR' }])).toThrow(
        'one currency, not USD, EUR',
      );
    });
  });
});

test('while entries are stored, one that is dated much later is not moved to the beginning', () => {
  const late = anEntry('a', '100', '90', '2026-03-02T12:00:01Z');
  expect(orderHistory([anEntry('b', '90', '80'), late], { inversionMs: 500 }).gaps).toHaveLength(1);
});
