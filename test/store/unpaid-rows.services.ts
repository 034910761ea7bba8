import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { RunState } from '../../domain/runs/run-state.ts';
import { listWaiting, type WaitingItem } from '../../store/inbox/waiting-items.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, aStoredRun } from './a-stored-run.ts';
import { OTHER } from './limited-users.ts';

/** Runs that ended with rows that were not paid, as the inbox of makers has them. */

const ENDED_AT = new Date('2026-03-01T12:00:00Z');
const [BEFORE, AFTER] = [new Date(ENDED_AT.getTime() - 1), new Date(ENDED_AT.getTime() + 1)];

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

type Rows = Readonly<Record<string, PaymentState>>;

/** A run with a row of each `row_ref` in its state, which ended as it says. */
async function aRunWith(
  rows: Rows,
  { state = 'partially_completed', account = ACCOUNT }: { state?: RunState; account?: string } = {},
): Promise<string> {
  const refs = Object.keys(rows);
  const { runId } = await aStoredRun(testDatabase.database, refs.length, (n) => ({ rowRef: refs[n - 1] ?? '' }));
  await bypassTriggers(
    testDatabase.database,
    'update payments set account = $3, state = given.value from jsonb_each_text($2) as given where run_id = $1 and row_ref = given.key',
    [runId, JSON.stringify(rows), account],
  );
  await bypassTriggers(
    testDatabase.database,
    'update runs set account = $4, state = $2, finished_at = $3 where run_id = $1',
    [runId, state, state === 'running' ? null : ENDED_AT, account],
  );
  return runId;
}

async function unpaidOf(runId: string, page: { endedAfter?: Date; accounts?: string[] | null } = {}) {
  const found = await listWaiting(testDatabase.asServer, 'unpaid_rows', {
    accounts: page.accounts ?? null,
    limit: 1_000,
    endedAfter: page.endedAfter ?? BEFORE,
    seenBefore: BEFORE,
    maker: randomUUID(),
  });
  return found.find(({ id }) => id === runId);
}

const countOf = async (runId: string): Promise<WaitingItem['count'] | undefined> => (await unpaidOf(runId))?.count;

/** References that no other row has. */
const refs = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

test('a run that ended has its rows that were not paid, since its end', async () => {
  const states: PaymentState[] = ['failed', 'rejected', 'returned', 'held', 'duplicate_suspect'];
  const others: PaymentState[] = ['paid', 'unknown', 'cancelled', 'invalid', 'excluded'];
  const runId = await aRunWith(Object.fromEntries([...states, ...others].map((state) => [randomUUID(), state])));
  expect(await unpaidOf(runId)).toMatchObject({
    count: 5,
    state: 'partially_completed',
    waitingSince: ENDED_AT,
    runId,
  });
  expect(await unpaidOf(runId, { endedAfter: AFTER })).toBeUndefined();
  expect(await unpaidOf(runId, { accounts: [OTHER] })).toBeUndefined();
  expect(await unpaidOf(runId, { accounts: [ACCOUNT, OTHER] })).toMatchObject({ count: 5 });
});

test.each<[RunState, number | undefined]>([
  ['failed', 1],
  ['running', undefined],
  ['cancelled', undefined],
  ['rejected', undefined],
  ['expired', undefined],
])('a run that is %s is shown only if it was to be paid and has ended', async (state, count) => {
  expect(await countOf(await aRunWith({ [randomUUID()]: 'rejected' }, { state }))).toBe(count);
});

test('a row counts until it was submitted again, whatever became of it then', async () => {
  const [one = '', two = ''] = refs(2);
  const runId = await aRunWith({ [one]: 'failed', [two]: 'held' });
  await aRunWith({ [one]: 'ready' }, { state: 'running' });
  expect(await countOf(runId)).toBe(1);
  const again = await aRunWith({ [two]: 'rejected' }, { state: 'failed' });
  expect(await countOf(runId)).toBeUndefined();
  // It was not submitted again after this.
  expect(await countOf(again)).toBe(1);
});

test.each<[string, PaymentState, RunState]>([
  ['is invalid', 'invalid', 'partially_completed'],
  ['was withdrawn', 'cancelled', 'cancelled'],
  ['was rejected by a checker', 'ready', 'rejected'],
  ['expired without a decision', 'ready', 'expired'],
])('a later row that %s is no payment of it', async (_what, rowState, state) => {
  const [ref = ''] = refs(1);
  const runId = await aRunWith({ [ref]: 'failed' });
  await aRunWith({ [ref]: rowState }, { state });
  expect(await countOf(runId)).toBe(1);
});

test('neither an earlier row nor one of another account is a later one', async () => {
  const [ref = ''] = refs(1);
  await aRunWith({ [ref]: 'paid' });
  const runId = await aRunWith({ [ref]: 'duplicate_suspect' });
  await aRunWith({ [ref]: 'paid' }, { account: OTHER });
  expect(await countOf(runId)).toBe(1);
});

test('of a run with very many, a thousand are counted', async () => {
  const runId = await aRunWith(Object.fromEntries(refs(1_003).map((ref) => [ref, 'rejected'])));
  expect(await countOf(runId)).toBe(1_000);
});
