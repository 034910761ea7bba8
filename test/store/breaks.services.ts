import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeHistory } from '../../activities/accounts/store-history.ts';
import { breakQuery } from '../../api/reconciliation/break.ts';
import { listBreaks as listAsUser } from '../../application/reconciliation/breaks.ts';
import { receiptFact } from '../../domain/accounts/expected-movements.ts';
import type { Fact } from '../../domain/accounts/money-fact.ts';
import { ProviderModel, seeded } from '../../fixtures/reconciliation/provider-model.ts';
import { Refused } from '../../store/database/call-as-user.ts';
import { signBookDayAs, signOpeningAs } from '../../store/reconciliation/book-days.ts';
import {
  assignBreakAs,
  type BreakRecord,
  closeBreakAs,
  explainBreakAs,
  listBreaks,
  reopenBreakAs,
} from '../../store/reconciliation/breaks.ts';
import { type BookDayView, listBookDays } from '../../store/reconciliation/day-views.ts';
import { reconcilingFrom, shownOf, sourceOf } from '../activities/books-under-test.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { aStoredRun } from './a-stored-run.ts';

/** What people do with the books of a day and its breaks: two for each, and nobody alone. */
let testDatabase: TestDatabase;
let maker: TestUser;
let checker: TestUser;
let second: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  maker = await aUser(testDatabase, 'Mia', 'maker');
  checker = await aUser(testDatabase, 'Chris', 'checker');
  second = await aUser(testDatabase, 'Carla', 'checker');
});
afterAll(() => testDatabase.drop());

const DAY = '2026-03-02';
const NEXT = '2026-03-03';
const NOON_MS = Date.parse(`${DAY}T12:00:00Z`);

let accounts = 0;
let account: string;
let facts: Fact[];

const reconcile = (day: string) =>
  reconcilingFrom({ database: testDatabase.asWorker }, [sourceOf(facts)])({ account, day });

/** Two days from zero: 100 arrive as reported, 30 leave and nobody knows why. */
async function begin(timeMs: number, others: readonly Fact[] = []): Promise<void> {
  account = `breaks-${(accounts += 1)}`;
  const model = new ProviderModel(seeded(1), new Map([['USD', 0n]]));
  model.post('USD', 10_000n, timeMs, 'reported');
  model.post('USD', -3_000n, timeMs + 60_000, 'unknown');
  const { lines } = model.history();
  await storeHistory(
    testDatabase.asWorker,
    { account, isGapRead: false },
    lines.map(({ line }) => shownOf(line)),
  );
  const reported = { currency: 'USD', amount: '100', reportedFromMs: timeMs, reportedUntilMs: timeMs };
  facts = [receiptFact('funding', { ...reported, factId: 'reported', providerId: null }), ...others];
  await reconcile(DAY);
  await reconcile(NEXT);
}

beforeEach(() => begin(NOON_MS));

const days = (): Promise<BookDayView[]> =>
  listBookDays(testDatabase.asServer, { accounts: [account], fromDay: null, toDay: null, isOpen: false, limit: 10 });

const allBreaks = (): Promise<BreakRecord[]> =>
  listBreaks(testDatabase.asServer, {
    ...{
      accounts: [account],
      states: ['open', 'explained', 'closed', 'gone'],
      fromDay: null,
      toDay: null,
      breakId: null,
    },
    limit: 10,
  });

const theBreak = async (): Promise<BreakRecord> => {
  const [only] = await allBreaks();
  if (only === undefined) throw new Error('there is no break');
  return only;
};

const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.catch((caught: unknown) => caught);
  return error instanceof Refused ? `${error.code}: ${error.message}` : 'done';
};

const sign = (user: TestUser, day: BookDayView) => signBookDayAs(testDatabase.asServer, user.tokenHash, day);

async function signBoth(): Promise<void> {
  for (const day of await days()) await sign(checker, day);
}

describe('a break', () => {
  test('is found once, with its reason, and named in the audit trail and in a notification', async () => {
    await reconcile(NEXT);
    expect(await allBreaks()).toMatchObject([
      { type: 'unexplained_entry', currency: 'USD', found: '-30', state: 'open', owner: null },
    ]);
    const { breakId, day } = await theBreak();
    const { database } = testDatabase;
    const audit = await database.query(
      `select from audit_entries where kind = 'break_found' and detail ->> 'break' = $1`,
      [breakId],
    );
    expect(audit.rows).toHaveLength(1);
    const notified = await database.query('select from outbox where type = $1 and subject_id = $2', [
      'books.break_found',
      `${account}/${day}`,
    ]);
    expect(notified.rows).toHaveLength(1);
  });

  test('is closed by two people: who explained it cannot', async () => {
    const { breakId } = await theBreak();
    const { asServer } = testDatabase;
    await assignBreakAs(asServer, maker.tokenHash, { breakId, ownerId: checker.userId });
    expect(await theBreak()).toMatchObject({ owner: { name: 'Chris' } });
    await explainBreakAs(asServer, checker.tokenHash, { breakId, reason: 'a bank charge' });
    const { explanationId } = await theBreak();
    const closing = { breakId, explanationId: explanationId ?? '' };
    expect(await refusal(closeBreakAs(asServer, checker.tokenHash, closing))).toContain('cannot close it');
    expect(await refusal(closeBreakAs(asServer, maker.tokenHash, closing))).toContain('not_allowed');
    await closeBreakAs(asServer, second.tokenHash, closing);
    expect(await theBreak()).toMatchObject({
      state: 'closed',
      explainedBy: { name: 'Chris' },
      closedBy: { name: 'Carla' },
    });
    expect(await refusal(explainBreakAs(asServer, maker.tokenHash, { breakId, reason: 'no' }))).toContain(
      'closed already',
    );
  });

  test('is closed only with the explanation that was seen', async () => {
    const { breakId } = await theBreak();
    const { asServer } = testDatabase;
    await explainBreakAs(asServer, maker.tokenHash, { breakId, reason: 'one' });
    const { explanationId } = await theBreak();
    await explainBreakAs(asServer, maker.tokenHash, { breakId, reason: 'another' });
    const closing = { breakId, explanationId: explanationId ?? '' };
    expect(await refusal(closeBreakAs(asServer, checker.tokenHash, closing))).toContain('not the one that was seen');
  });

  test('is opened again by who explained it, or by a checker', async () => {
    const { breakId } = await theBreak();
    const { asServer } = testDatabase;
    const other = await aUser(testDatabase, `Max ${account}`, 'maker');
    await explainBreakAs(asServer, maker.tokenHash, { breakId, reason: 'one' });
    expect(await refusal(reopenBreakAs(asServer, other.tokenHash, { breakId, reason: null }))).toContain('not_allowed');
    await reopenBreakAs(asServer, checker.tokenHash, { breakId, reason: 'no' });
    expect(await theBreak()).toMatchObject({ state: 'open', explanation: null });
  });

  test('of an account that a user may not use does not exist for them', async () => {
    const { breakId } = await theBreak();
    const stranger = await aUser(testDatabase, `Stranger ${account}`, 'checker');
    await limitTo(testDatabase.database, stranger, 'elsewhere');
    const explaining = explainBreakAs(testDatabase.asServer, stranger.tokenHash, { breakId, reason: 'mine' });
    expect(await refusal(explaining)).toContain('there is no such break');
    const [day] = await days();
    if (day !== undefined) expect(await refusal(sign(stranger, day))).toContain('may not use the account');
  });

  test('of a payment that is not in the history names its row', async () => {
    const { runId, paymentIds } = await aStoredRun(testDatabase.database, 2);
    const late = { currency: 'USD', amount: '-5', fees: [], fromMs: NOON_MS - 3_600_000, untilMs: NOON_MS };
    const [factId, unknown] = [`payment/${paymentIds[1]}-1`, `payment/${randomUUID()}-1`];
    const missing = [factId, unknown].map(
      (id): Fact => ({ factId: id, kind: 'payment', certainty: 'expected', providerId: null, legs: [late] }),
    );
    await begin(NOON_MS, missing);
    const query = breakQuery.parse({ account });
    const found = await listAsUser({ database: testDatabase.asServer }, { accounts: null }, query);
    const rowsOf = (id: string) => found.find(({ factIds }) => factIds.includes(id))?.rows;
    expect(rowsOf(factId)).toEqual([{ factId, runId, line: 3 }]);
    expect(rowsOf(unknown)).toEqual([]);
  });

  test('is gone when the day is reconciled again and is right; and then the day is another one', async () => {
    // So early that it is a break on the same day, which a signature does not close.
    const earlyMs = Date.parse(`${DAY}T03:00:00Z`);
    await begin(earlyMs);
    const [before] = await days();
    if (before !== undefined) await sign(checker, before);
    facts.push({
      ...{ factId: 'found later', kind: 'payment', certainty: 'expected', providerId: null },
      legs: [{ currency: 'USD', amount: '-30', fees: [], fromMs: earlyMs, untilMs: earlyMs + 3_600_000 }],
    });
    for (const day of [DAY, NEXT]) await reconcile(day);
    expect(await theBreak()).toMatchObject({ state: 'gone' });
    expect((await days()).map(({ state, signedBy }) => [state, signedBy])).toEqual([
      ['matched', null],
      ['matched', null],
    ]);
  });
});

describe('a day', () => {
  test('closes when it is signed, all days before it are, and its breaks are closed', async () => {
    await signBoth();
    expect((await days()).map(({ state }) => state)).toEqual(['closed', 'signed']);
    const { breakId } = await theBreak();
    await explainBreakAs(testDatabase.asServer, maker.tokenHash, { breakId, reason: 'a bank charge' });
    const { explanationId } = await theBreak();
    await closeBreakAs(testDatabase.asServer, second.tokenHash, { breakId, explanationId: explanationId ?? '' });
    expect((await days()).map(({ state }) => state)).toEqual(['closed', 'closed']);
    const { rows } = await testDatabase.database.query<{ hash: string }>(
      `select detail ->> 'contentHash' as hash from audit_entries
       where kind = 'book_day_closed' and detail ->> 'account' = $1 order by entry_id`,
      [account],
    );
    expect(rows.map(({ hash }) => hash)).toEqual((await days()).map(({ contentHash }) => contentHash));
    expect(await reconcile(NEXT)).toMatchObject({ outcome: 'closed' });
  });

  test('is signed in its order, once, and as it was seen', async () => {
    const [first, next] = await days();
    if (first === undefined || next === undefined) throw new Error('there are two days');
    expect(await refusal(sign(checker, next))).toContain('a day before it is not signed');
    expect(await refusal(sign(checker, { ...first, contentHash: 'x' }))).toContain('not those that were seen');
    expect(await refusal(sign(maker, first))).toContain('not_allowed');
    await sign(checker, first);
    expect(await refusal(sign(second, first))).toContain('already');
  });

  test('has an adjustment when an open entry of a closed day turns out to be something', async () => {
    await signBoth();
    const [first, next] = await days();
    expect(first?.books[0]?.totals).toContainEqual({ entryClass: 'open', count: 1, amount: '-30' });
    expect(next?.books[0]).toMatchObject({ opening: '70', closing: '70', entryCount: 0 });
    expect(next?.books[0]?.reclassified).toMatchObject([
      { ofDay: DAY, from: 'open', to: 'unexplained', amount: '-30' },
    ]);
  });
});

test('a history that does not begin with zero needs a signed balance that equals it', async () => {
  const of = `opening-${account}`;
  const model = new ProviderModel(seeded(1), new Map([['EUR', 123_456n]]));
  model.post('EUR', 100n, NOON_MS, 'x');
  const { lines } = model.history();
  await storeHistory(
    testDatabase.asWorker,
    { account: of, isGapRead: false },
    lines.map(({ line }) => shownOf(line)),
  );
  await reconcilingFrom({ database: testDatabase.asWorker }, [])({ account: of, day: DAY });
  const { asServer } = testDatabase;
  const [day] = await listBookDays(asServer, { accounts: [of], fromDay: null, toDay: null, isOpen: false, limit: 10 });
  if (day === undefined) throw new Error('the day was not reconciled');
  expect(await refusal(sign(checker, day))).toBe(
    'conflict: the opening balance of EUR is 1234.56, which nothing confirms: sign the opening first ' +
      `(payrun reconcile sign-opening EUR 1234.56 --account ${of})`,
  );
  const balance = (amount: string) =>
    signOpeningAs(asServer, checker.tokenHash, { account: of, currency: 'EUR', amount });
  expect(await refusal(balance('1234.5'))).toContain('begins with 1234.56, not 1234.5');
  await balance('1234.560');
  await sign(checker, day);
});
