import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listDecisions } from '../../store/approvals/run-decisions.ts';
import { markDuplicates } from '../../store/runs/duplicates.ts';
import { readSimilarPayments } from '../../store/runs/similar-payments.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import { similarRows } from '../../application/runs/similar-rows.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { ACCOUNT, aStoredRun, beneficiaryAt, openForDecision, putInto } from './a-stored-run.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';
import { releaseAs } from './releases-under-test.ts';

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let chris: TestUser;
let sam: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  ({ chris, sam } = runs);
});
afterAll(() => testDatabase.drop());
beforeEach(() =>
  runs.follow({ rules: [{ name: 'two', when: {}, steps: [{ role: 'checker' }, { role: 'checker' }] }] }),
);

/** A run in approval with two rows, the second of which is a suspected duplicate. */
async function aRunWithASuspect(): Promise<{ runId: string; paymentId: string }> {
  const { runId, paymentIds } = await runs.aRun(2);
  const paymentId = paymentIds[1] ?? '';
  await putInto(testDatabase.database, paymentId, 'duplicate_suspect');
  return { runId, paymentId };
}

function release(
  by: TestUser,
  paymentId: string,
  reason = 'another invoice',
): Promise<{ approvals: number; rowCount: number }> {
  return releaseAs(testDatabase.asServer, by.tokenHash, { paymentId, reason });
}

async function rowOf(paymentId: string): Promise<{ state: string }> {
  const { rows } = await testDatabase.database.query<{ state: string }>(
    'select state from payments where payment_id = $1',
    [paymentId],
  );
  return rows[0] ?? { state: 'missing' };
}

describe('a release', () => {
  test('makes the row part of the approved content, so earlier approvals are void', async () => {
    const { runId, paymentId } = await aRunWithASuspect();
    const before = await readContentHash(testDatabase.asServer, runId);
    expect(await runs.decide(chris, runId)).toMatchObject({ stepsTaken: 1, isLast: false });
    expect(await release(sam, paymentId)).toEqual({ approvals: 1, rowCount: 1 });
    expect(await readContentHash(testDatabase.asServer, runId)).not.toBe(before);
    expect(await runs.decide(sam, runId)).toMatchObject({ stepsTaken: 1, isLast: false });
    expect(await runs.frozenRows(runId)).toBe(0);
    expect(await runs.decide(chris, runId)).toMatchObject({ stepsTaken: 2, isLast: true });
    expect(await runs.frozenRows(runId)).toBe(2);
  });

  test('leaves the approvals before it recorded, as of what the run was then', async () => {
    const { runId, paymentId } = await aRunWithASuspect();
    const propose = async (): Promise<unknown> =>
      testDatabase.database.query(
        `update runs set proposal = jsonb_build_object('contentHash', $2::text) where run_id = $1`,
        [runId, await readContentHash(testDatabase.asServer, runId)],
      );
    await propose();
    await runs.decide(chris, runId, 'approved', 'as ordered');
    const approval = {
      decision: 'approved',
      by: { userId: chris.userId, name: 'Chris' },
      comment: 'as ordered',
    };
    expect(await listDecisions(testDatabase.asServer, runId)).toMatchObject([{ ...approval, isCurrent: true }]);
    await release(sam, paymentId);
    await propose();
    expect(await listDecisions(testDatabase.asServer, runId)).toMatchObject([{ ...approval, isCurrent: false }]);
  });

  test('is not made by the maker of the run, whatever their roles', async () => {
    const { runId, paymentId } = await aRunWithASuspect();
    await testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [runId, chris.userId]);
    await expect(release(chris, paymentId)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect(await runs.refusalsOf(runId)).toMatchObject([{ why: 'maker_releases', token: chris.tokenId }]);
    expect(await rowOf(paymentId)).toEqual({ state: 'duplicate_suspect' });
  });

  test('is made only by users who may decide, and gives a reason', async () => {
    const { runId, paymentId } = await aRunWithASuspect();
    const vic = await aUser(testDatabase, 'Vic', 'viewer');
    await expect(release(vic, paymentId)).rejects.toMatchObject(refusedWith('not_allowed'));
    await expect(release(chris, paymentId, '  ')).rejects.toMatchObject(refusedWith('invalid_input'));
    expect(await runs.refusalsOf(runId)).toMatchObject([{ why: 'permission', token: vic.tokenId }]);
    expect(await rowOf(paymentId)).toEqual({ state: 'duplicate_suspect' });
  });

  test('waits until a similar row that nobody has seen funded is resolved: the provider could still pay it', async () => {
    const account = randomUUID();
    const row = () => ({ rowRef: randomUUID(), amount: '81.00', ...beneficiaryAt(account) });
    const other = (await aStoredRun(testDatabase.database, 1, row)).paymentIds[0] ?? '';
    await putInto(testDatabase.database, other, 'unknown');
    await testDatabase.database.query('update payments set funded_at = null where payment_id = $1', [other]);
    const { runId, paymentIds } = await aStoredRun(testDatabase.database, 1, row);
    const paymentId = paymentIds[0] ?? '';
    await markDuplicates(testDatabase.asWorker, runId);
    await openForDecision(testDatabase.asWorker, runId);
    await expect(release(chris, paymentId)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await rowOf(paymentId)).toEqual({ state: 'duplicate_suspect' });
    await putInto(testDatabase.database, other, 'rejected');
    await expect(release(chris, paymentId)).resolves.toEqual({ approvals: 0, rowCount: 1 });
  });

  test('is only for a suspected row of a run that waits for a decision', async () => {
    const held = await aRunWithASuspect();
    await putInto(testDatabase.database, held.paymentId, 'held');
    await expect(release(chris, held.paymentId)).rejects.toMatchObject(refusedWith('conflict'));
    const approved = await aRunWithASuspect();
    await runs.decide(chris, approved.runId);
    await runs.decide(sam, approved.runId);
    await expect(release(chris, approved.paymentId)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await rowOf(approved.paymentId)).toEqual({ state: 'duplicate_suspect' });
    const once = await aRunWithASuspect();
    const both = await Promise.allSettled([release(chris, once.paymentId), release(sam, once.paymentId)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(release(chris, randomUUID())).rejects.toMatchObject(refusedWith('not_found'));
  });

  test('is recorded with what was seen, and is never changed', async () => {
    const { paymentId } = await aRunWithASuspect();
    await release(chris, paymentId);
    const { rows } = await testDatabase.database.query(
      `select row_releases.user_id as by, row_releases.row_hash = payments.row_hash as "isOfTheRow"
       from row_releases join payments using (payment_id) where payment_id = $1`,
      [paymentId],
    );
    expect(rows).toEqual([{ by: chris.userId, isOfTheRow: true }]);
    const change = testDatabase.database.query('update row_releases set role = $1', ['x']);
    await expect(change).rejects.toThrow('can only be added to');
  });
});

describe('similar rows', () => {
  const amount = '81.00';

  /** A run whose only row pays the same amount to the account. */
  async function aRunTo(accountNumber: string): Promise<{ runId: string; paymentId: string }> {
    const rowRef = randomUUID();
    const { runId, paymentIds } = await aStoredRun(testDatabase.database, 1, () => ({
      rowRef,
      amount,
      ...beneficiaryAt(accountNumber),
    }));
    return { runId, paymentId: paymentIds[0] ?? '' };
  }

  /** The refund of the provider's payment was credited with the transaction id of its debit. */
  async function returnedWithItsTransaction(providerPaymentId: string): Promise<void> {
    const receipt = `insert into receipts (account, currency, entry_id, amount, dated_at, follows_debit)
      values ($1, 'USD', $2, 81, now(), true)`;
    await bypassTriggers(testDatabase.database, receipt, [ACCOUNT, providerPaymentId]);
    const refund = `insert into refunds (account, refund_id, resource_id, currency, amount, read_at, entry_id, credited_at)
      values ($1, $2, $2, 'USD', 81, now(), $2, now())`;
    await bypassTriggers(testDatabase.database, refund, [ACCOUNT, providerPaymentId]);
  }

  test('are those that were paid, are being paid or may be paid', async () => {
    const account = randomUUID();
    const first = await aRunTo(account);
    const second = await aRunTo(account);
    await markDuplicates(testDatabase.asWorker, second.runId);
    const seen = await readSimilarPayments(testDatabase.asServer, second);
    expect(seen).toMatchObject({ count: 1, payments: [{ paymentId: first.paymentId, runId: first.runId }] });
    await putInto(testDatabase.database, first.paymentId, 'rejected');
    const none = await readSimilarPayments(testDatabase.asServer, second);
    expect(none).toMatchObject({ count: 0, payments: [] });
    expect(none.hash).not.toBe(seen.hash);
  });

  test('are also those that are returned by an equal amount alone, which may be other money', async () => {
    const account = randomUUID();
    const first = await aRunTo(account);
    await putInto(testDatabase.database, first.paymentId, 'returned', { providerPaymentId: account });
    const second = await aRunTo(account);
    await markDuplicates(testDatabase.asWorker, second.runId);
    expect(await rowOf(second.paymentId)).toEqual({ state: 'duplicate_suspect' });
    expect(await readSimilarPayments(testDatabase.asServer, second)).toMatchObject({ count: 1 });
    await returnedWithItsTransaction(account);
    expect(await readSimilarPayments(testDatabase.asServer, second)).toMatchObject({ count: 0 });
  });

  test('of accounts that somebody may not use are counted for them, and not shown', async () => {
    const account = randomUUID();
    const first = await aRunTo(account);
    for (const table of ['payments', 'runs'])
      await bypassTriggers(testDatabase.database, `update ${table} set account = 'asia' where run_id = $1`, [
        first.runId,
      ]);
    const second = await aRunTo(account);
    await markDuplicates(testDatabase.asWorker, second.runId);
    const payees = await payeesIn(testDatabase.database);
    const shownTo = (accounts: readonly string[] | null) =>
      similarRows(testDatabase.asServer, payees, second, { withInstructions: true, accounts });
    const whole = await shownTo(null);
    expect(whole).toMatchObject({ rowCount: 1, rows: [{ runId: first.runId }] });
    expect(await shownTo([ACCOUNT])).toEqual({ ...whole, rows: [] });
  });

  test('of two runs checked at the same time are suspected in only one of them', async () => {
    for (let times = 0; times < 5; times += 1) {
      const account = randomUUID();
      const [one, other] = [await aRunTo(account), await aRunTo(account)];
      await Promise.all([one, other].map(({ runId }) => markDuplicates(testDatabase.asWorker, runId)));
      const states = [await rowOf(one.paymentId), await rowOf(other.paymentId)].map(({ state }) => state);
      expect(states.sort()).toEqual(['duplicate_suspect', 'ready']);
    }
  });
});
