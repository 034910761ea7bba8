import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSuspects } from '../../application/runs/release-rows.ts';
import { computeReview } from '../../application/runs/compute-review.ts';
import type { ReviewingDependencies } from '../../application/application-dependencies.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { markDuplicates } from '../../store/runs/duplicates.ts';
import { releaseRowsAs } from '../../store/runs/row-releases.ts';
import { readSuspects, type SuspectFilter } from '../../store/runs/similar-payments.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { suspects } from '../helpers/suspected-duplicates.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { ACCOUNT, aStoredRun, beneficiaryAt, openForDecision, putInto, type StoredRun } from './a-stored-run.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';

const ALL: SuspectFilter = { rowRef: null, search: null, currency: null, code: null };

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let chris: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  ({ chris } = runs);
  await runs.follow({});
});
afterAll(() => testDatabase.drop());

const amount = '81.00';

/** Runs of rows that pay the same to these accounts: the first one, and one whose rows are all suspected. */
async function twoRunsTo(accounts: readonly string[]): Promise<{ first: StoredRun; again: StoredRun }> {
  const row = (n: number) => ({ rowRef: randomUUID(), amount, ...beneficiaryAt(accounts[n - 1] ?? '') });
  const first = await aStoredRun(testDatabase.database, accounts.length, row);
  const again = await aStoredRun(testDatabase.database, accounts.length, row);
  expect(await markDuplicates(testDatabase.asWorker, again.runId)).toBe(accounts.length);
  await openForDecision(testDatabase.asWorker, again.runId);
  return { first, again };
}

function release(runId: string, hash: string, filter = ALL): Promise<{ rowCount: number; approvals: number }> {
  const reason = 'salaries of November';
  return releaseRowsAs(testDatabase.asServer, chris.tokenHash, { runId, filter, hash, reason });
}

function seen(runId: string, filter = ALL): ReturnType<typeof readSuspects> {
  return readSuspects(testDatabase.asServer, runId, filter);
}

async function statesOf(runId: string): Promise<string[]> {
  const { rows } = await testDatabase.database.query<{ state: string }>(
    'select state from payments where run_id = $1 order by row_number',
    [runId],
  );
  return rows.map(({ state }) => state);
}

async function entriesOf(runId: string, kind: string): Promise<Record<string, unknown>[]> {
  const { rows } = await testDatabase.database.query<{ detail: Record<string, unknown> }>(
    'select detail from audit_entries where run_id = $1 and kind = $2',
    [runId, kind],
  );
  return rows.map(({ detail }) => detail);
}

describe('a release of several rows', () => {
  test('says how many there are, their sum and which runs they may repeat, and releases them in one act', async () => {
    const { first, again } = await twoRunsTo([randomUUID(), randomUUID(), randomUUID()]);
    const suspected = await seen(again.runId);
    expect(suspected).toMatchObject({
      ...{ rowCount: 3, similarCount: 3, alikeCount: 0, amounts: [{ currency: 'USD', amount: '243.00' }] },
      runs: [{ runId: first.runId, rowCount: 3, paidCount: 0, paidAt: null }],
    });
    expect(await release(again.runId, suspected.hash)).toEqual({ rowCount: 3, approvals: 0 });
    expect(await statesOf(again.runId)).toEqual(['ready', 'ready', 'ready']);
    expect(await entriesOf(again.runId, 'rows_released')).toMatchObject([
      { rows: 3, similar: 3, releaseHash: suspected.hash, token: chris.tokenId },
    ]);
    expect(await entriesOf(again.runId, 'row_released')).toHaveLength(3);
  });

  test('is one finding for those who approve, with its reason', async () => {
    const { again } = await twoRunsTo([randomUUID(), randomUUID()]);
    await release(again.runId, (await seen(again.runId)).hash);
    const { review } = await computeReview(testDatabase.asServer, TEST_DATA_KEYS, again.runId, Date.now());
    expect(review.findings.filter(({ kind }) => kind === 'released_duplicate')).toMatchObject([
      { rowCount: 2, releasedBy: 'Chris', reason: 'salaries of November' },
    ]);
  });

  test('counts those that repeat one another', async () => {
    const account = randomUUID();
    const { again } = await twoRunsTo([account, account, randomUUID()].slice(1));
    expect(await seen(again.runId)).toMatchObject({ rowCount: 2, alikeCount: 0 });
    const same = randomUUID();
    const row = () => ({ rowRef: randomUUID(), amount, ...beneficiaryAt(same) });
    const { runId } = await aStoredRun(testDatabase.database, 3, row);
    expect(await markDuplicates(testDatabase.asWorker, runId)).toBe(2);
    expect(await seen(runId)).toMatchObject({ rowCount: 2, alikeCount: 2, similarCount: 1, runs: [{ runId }] });
  });

  test('is of those alone that fit the filter', async () => {
    const { again } = await twoRunsTo([randomUUID(), randomUUID()]);
    const { rows } = await testDatabase.database.query<{ ref: string }>(
      'select row_ref as ref from payments where run_id = $1 and row_number = 2',
      [again.runId],
    );
    const one = { ...ALL, rowRef: rows[0]?.ref ?? '' };
    const found = { name: '', reference: one.rowRef, line: null, amount: null, accountEnd: null };
    const searched = { ...ALL, search: { ...found, nameKeys: [], rowRef: one.rowRef } };
    expect(await seen(again.runId, { ...ALL, code: 'row_ref_used_before' })).toMatchObject({ rowCount: 0 });
    expect(await seen(again.runId, { ...ALL, currency: 'EUR' })).toMatchObject({ rowCount: 0 });
    expect(await seen(again.runId, searched)).toEqual(await seen(again.runId, one));
    const none = release(again.runId, (await seen(again.runId, { ...ALL, currency: 'EUR' })).hash, {
      ...ALL,
      currency: 'EUR',
    });
    await expect(none).rejects.toMatchObject(refusedWith('conflict'));
    expect(await release(again.runId, (await seen(again.runId, one)).hash, one)).toMatchObject({ rowCount: 1 });
    expect(await statesOf(again.runId)).toEqual(['duplicate_suspect', 'ready']);
  });

  test('is refused if there are others by now than those that were seen', async () => {
    const account = randomUUID();
    const { again } = await twoRunsTo([account, randomUUID()]);
    const { hash } = await seen(again.runId);
    const one = { ...ALL, rowRef: null, code: 'same_beneficiary_and_amount' };
    // Another row that one of them may repeat.
    const other = await aStoredRun(testDatabase.database, 1, () => ({
      ...{ rowRef: randomUUID(), amount },
      ...beneficiaryAt(account),
    }));
    await expect(release(again.runId, hash, one)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await statesOf(again.runId)).toEqual(['duplicate_suspect', 'duplicate_suspect']);
    await putInto(testDatabase.database, other.paymentIds[0] ?? '', 'rejected');
    // A row of them that was released meanwhile.
    await putInto(testDatabase.database, again.paymentIds[0] ?? '', 'held');
    await expect(release(again.runId, hash, one)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await entriesOf(again.runId, 'row_released')).toEqual([]);
  });

  test('takes no row of another run with it', async () => {
    const [one, other] = [await twoRunsTo([randomUUID()]), await twoRunsTo([randomUUID()])];
    const payments = [...one.again.paymentIds, ...other.again.paymentIds];
    const call = testDatabase.asServer.query<{ answer: { refused: string } }>(
      `select release_rows($1, $2, $3, release_hash($3, array(select payment_id from similar_payments($3))), 'x') as answer`,
      [chris.tokenHash.bytes, one.again.runId, payments],
    );
    expect((await call).rows[0]?.answer).toMatchObject({ refused: 'conflict' });
    expect(await statesOf(other.again.runId)).toEqual(['duplicate_suspect']);
  });

  test('is of what the database finds that they repeat, whatever a server says', async () => {
    const { again } = await twoRunsTo([randomUUID()]);
    const call = testDatabase.asServer.query<{ answer: { refused: string } }>(
      `select release_rows($1, $2, $3, release_hash($3, '{}'), 'x') as answer`,
      [chris.tokenHash.bytes, again.runId, again.paymentIds],
    );
    expect((await call).rows[0]?.answer).toMatchObject({ refused: 'conflict' });
    expect(await statesOf(again.runId)).toEqual(['duplicate_suspect']);
  });

  test('counts all that it may repeat, however many there are: none while one of them could still be funded', async () => {
    const account = randomUUID();
    const row = () => ({ rowRef: randomUUID(), amount, ...beneficiaryAt(account) });
    const { paymentIds } = await aStoredRun(testDatabase.database, 101, row);
    const unknown = [...paymentIds].sort().at(-1) ?? '';
    await putInto(testDatabase.database, unknown, 'unknown');
    await testDatabase.database.query('update payments set funded_at = null where payment_id = $1', [unknown]);
    const again = await aStoredRun(testDatabase.database, 1, row);
    await markDuplicates(testDatabase.asWorker, again.runId);
    await openForDecision(testDatabase.asWorker, again.runId);
    const { hash, similarCount } = await seen(again.runId);
    expect(similarCount).toBe(101);
    await expect(release(again.runId, hash)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await statesOf(again.runId)).toEqual(['duplicate_suspect']);
  });

  test('names no runs of accounts that its user may not use', async () => {
    const { first, again } = await twoRunsTo([randomUUID()]);
    for (const table of ['payments', 'runs'])
      await bypassTriggers(testDatabase.database, `update ${table} set account = 'asia' where run_id = $1`, [
        first.runId,
      ]);
    const dependencies = { database: testDatabase.asServer } as ReviewingDependencies;
    const shownTo = (accounts: readonly string[] | null) =>
      findSuspects(dependencies, { accounts } as SignedIn, again, suspects());
    const whole = await shownTo(null);
    expect(whole).toMatchObject({ similarCount: 1, runs: [{ runId: first.runId }] });
    expect(await shownTo([ACCOUNT])).toEqual({ ...whole, runs: [] });
  });
});
