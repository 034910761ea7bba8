import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareInThread, reconcileDayActivity } from '../../activities/reconciliation/reconcile-day.ts';
import { storeHistory } from '../../activities/accounts/store-history.ts';
import type { Fact } from '../../domain/accounts/money-fact.ts';
import { addDays, dayOf } from '../../domain/calendar-date.ts';
import { readInstant } from '../../domain/instant.ts';
import { BREAK_TYPES } from '../../domain/reconciliation/break.ts';
import { type BookedEntry, replayDays } from '../reconciliation/days-of-history.ts';
import { DAY_MS, DayGenerator } from '../../fixtures/reconciliation/day-generator.ts';
import { PlantedDayGenerator } from '../../fixtures/reconciliation/planted-day.ts';
import { ProviderModel, seeded } from '../../fixtures/reconciliation/provider-model.ts';
import { signBookDayAs, signOpeningAs } from '../../store/reconciliation/book-days.ts';
import { listBreaks } from '../../store/reconciliation/breaks.ts';
import { type BookDayView, listBookDays } from '../../store/reconciliation/day-views.ts';
import { reconcilingFrom, shownOf, sourceOf } from './books-under-test.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** Books of days, from a stored history to what is closed. */
let testDatabase: TestDatabase;
let checker: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  checker = await aUser(testDatabase, 'carla', 'checker');
});
afterAll(() => testDatabase.drop());

const FIRST_MS = Date.UTC(2026, 2, 2);
const FIRST_DAY = '2026-03-02';

let accounts = 0;
const anAccount = (): string => `books-${(accounts += 1)}`;

const daysOf = (account: string): Promise<BookDayView[]> =>
  listBookDays(testDatabase.asServer, { accounts: [account], fromDay: null, toDay: null, isOpen: false, limit: 400 });

const breaksOf = (account: string) =>
  listBreaks(testDatabase.asServer, {
    ...{ accounts: [account], states: ['open', 'explained'], fromDay: null, toDay: null, breakId: null, limit: 1_000 },
  });

async function signAll(account: string): Promise<void> {
  for (const { day, state, contentHash, books } of await daysOf(account)) {
    if (state !== 'matched') continue;
    if (day === FIRST_DAY) {
      for (const { currency, opening } of books) {
        if (opening !== '0')
          await signOpeningAs(testDatabase.asServer, checker.tokenHash, { account, currency, amount: opening });
      }
    }
    await signBookDayAs(testDatabase.asServer, checker.tokenHash, { account, day, contentHash });
  }
}

describe('a large day', () => {
  const { lines } = new DayGenerator(91, FIRST_MS).generate(200);

  async function reconciled(maxEntriesHere: number) {
    const account = anAccount();
    const database = testDatabase.asWorker;
    await storeHistory(
      database,
      { account, isGapRead: false },
      lines.map(({ line }) => shownOf(line)),
    );
    const { outcome } = await reconcileDayActivity({ database }, maxEntriesHere)({ account, day: FIRST_DAY });
    const [day] = await daysOf(account);
    return { outcome, books: day?.books.map(({ currency, closing, historyHash }) => [currency, closing, historyHash]) };
  }

  test('is reconciled in a thread of its own as a small one is here', async () => {
    const [inThread, here] = [await reconciled(0), await reconciled(1_000_000)];
    expect(inThread.books).toHaveLength(4);
    expect(inThread).toEqual(here);
  });

  test('fails as what its thread failed with', async () => {
    const databaseUrl = 'postgres://nobody@127.0.0.1:1/nothing';
    const day = { databaseUrl, range: { account: 'main', day: FIRST_DAY } };
    await expect(compareInThread(day)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('a day of 2,000 movements with two of each break', () => {
  test('has exactly these, when the days after it are reconciled as well', async () => {
    const account = anAccount();
    const day = new PlantedDayGenerator(11, FIRST_MS).generate(2_000);
    // What the chain cannot place is stored without a place, as after a read of the provider.
    await storeHistory(
      testDatabase.asWorker,
      { account, isGapRead: false },
      day.lines.map(({ line }) => shownOf(line)),
    );
    const listed = day.listed.filter(({ factId }) => !day.facts.some((fact) => fact.factId === factId));
    const reconcileDay = reconcilingFrom({ database: testDatabase.asWorker }, [
      sourceOf([...day.facts, ...listed.map((fact): Fact => ({ ...fact, certainty: 'provider_only' }))]),
    ]);
    for (const offset of [0, 1, 2]) {
      expect(await reconcileDay({ account, day: addDays(FIRST_DAY, offset) })).toMatchObject({ outcome: 'stored' });
    }
    const found = await breaksOf(account);
    // The provider's balances are not read here: nothing can differ from them.
    const expected = BREAK_TYPES.map((type) => [type, type === 'closing_differs' ? 0 : 2]);
    expect(BREAK_TYPES.map((type) => [type, found.filter((one) => one.type === type).length])).toEqual(expected);
  });

  test('without any, two days have none, and their books add up', async () => {
    const account = anAccount();
    let opening: ReadonlyMap<string, bigint> | undefined;
    const facts: Fact[] = [];
    for (let number = 0; number < 2; number += 1) {
      const day = new DayGenerator(70 + number, FIRST_MS + number * DAY_MS, opening).generate(1_000);
      opening = day.closing;
      facts.push(...day.facts);
      await storeHistory(
        testDatabase.asWorker,
        { account, isGapRead: false },
        day.lines.map(({ line }) => shownOf(line)),
      );
    }
    const reconcileDay = reconcilingFrom({ database: testDatabase.asWorker }, [sourceOf(facts)]);
    for (let offset = 0; offset < 4; offset += 1) await reconcileDay({ account, day: addDays(FIRST_DAY, offset) });
    expect(await breaksOf(account)).toEqual([]);
    const days = await daysOf(account);
    expect(days.map(({ books }) => books.length)).toEqual([4, 4, 4, 4]);
    await signAll(account);
    expect((await daysOf(account)).map(({ state }) => state)).toEqual(days.map(() => 'closed'));
  });
});

describe('a month whose days were closed one by one', () => {
  test('can be replayed from the history alone: opening and movements are the closing, and the hashes are equal', async () => {
    const account = anAccount();
    const random = seeded(3);
    const model = new ProviderModel(random, new Map([['USD', 1_000_000n]]));
    for (let timeMs = FIRST_MS; timeMs < FIRST_MS + 28 * DAY_MS; timeMs += Math.floor(random() * DAY_MS * 0.3)) {
      // One in ten is posted up to two days after its date.
      const delayMs = random() < 0.1 ? Math.floor(random() * 2 * DAY_MS) : 0;
      const amount = BigInt(1 + Math.floor(random() * 1e6));
      model.post('USD', random() < 0.5 ? amount : -amount, timeMs, 'x', {
        datedMs: Math.max(FIRST_MS, timeMs - delayMs),
      });
    }
    const posted = model.history().lines;
    const { asWorker, asServer, database } = testDatabase;
    const reconcileDay = reconcilingFrom({ database: asWorker }, []);
    const datedMs = (at: number): number => readInstant(posted[at]?.line.date ?? '') ?? 0;
    let stored = 0;
    for (let number = 0; number < 30; number += 1) {
      const day = addDays(FIRST_DAY, number);
      // Six hours after the day: what was dated by then, in the order of the postings.
      const endMs = Date.parse(day) + 1.25 * DAY_MS;
      let next = stored;
      while (next < posted.length && datedMs(next) < endMs) next += 1;
      await storeHistory(
        asWorker,
        { account, isGapRead: false },
        posted.slice(stored, next).map(({ line }) => shownOf(line)),
      );
      stored = next;
      await reconcileDay({ account, day });
      for (const { breakId } of await breaksOf(account)) {
        await database.query(`update reconciliation_breaks set state = 'gone' where break_id = $1`, [breakId]);
      }
      await signAll(account);
    }
    const days = await daysOf(account);
    expect(days.map(({ state }) => state)).toEqual(days.map(() => 'closed'));
    const { rows } = await asServer.query<BookedEntry>(
      `select entry_id as "entryId", currency, amount_before::text as "amountBefore", amount_after::text as "amountAfter",
         transaction_type as type, (extract(epoch from dated_at) * 1000)::float8 as date, day::text as "bookedOn"
       from booked_entries join balance_entries using (account, currency, entry_id) where account = $1`,
      [account],
    );
    expect(rows).toHaveLength(posted.length);
    const closed = days.flatMap(({ day, books }) => books.map((book) => ({ ...book, day })));
    expect(replayDays(closed, rows)).toEqual([]);
    expect(closed.at(-1)?.closing).toBe(String(Number(posted.at(-1)?.line.amountAfter)));
    expect(closed.flatMap(({ late }) => late).length).toBeGreaterThan(0);
    expect(dayOf(FIRST_MS)).toBe(FIRST_DAY);
    // Closed books are kept, whoever wants to change them.
    for (const statement of [
      `update book_days set matched = 0`,
      `update book_balances set closing = 0`,
      `delete from booked_entries`,
      `truncate book_balances`,
    ]) {
      await expect(database.query(statement)).rejects.toThrow(/are closed|are kept/);
    }
    expect(await reconcileDay({ account, day: FIRST_DAY })).toMatchObject({ outcome: 'closed' });
  });
});
