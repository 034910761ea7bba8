import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identifyEntries, type HistoryEntry } from '../../domain/accounts/history-entry.ts';
import { orderByPosting } from '../../domain/reconciliation/posting-order.ts';
import { type DayOfBooks } from '../../domain/reconciliation/compute-day.ts';
import { type BookedEntry, daysOfBooks, replayDays } from './days-of-history.ts';
import { keys, shuffled } from '../domain/history-chains.ts';
import { DAY_MS } from '../../fixtures/reconciliation/day-generator.ts';
import { ProviderModel, seeded } from '../../fixtures/reconciliation/provider-model.ts';

const FIRST_MS = Date.UTC(2026, 1, 1);
const DAYS = 28;

interface Known {
  entry: HistoryEntry;
  postedMs: number;
}

/** A month of one currency. Some entries are dated on an earlier day than they were posted. */
function aMonth(seed: number): { opening: string; known: Known[] } {
  const random = seeded(seed);
  const model = new ProviderModel(random, new Map([['USD', 1_000_000n]]));
  const posted: number[] = [];
  for (let timeMs = FIRST_MS; ; timeMs += Math.floor(random() * DAY_MS * 0.2)) {
    if (timeMs >= FIRST_MS + DAYS * DAY_MS) break;
    const delayMs = random() < 0.1 ? Math.floor(random() * 2 * DAY_MS) : 0;
    const size = random() < 0.3 ? 25_000 : 1 + Math.floor(random() * 1e6);
    model.post('USD', BigInt(random() < 0.5 ? size : -size), timeMs, String(posted.length), {
      datedMs: Math.max(FIRST_MS, timeMs - delayMs),
    });
    posted.push(timeMs);
  }
  const { lines } = model.history();
  const entries = identifyEntries(lines.map(({ line }) => ({ ...line, providerId: line.id })));
  return { opening: '10000', known: entries.map((entry, index) => ({ entry, postedMs: posted[index] ?? 0 })) };
}

/** Each day closed six hours after it ended, with what was known by then. */
function closeEachDay({ opening, known }: ReturnType<typeof aMonth>): { closed: DayOfBooks[]; booked: BookedEntry[] } {
  const closed: DayOfBooks[] = [];
  const booked = new Map<HistoryEntry, string>();
  for (let day = 0; day < DAYS; day += 1) {
    const nameOfDay = new Date(FIRST_MS + day * DAY_MS).toISOString().slice(0, 10);
    const knownMs = FIRST_MS + (day + 1.25) * DAY_MS;
    const open = known
      .filter(({ entry, postedMs }) => postedMs < knownMs && !booked.has(entry))
      .map(({ entry }) => entry);
    const ordered = orderByPosting(open, { opening: closed.at(-1)?.closing ?? opening });
    expect(ordered).toMatchObject({ gaps: [], strays: [], copies: [] });
    const books = daysOfBooks(ordered, 'USD', nameOfDay).find((one) => one.day === nameOfDay);
    if (books === undefined) continue;
    closed.push(books);
    for (const entry of books.entries) booked.set(entry, nameOfDay);
  }
  return { closed, booked: [...booked].map(([entry, bookedOn]) => ({ ...entry, bookedOn })) };
}

test('a month whose days were closed one by one can be replayed from the history alone, in any order', () => {
  fc.assert(
    fc.property(fc.nat(1e6), keys, (seed, order) => {
      const month = aMonth(seed);
      const { closed, booked } = closeEachDay(month);
      expect(booked).toHaveLength(month.known.length);
      expect(closed.at(0)?.opening).toBe(month.opening);
      expect(Number(closed.at(-1)?.closing)).toBe(Number(month.known.at(-1)?.entry.amountAfter));
      expect(replayDays(closed, shuffled(booked, order))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('a replay names the day of an entry that is missing, changed or additional', () => {
  fc.assert(
    fc.property(fc.nat(1e6), fc.nat(1e6), fc.constantFrom('missing', 'changed', 'additional'), (seed, which, how) => {
      const { closed, booked } = closeEachDay(aMonth(seed));
      const at = which % booked.length;
      const entry = booked[at]!;
      if (how === 'missing') booked.splice(at, 1);
      if (how === 'changed') booked[at] = { ...entry, entryId: 'another' };
      if (how === 'additional') booked.push({ ...entry, entryId: 'another', amountBefore: entry.amountAfter });
      expect(replayDays(closed, booked)).toEqual([{ day: entry.bookedOn, isClosed: true }]);
    }),
    { numRuns: 200 },
  );
});
