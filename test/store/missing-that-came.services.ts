import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeHistory } from '../../activities/accounts/store-history.ts';
import type { Fact } from '../../domain/accounts/money-fact.ts';
import { ProviderModel, seeded } from '../../fixtures/reconciliation/provider-model.ts';
import { signBookDayAs } from '../../store/reconciliation/book-days.ts';
import { type BreakRecord, closeBreakAs, explainBreakAs, listBreaks } from '../../store/reconciliation/breaks.ts';
import { type BookDayView, listBookDays } from '../../store/reconciliation/day-views.ts';
import { reconcilingFrom, shownOf, sourceOf } from '../activities/books-under-test.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** What people have explained as missing, and comes later, contradicts them. */

let testDatabase: TestDatabase;
let maker: TestUser;
let checker: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  maker = await aUser(testDatabase, 'Mia', 'maker');
  checker = await aUser(testDatabase, 'Chris', 'checker');
});
afterAll(() => testDatabase.drop());

const DAYS = ['2026-03-02', '2026-03-03'] as const;
const LATER = ['2026-03-04', '2026-03-05'] as const;
const noonOf = (day: string): number => Date.parse(`${day}T12:00:00Z`);

let accounts = 0;
let account: string;
let facts: Fact[];
let model: ProviderModel;

async function reconcile(days: readonly string[]): Promise<void> {
  const { lines } = model.history();
  const { asWorker } = testDatabase;
  await storeHistory(
    asWorker,
    { account, isGapRead: false },
    lines.map(({ line }) => shownOf(line)),
  );
  for (const day of days) await reconcilingFrom({ database: asWorker }, [sourceOf(facts)])({ account, day });
}

const days = (): Promise<BookDayView[]> =>
  listBookDays(testDatabase.asServer, { accounts: [account], fromDay: null, toDay: null, isOpen: false, limit: 10 });

const allBreaks = (): Promise<BreakRecord[]> =>
  listBreaks(testDatabase.asServer, {
    ...{ accounts: [account], states: ['open', 'explained', 'closed'], fromDay: null, toDay: null, breakId: null },
    limit: 10,
  });

const missing = async () => (await allBreaks()).find(({ type }) => type === 'missing_entry');

/** Two people explain and close what is open, and sign the days. */
async function closeAll({ but }: { but?: string } = {}): Promise<void> {
  const { asServer } = testDatabase;
  for (const { breakId, state, type } of await allBreaks()) {
    if (state !== 'open' || type === but) continue;
    await explainBreakAs(asServer, maker.tokenHash, { breakId, reason: 'the bank has it' });
    const explained = (await allBreaks()).find((one) => one.breakId === breakId);
    await closeBreakAs(asServer, checker.tokenHash, { breakId, explanationId: explained?.explanationId ?? '' });
  }
  for (const day of await days()) if (day.state === 'matched') await signBookDayAs(asServer, checker.tokenHash, day);
}

/** Two days from zero: 100 arrive that nobody knows of, and 5 that should leave do not. */
beforeEach(async () => {
  account = `missing-${(accounts += 1)}`;
  model = new ProviderModel(seeded(1), new Map([['USD', 0n]]));
  model.post('USD', 10_000n, noonOf(DAYS[0]), 'came in');
  const noonMs = noonOf(DAYS[0]);
  const leg = { currency: 'USD', amount: '-5', fees: [], fromMs: noonMs - 3_600_000, untilMs: noonMs };
  const factId = `payment/${randomUUID()}-1`;
  facts = [{ factId, kind: 'payment', certainty: 'expected', providerId: null, legs: [leg] }];
  await reconcile(DAYS);
  await closeAll();
});

describe('a debit that was closed as missing', () => {
  test('opens its break and its day again when it comes later, once, and people are notified', async () => {
    expect((await days()).map(({ state }) => state)).toEqual(['closed', 'closed']);
    const before = await missing();
    const contents = (await days()).map(({ contentHash }) => contentHash);
    model.post('USD', -500n, noonOf(LATER[0]), 'late');
    await reconcile(LATER);
    const after = await missing();
    expect(after).toMatchObject({ breakId: before?.breakId, state: 'open', closedBy: null });
    expect(after?.reason).toContain('It came after it was explained');
    expect((await days()).find(({ day }) => day === before?.day)?.state).toBe('signed');
    expect((await days()).slice(0, 2).map(({ contentHash }) => contentHash)).toEqual(contents);
    const { rows } = await testDatabase.database.query(
      `select from outbox where type = 'books.break_found' and subject_id = $1 and planned_at is null`,
      [`${account}/${before?.day}`],
    );
    expect(rows).toHaveLength(1);
    await closeAll();
    await reconcile(LATER);
    expect(await missing()).toMatchObject({ state: 'closed' });
    expect((await days()).every(({ state }) => state === 'closed')).toBe(true);
  });

  test('keeps the books of its day, and none of the later days open', async () => {
    const before = await missing();
    const day = before?.day ?? '';
    expect(day).toBe(DAYS[1]);
    model.post('USD', -500n, noonOf(LATER[0]), 'late');
    await reconcile(LATER);
    const [contents] = (await days()).filter((one) => one.day === day);
    const reconciled = reconcilingFrom({ database: testDatabase.asWorker }, [sourceOf(facts)]);
    await expect(reconciled({ account, day })).resolves.toMatchObject({ outcome: 'closed' });
    expect((await days()).filter((one) => one.day === day)).toEqual([contents]);
    await closeAll({ but: 'missing_entry' });
    expect((await days()).map(({ state }) => state)).toEqual(['closed', 'signed', 'closed', 'closed']);
    await closeAll();
    expect((await days()).map(({ state }) => state)).toEqual(['closed', 'closed', 'closed', 'closed']);
  });

  test('does not open its day again when an equal amount comes after more than 60 days', async () => {
    await testDatabase.database.query('update reconciliation_breaks set day = day - 60 where account = $1', [account]);
    model.post('USD', -500n, noonOf(LATER[0]), 'late');
    await reconcile(LATER);
    expect(await missing()).toMatchObject({ state: 'closed' });
    expect((await days()).slice(0, 2).map(({ state }) => state)).toEqual(['closed', 'closed']);
  });

  test('is no reason for anybody else to open a closed day', async () => {
    const opened = testDatabase.database.query(
      `update book_days set state = 'signed' where account = $1 and day = $2`,
      [account, DAYS[0]],
    );
    await expect(opened).rejects.toThrow('are closed');
  });
});
