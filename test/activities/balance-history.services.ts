import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHistoryActivity } from '../../activities/accounts/read-history.ts';
import { storeHistory } from '../../activities/accounts/store-history.ts';
import { SeededRandom } from '../../sandbox/core/seeded-random.ts';
import { listChains } from '../../store/accounts/balance-chains.ts';
import { listEntries } from '../../store/accounts/balance-views.ts';
import { readHistoryNeeds } from '../../store/accounts/history-needs.ts';
import { advanceClock, setBalance } from '../helpers/sandbox-control.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { ACCOUNT } from '../store/a-stored-run.ts';
import { aHistory, type Shown } from './a-history.ts';
import { type ActivitiesUnderTest, asActivity, startActivities } from './activities-under-test.ts';

/** The provider's history, as it is read and kept in order. */
let underTest: ActivitiesUnderTest;

beforeAll(async () => {
  underTest = await startActivities();
});
afterAll(() => underTest.stop());

const changes = fc.array(
  fc.record({ change: fc.constantFrom(-20, -10, 10, 20, 30), pauseMs: fc.constantFrom(0, 0, 1_000, 60_000) }),
  { minLength: 1, maxLength: 25 },
);

const store = (account: string, entries: readonly Shown[], isGapRead = false) =>
  storeHistory(underTest.testDatabase.asWorker, { account, isGapRead }, entries);

const keptOf = async (account: string) =>
  (
    await listEntries(underTest.testDatabase.asServer, {
      accounts: [account],
      currency: null,
      from: null,
      to: null,
      limit: 1_000,
      after: null,
    })
  ).sort((a, b) => (a.position ?? 0) - (b.position ?? 0));

let accounts = 0;
const anAccount = (): string => `account-${(accounts += 1)}`;

test('entries are kept in order, whatever order, overlap and repetition the answers have', async () => {
  await fc.assert(
    fc.asyncProperty(
      changes,
      fc.infiniteStream(fc.nat()),
      fc.array(fc.nat({ max: 24 }), { maxLength: 6 }),
      async (made, random, cuts) => {
        const account = anAccount();
        const history = aHistory(made, 'USD');
        // Ranges that overlap, the entries of each in any order; the last one shows everything.
        const ends = [...cuts.map((cut) => Math.min(cut, history.length)).sort((a, b) => a - b), history.length];
        for (const [index, end] of ends.entries()) {
          const from = Math.max(0, (ends[index - 1] ?? 0) - 3);
          await store(account, shuffled(history.slice(from, end), random));
        }
        await store(account, shuffled(history, random));
        const kept = await keptOf(account);
        expect(kept.map(({ position }) => position)).toEqual(history.map((_, index) => index + 1));
        expect(kept.map(({ entryId }) => entryId).sort()).toEqual(history.map(({ id }) => id).sort());
        let balance = '1000';
        for (const { before, after } of kept) {
          expect(before).toBe(balance);
          balance = after;
        }
        expect((await listChains(underTest.testDatabase.asServer, account))[0]).toMatchObject({
          lastAmount: balance,
          gap: null,
        });
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
});

test('entries that become visible late are placed where they belong, and none behind a gap before it is closed', async () => {
  await fc.assert(
    fc.asyncProperty(changes, fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }), async (made, isLate) => {
      const account = anAccount();
      // The first entry begins the history: what is older does not count.
      const spaced = made.map(({ change, pauseMs }, index) => ({ change, pauseMs: index === 1 ? 60_000 : pauseMs }));
      const history = aHistory(spaced, 'USD').map((entry, index) => ({
        entry,
        isLate: index > 0 && isLate[index] === true,
      }));
      await store(
        account,
        history.filter((one) => !one.isLate).map(({ entry }) => entry),
      );
      const [chain] = await listChains(underTest.testDatabase.asServer, account);
      const placed = (await keptOf(account)).filter(({ position }) => position !== null);
      expect(placed.at(-1)?.after).toBe(chain?.lastAmount);
      for (const { entry } of history.filter((one) => one.isLate)) await store(account, [entry]);
      expect((await keptOf(account)).every(({ position }) => position !== null)).toBe(true);
      const last = history.at(-1)?.entry.amountAfter;
      expect((await listChains(underTest.testDatabase.asServer, account))[0]).toMatchObject({
        lastAmount: last,
        gap: null,
      });
    }),
    { numRuns: 40, endOnFailure: true },
  );
});

test('an entry that looks like a copy has its place once the entry between the two is seen', async () => {
  const account = anAccount();
  const history = aHistory(
    [-20, 20, -20, 20, 30].map((change, index) => ({ change, pauseMs: index === 1 ? 60_000 : 0 })),
    'USD',
  );
  const [first, second, between, third, last] = history;
  if (first === undefined || between === undefined) throw new Error('the history has five entries');
  await store(
    account,
    [first, second, third, last].flatMap((entry) => entry ?? []),
  );
  expect((await keptOf(account)).filter(({ disregarded }) => disregarded === 'copy')).toHaveLength(1);
  await store(account, [between]);
  expect((await keptOf(account)).map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
});

test('several workers may store the same answers at once', async () => {
  const account = anAccount();
  const history = aHistory(
    Array.from({ length: 30 }, (_, index) => ({ change: index % 3 === 0 ? 20 : -10, pauseMs: 1_000 })),
    'EUR',
  );
  await Promise.all([10, 20, 30, 30, 25].map((end) => store(account, history.slice(0, end))));
  const kept = await keptOf(account);
  expect(kept.map(({ position }) => position)).toEqual(history.map((_, index) => index + 1));
});

test('entries without an id are told apart by their content', async () => {
  const account = anAccount();
  const history = aHistory(
    [
      { change: -10, pauseMs: 0 },
      { change: 10, pauseMs: 0 },
      { change: -10, pauseMs: 0 },
    ],
    'EUR',
  ).map((entry) => ({ ...entry, id: null }));
  await store(account, history);
  await store(account, history.toReversed());
  expect((await keptOf(account)).map(({ change }) => change)).toEqual(['-10', '10', '-10']);
});

test('a gap is read again until it is given up, and is begun after when it stays', async () => {
  const account = anAccount();
  const { testDatabase } = underTest;
  const [first, missing, third, fourth] = aHistory(
    [5, -10, 20, 30].map((change) => ({ change, pauseMs: 60_000 })),
    'EUR',
  );
  if (first === undefined || missing === undefined || third === undefined || fourth === undefined) throw new Error();
  await store(account, [first, third]);
  const gapOf = async () => (await listChains(testDatabase.asServer, account))[0]?.gap;
  expect(await gapOf()).toMatchObject({ afterMs: first.date.epochMs, beforeMs: third.date.epochMs, isGivenUp: false });
  expect((await readHistoryNeeds(testDatabase.asWorker, account, null)).gapReads).toBe(0);
  for (let reads = 1; reads <= 6; reads += 1) {
    await store(account, [third], true);
    expect(await gapOf()).toMatchObject({ reads, isGivenUp: reads === 6 });
  }
  expect((await readHistoryNeeds(testDatabase.asWorker, account, null)).gapReads).toBeNull();
  // It is closed whenever the entry comes.
  await store(account, [missing, third]);
  expect(await gapOf()).toBeNull();

  const other = anAccount();
  await store(other, [first, third]);
  await bypassTriggers(
    testDatabase.database,
    `update balance_chains set gap_since = now() - interval '25 hours' where account = $1`,
    [other],
  );
  await store(other, [fourth]);
  const kept = await keptOf(other);
  expect(kept.map(({ entryId, position }) => [entryId, position])).toEqual([
    [first.id, 1],
    [third.id, 2],
    [fourth.id, 3],
  ]);
  expect((await listChains(testDatabase.asServer, other))[0]).toMatchObject({
    lastAmount: fourth.amountAfter,
    gap: null,
  });
});

test('an entry that is shown with other amounts later stays as it was first seen, and is counted', async () => {
  const account = anAccount();
  const [entry] = aHistory([{ change: 5, pauseMs: 0 }], 'EUR');
  if (entry === undefined) throw new Error();
  await store(account, [entry]);
  expect(await store(account, [{ ...entry, amountAfter: '7777' }])).toEqual({ added: 0, conflicting: 1 });
  expect((await keptOf(account))[0]?.after).toBe(entry.amountAfter);
});

test('no process can change or remove an entry, or store one out of order', async () => {
  const account = anAccount();
  await store(account, aHistory([{ change: 5, pauseMs: 0 }], 'EUR'));
  const { database, asWorker } = underTest.testDatabase;
  await expect(database.query('update balance_entries set amount_after = 1')).rejects.toThrow(
    'kept as it was first seen',
  );
  await expect(database.query('delete from balance_entries')).rejects.toThrow('kept as it was first seen');
  const forged = (before: string, order: string[]) =>
    asWorker.query(`select store_balance_entries($1, 'EUR', 1, $2, 2, $3, '{}', null, false, 6, false)`, [
      account,
      JSON.stringify([
        {
          entryId: 'forged',
          before,
          after: '9',
          total: null,
          transactionId: null,
          type: '',
          datedAt: '2026-02-01',
          date: '',
        },
      ]),
      order,
    ]);
  await expect(forged('4', ['forged'])).rejects.toThrow('begins with the balance');
  await expect(forged('1005', ['forged', 'forged'])).rejects.toThrow('placed once');
});

test.each([
  { shows: 'the newest', currency: 'SGD', picking: () => (entries: Shown[]) => entries.slice(0, 2) },
  { shows: 'any', currency: 'JPY', picking: () => anyTwo(new SeededRandom('capped lists')) },
])('what a sandbox shows is read in touching ranges, and completed where an answer has $shows two', async (of) => {
  const { testDatabase, dependencies, sandbox } = underTest;
  const pick = of.picking();
  let isCapped = false;
  const provider: typeof dependencies.provider = (account) => {
    const client = dependencies.provider(account);
    const historyReadable: typeof client.balances.historyReadable = async (range, options) => {
      const { entries, unreadable } = await client.balances.historyReadable(range, options);
      const ofCurrency = entries.filter(({ currency }) => currency === of.currency);
      return { entries: isCapped ? pick(ofCurrency) : entries, unreadable };
    };
    return { ...client, balances: { ...client.balances, historyReadable } };
  };
  const readHistory = readHistoryActivity({ ...dependencies, provider });
  const read = (kind: 'news' | 'gap' = 'news') => asActivity(() => readHistory({ account: ACCOUNT, of: kind }));
  const chainOf = async () =>
    (await listChains(testDatabase.asServer, ACCOUNT)).find(({ currency }) => currency === of.currency);
  await setBalance(sandbox, of.currency, '10');
  await read();
  for (let n = 1; n <= 6; n += 1) {
    // Dates may be whole seconds.
    await advanceClock(sandbox, 2_000);
    await setBalance(sandbox, of.currency, String(10 + n));
  }
  isCapped = true;
  let reads = 0;
  for (; reads < 40 && Number((await chainOf())?.lastAmount) !== 16; reads += 1) {
    await read((await chainOf())?.gap ? 'gap' : 'news');
  }
  expect(reads).toBeLessThan(20);
  const kept = (await keptOf(ACCOUNT)).filter(({ currency }) => currency === of.currency);
  expect(kept.map(({ after }) => Number(after))).toEqual([10, 11, 12, 13, 14, 15, 16]);
  expect((await chainOf())?.gap).toBeNull();
  const { rows } = await testDatabase.database.query<{ touch: boolean }>(
    `select from_at <= lag(to_at, 1, to_at) over (order by range_id) as touch from history_ranges
     where account = $1 and not is_gap`,
    [ACCOUNT],
  );
  expect(rows.every(({ touch }) => touch)).toBe(true);
});

function anyTwo(random: SeededRandom): (entries: Shown[]) => Shown[] {
  return (entries) =>
    entries
      .map((entry) => ({ entry, place: random.fraction() }))
      .sort((a, b) => a.place - b.place)
      .slice(0, 2)
      .map(({ entry }) => entry);
}

function shuffled<T>(list: readonly T[], random: Iterator<number>): T[] {
  const rest = [...list];
  const result: T[] = [];
  while (rest.length > 0) {
    const index = Number(random.next().value) % rest.length;
    result.push(...rest.splice(index, 1));
  }
  return result;
}
