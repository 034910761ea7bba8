import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readSplits } from '../../store/approvals/splitting.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { beneficiaryAt, type StoredRun } from './a-stored-run.ts';
import { RunsInApproval } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let runs: RunsInApproval;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
});
afterAll(() => testDatabase.drop());

// What earlier tests submitted is of long ago.
beforeEach(() =>
  bypassTriggers(testDatabase.database, `update runs set submitted_at = submitted_at - interval '1 year'`, []),
);

const one = [{ role: 'checker' as const }];
const two = [...one, ...one];
const largeRuns = {
  rules: [
    { name: 'large', when: { totalAtLeast: '1000.00' }, steps: two },
    { name: 'rest', when: {}, steps: one },
  ],
};

let accounts = 0;
const aRun = (...amounts: string[]): Promise<StoredRun> => {
  accounts += amounts.length;
  return runs.aRun(amounts.length, (n) => ({
    amount: amounts[n - 1] ?? '',
    ...beneficiaryAt(`split-${accounts - n}`),
  }));
};
const submittedBy = (runId: string, makerId: string) =>
  bypassTriggers(testDatabase.database, 'update runs set submitted_by = $2 where run_id = $1', [runId, makerId]);
const submittedAgo = (runId: string, ago: string) =>
  bypassTriggers(
    testDatabase.database,
    'update runs set submitted_at = submitted_at - $2::interval where run_id = $1',
    [runId, ago],
  );

/** Two runs of one maker that together reach the limit of a rule. */
async function twoParts(): Promise<[StoredRun, StoredRun]> {
  const [first, second] = [await aRun('600.00'), await aRun('399.99', '0.01')];
  await submittedBy(second.runId, first.makerId);
  return [first, second];
}

describe('a sum in parts', () => {
  beforeEach(() => runs.follow(largeRuns));

  test('is found in each run of its maker that the policy would judge otherwise as a whole', async () => {
    const [first, second] = await twoParts();
    const found = { currency: 'USD', rule: 'rest', ruleTogether: 'large', runCount: 1 };
    expect(await readSplits(testDatabase.asServer, first.runId, 10)).toMatchObject([
      { ...found, runs: [{ runId: second.runId }] },
    ]);
    expect(await readSplits(testDatabase.asServer, second.runId, 10)).toMatchObject([
      { ...found, runs: [{ runId: first.runId }] },
    ]);
  });

  test('is not found below the limit, nor in runs that need these steps anyway', async () => {
    const large = await aRun('1000.00');
    const small = await aRun('1.00');
    await submittedBy(small.runId, large.makerId);
    expect(await readSplits(testDatabase.asServer, large.runId, 10)).toEqual([]);
    expect(await readSplits(testDatabase.asServer, small.runId, 10)).toMatchObject([{ total: '1001.00' }]);
    expect(await readSplits(testDatabase.asServer, (await aRun('999.99')).runId, 10)).toEqual([]);
  });

  test('does not count runs of others, of more than seven days ago, and those that were rejected', async () => {
    const [first] = [await aRun('600.00'), await aRun('600.00')];
    expect(await readSplits(testDatabase.asServer, first.runId, 10)).toEqual([]);
    const [old, later] = await twoParts();
    await submittedAgo(old.runId, '7 days 1 minute');
    expect(await readSplits(testDatabase.asServer, later.runId, 10)).toEqual([]);
    const [rejected, other] = await twoParts();
    await runs.decide(runs.chris, rejected.runId, 'rejected', 'no');
    expect(await readSplits(testDatabase.asServer, other.runId, 10)).toEqual([]);
  });

  test('is found where rows pay one account in parts below the limit of the largest row', async () => {
    await runs.follow({
      rules: [
        { name: 'large', when: { largestAtLeast: '1000.00' }, steps: two },
        { name: 'rest', when: {}, steps: one },
      ],
    });
    const same = await runs.aRun(2, () => ({ amount: '500.00', ...beneficiaryAt('in-parts') }));
    expect(await readSplits(testDatabase.asServer, same.runId, 10)).toMatchObject([
      { ruleTogether: 'large', total: '1000.00', runCount: 0, runs: [] },
    ]);
    expect(await readSplits(testDatabase.asServer, (await aRun('500.00', '500.00')).runId, 10)).toEqual([]);
  });
});
