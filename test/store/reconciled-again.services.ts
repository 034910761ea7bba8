import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeHistory } from '../../activities/accounts/store-history.ts';
import { receiptFact } from '../../domain/accounts/expected-movements.ts';
import type { Fact } from '../../domain/accounts/money-fact.ts';
import { ProviderModel, seeded } from '../../fixtures/reconciliation/provider-model.ts';
import { daysToReconcile } from '../../domain/reconciliation/days-to-reconcile.ts';
import { readReconciledDays, signBookDayAs } from '../../store/reconciliation/book-days.ts';
import { type BreakRecord, closeBreakAs, explainBreakAs, listBreaks } from '../../store/reconciliation/breaks.ts';
import { type BookDayView, listBookDays } from '../../store/reconciliation/day-views.ts';
import { reconcilingFrom, shownOf, sourceOf } from '../activities/books-under-test.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** Days that are reconciled again, since something of them is known better. */
let testDatabase: TestDatabase;
let checker: TestUser;
let second: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  checker = await aUser(testDatabase, 'Chris', 'checker');
  second = await aUser(testDatabase, 'Carla', 'checker');
});
afterAll(() => testDatabase.drop());

const DAYS = [2, 3, 4, 5, 6];
const dayAt = (number: number): string => `2026-03-0${number}`;
const noonMs = (number: number): number => Date.parse(`${dayAt(number)}T12:00:00Z`);

function expected(factId: string, amount: string, fromMs: number, untilMs = fromMs): Fact {
  const reported = { currency: 'USD', amount, reportedFromMs: fromMs, reportedUntilMs: untilMs };
  return receiptFact('funding', { ...reported, factId, providerId: null });
}

let accounts = 0;
let account: string;
/** What comes as it was reported. */
let reported: Fact[];

beforeEach(async () => {
  account = `again-${(accounts += 1)}`;
  const model = new ProviderModel(seeded(1), new Map([['USD', 0n]]));
  reported = [2, 3, 4, 5].map((number) => {
    model.post('USD', BigInt(number) * 100n, noonMs(number), `reported ${number}`);
    return expected(`reported ${number}`, String(number), noonMs(number));
  });
  const { lines } = model.history();
  await storeHistory(
    testDatabase.asWorker,
    { account, isGapRead: false },
    lines.map(({ line }) => shownOf(line)),
  );
});

async function reconcile(facts: readonly Fact[], numbers: readonly number[] = DAYS): Promise<string[]> {
  const reconcileDay = reconcilingFrom({ database: testDatabase.asWorker }, [sourceOf(facts)]);
  const outcomes: string[] = [];
  for (const number of numbers) outcomes.push((await reconcileDay({ account, day: dayAt(number) })).outcome);
  return outcomes;
}

const breaks = (): Promise<BreakRecord[]> =>
  listBreaks(testDatabase.asServer, {
    ...{ accounts: [account], states: ['open', 'explained', 'closed', 'gone'], fromDay: null, toDay: null },
    ...{ breakId: null, limit: 10 },
  });

const days = (): Promise<BookDayView[]> =>
  listBookDays(testDatabase.asServer, { accounts: [account], fromDay: null, toDay: null, isOpen: false, limit: 10 });

async function signAll(): Promise<void> {
  const inOrder = (await days()).toSorted((one, other) => (one.day < other.day ? -1 : 1));
  for (const day of inOrder) await signBookDayAs(testDatabase.asServer, checker.tokenHash, day);
}

describe('money that never came, of which it is found out that it was due earlier', () => {
  const late = expected('never', '77', noonMs(2), noonMs(4));
  const early = expected('never', '77', noonMs(2));

  test('stays a break, of the earlier day, which it keeps open', async () => {
    await reconcile([...reported, late]);
    const [found] = await breaks();
    await reconcile([...reported, early]);
    const [moved, ...others] = await breaks();
    expect(others).toEqual([]);
    expect(moved).toMatchObject({ breakId: found?.breakId, type: 'missing_entry', state: 'open', expected: '77' });
    expect((moved?.day ?? '') < (found?.day ?? '')).toBe(true);
    await signAll();
    const closed = (await days()).filter(({ state }) => state === 'closed').map(({ day }) => day);
    expect(closed.every((day) => day < (moved?.day ?? ''))).toBe(true);
    expect(closed).not.toHaveLength(DAYS.length);
  });

  test('keeps the explanation that somebody gave', async () => {
    await reconcile([...reported, late]);
    const [found] = await breaks();
    const breakId = found?.breakId ?? '';
    await explainBreakAs(testDatabase.asServer, checker.tokenHash, { breakId, reason: 'the bank returned it' });
    await reconcile([...reported, early]);
    const [moved] = await breaks();
    expect(moved).toMatchObject({ state: 'explained', explainedBy: { name: 'Chris' } });
    await signAll();
    const closing = { breakId, explanationId: moved?.explanationId ?? '' };
    await closeBreakAs(testDatabase.asServer, second.tokenHash, closing);
    expect((await days()).map(({ state }) => state)).toEqual(DAYS.map(() => 'closed'));
  });
});

describe('days that are done again and cut off', () => {
  const asked = { first: dayAt(2), lastSeen: dayAt(6), fromDay: null, toDay: null };
  const plan = async (): Promise<string[]> =>
    daysToReconcile({ ...asked, ...(await readReconciledDays(testDatabase.asWorker, account)) });

  test('are gone on with at the first that is left, before any new day, and there is no false break', async () => {
    const numbers = DAYS.slice(0, -1);
    await reconcile(reported, numbers);
    expect(await plan()).toEqual([dayAt(6)]);
    await reconcile(reported, numbers.slice(0, 2));
    expect(await plan()).toEqual([4, 5, 6].map(dayAt));
    await reconcile(reported, [4, 5, 6]);
    expect(await plan()).toEqual([]);
    expect(await breaks()).toEqual([]);
    await signAll();
    expect((await days()).map(({ state }) => state)).toEqual(DAYS.map(() => 'closed'));
  });
});

describe('a day before that is done again', () => {
  test('while this one is computed makes it wait: it is computed from what the new one leaves open', async () => {
    await reconcile(reported);
    const source = sourceOf(reported);
    let isFirst = true;
    const reconcileDay = reconcilingFrom({ database: testDatabase.asWorker }, [
      async (database, range) => {
        const facts = await source(database, range);
        if (isFirst) await reconcile(reported, [3]);
        isFirst = false;
        return facts;
      },
    ]);
    const range = { account, day: dayAt(4) };
    await expect(reconcileDay(range)).rejects.toThrow('reconciled again');
    // Temporal tries an activity again that has failed.
    expect(await reconcileDay(range)).toMatchObject({ outcome: 'stored' });
  });

  test('by somebody else, whose work has not come to the one between, makes it too early', async () => {
    await reconcile(reported);
    await reconcile(reported, [2]);
    expect(await reconcile(reported, [4])).toEqual(['too_early']);
    expect(await reconcile(reported, [3, 4])).toEqual(['stored', 'stored']);
  });

  test('and the one between, while this one is computed, makes it wait as well', async () => {
    await reconcile(reported);
    const source = sourceOf(reported);
    const reconcileDay = reconcilingFrom({ database: testDatabase.asWorker }, [
      async (database, range) => {
        const facts = await source(database, range);
        await reconcile(reported, [2]);
        return facts;
      },
    ]);
    const range = { account, day: dayAt(4) };
    await expect(reconcileDay(range)).rejects.toThrow('reconciled again');
    expect(await reconcileDay(range)).toMatchObject({ outcome: 'too_early' });
  });
});
