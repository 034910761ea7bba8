import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeHistory } from '../../activities/accounts/store-history.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { planBooksActivity } from '../../activities/reconciliation/plan-books.ts';
import { receiptFact } from '../../domain/accounts/expected-movements.ts';
import { addDays, dayOf } from '../../domain/calendar-date.ts';
import { SEEN_AFTER_MS } from '../../domain/reconciliation/book-day.ts';
import { ProviderModel, seeded } from '../../fixtures/reconciliation/provider-model.ts';
import { readLastSeenDay, signBookDayAs } from '../../store/reconciliation/book-days.ts';
import { type BookDayView, listBookDays } from '../../store/reconciliation/day-views.ts';
import { reconcilingFrom, shownOf, sourceOf } from '../activities/books-under-test.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** A day is over by the clock of the database, whatever that of a worker shows. */

let testDatabase: TestDatabase;
let checker: TestUser;
let accounts = 0;
let account: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  checker = await aUser(testDatabase, 'Chris', 'checker');
});
afterAll(() => testDatabase.drop());

beforeEach(() => {
  account = `days-${(accounts += 1)}`;
});

const DAY_MS = 86_400_000;
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Money comes at the beginning of the day, as it was reported. Answers how days are reconciled then. */
async function moneyOn(day: string): Promise<(day: string) => Promise<unknown>> {
  const model = new ProviderModel(seeded(1), new Map([['USD', 0n]]));
  const timeMs = startOf(day) + 1_000;
  model.post('USD', 500n, timeMs, 'reported');
  const { lines } = model.history();
  await storeHistory(
    testDatabase.asWorker,
    { account, isGapRead: false },
    lines.map(({ line }) => shownOf(line)),
  );
  const reported = { currency: 'USD', amount: '5', reportedFromMs: timeMs, reportedUntilMs: timeMs };
  const facts = [receiptFact('funding', { ...reported, factId: 'reported', providerId: null })];
  const reconcileDay = reconcilingFrom({ database: testDatabase.asWorker }, [sourceOf(facts)]);
  return (of) => reconcileDay({ account, day: of });
}

const days = (): Promise<BookDayView[]> =>
  listBookDays(testDatabase.asServer, { accounts: [account], fromDay: null, toDay: null, isOpen: false, limit: 10 });

/** As a worker does whose clock is a day ahead. */
async function plannedDays(): Promise<string[]> {
  const planBooks = planBooksActivity({
    ...{ database: testDatabase.asWorker, now: () => Date.now() + DAY_MS },
    temporal: { schedule: { create: () => Promise.resolve() } },
  } as unknown as ActivityDependencies);
  const plan = await new MockActivityEnvironment().run(planBooks, { account, fromDay: null, toDay: null });
  return (plan as { days: string[] }).days;
}

test('a day counts as seen from when on its books say so', async () => {
  const { rows } = await testDatabase.database.query<{ at: Date }>(`select book_day_seen_at('2026-03-02') as at`);
  expect(rows[0]?.at.getTime()).toBe(startOf('2026-03-02') + DAY_MS + SEEN_AFTER_MS);
  const last = await readLastSeenDay(testDatabase.asWorker, SEEN_AFTER_MS);
  expect(startOf(last) + DAY_MS + SEEN_AFTER_MS).toBeLessThanOrEqual(Date.now());
  expect(startOf(addDays(last, 1)) + DAY_MS + SEEN_AFTER_MS).toBeGreaterThan(Date.now());
});

describe('a day that is not over', () => {
  test('is not planned by a worker whose clock is ahead', async () => {
    const last = await readLastSeenDay(testDatabase.asWorker, SEEN_AFTER_MS);
    await moneyOn(last);
    expect(await plannedDays()).toEqual([last]);
  });

  test('gets no books', async () => {
    const today = dayOf(Date.now());
    const reconcileDay = await moneyOn(today);
    expect(await plannedDays()).toEqual([]);
    await expect(reconcileDay(today)).rejects.toThrow(`the day ${today} is not over`);
    expect(await days()).toEqual([]);
  });
});

describe('books that were made before their day was over', () => {
  const DAY = '2026-03-02';

  async function madeAt(time: string): Promise<BookDayView> {
    const reconcileDay = await moneyOn(DAY);
    await reconcileDay(DAY);
    await bypassTriggers(
      testDatabase.database,
      'update book_days set reconciled_at = $2::timestamptz where account = $1',
      [account, time],
    );
    const [day] = await days();
    if (day === undefined) throw new Error('the day was not reconciled');
    return day;
  }

  const sign = (day: BookDayView) => signBookDayAs(testDatabase.asServer, checker.tokenHash, day);

  test('are not signed', async () => {
    const day = await madeAt('2026-03-03T05:59:59Z');
    await expect(sign(day)).rejects.toThrow('before it was over: reconcile it again after 2026-03-03 06:00 UTC');
    expect((await days()).map(({ state }) => state)).toEqual(['matched']);
  });

  test('are signed if they were made later', async () => {
    await sign(await madeAt('2026-03-03T06:00:00Z'));
    expect((await days()).map(({ state }) => state)).toEqual(['closed']);
  });
});
