import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkDuplicatesActivity } from '../../activities/runs/check-duplicates.ts';
import { computeReview } from '../../application/runs/compute-review.ts';
import { emptyTables } from '../helpers/bypass-triggers.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { paidTo } from './a-book.ts';
import { aStoredRun } from './a-stored-run.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(() => emptyTables(testDatabase, 'runs'));
afterAll(() => testDatabase.drop());

/** How many invoices are said to be paid twice by a file with these payees, each by its name and account, and one reference. */
async function paidTwice(payees: readonly (readonly [string, string])[]): Promise<number> {
  const { runId } = await aStoredRun(testDatabase.database, payees.length, (n) => {
    const [name, account] = payees[n - 1] ?? ['', ''];
    return { beneficiary: paidTo(name, account), paymentReference: 'Salary 5/2026' };
  });
  await checkDuplicatesActivity({ database: testDatabase.asWorker, dataKeys: TEST_DATA_KEYS })({ runId });
  const { review } = await computeReview(testDatabase.database, TEST_DATA_KEYS, runId, Date.now());
  return review.findings.filter(({ kind }) => kind === 'invoice_paid_before').length;
}

const OTHERS = ['Anna Beck', 'Jan Vogel', 'Ute Lange'].map((name, n) => [name, `2222222${n}`] as const);
const COUPLE = [
  ['Emine Yilmaz', '11111111'],
  ['Paul Yilmaz', '11111111'],
] as const;

test('a reference that many accounts of a file have is that of no invoice between names at one account', async () => {
  expect(await paidTwice([...COUPLE, ...OTHERS])).toBe(0);
  await emptyTables(testDatabase, 'runs');
  expect(await paidTwice([...COUPLE, ...OTHERS.slice(1)])).toBeGreaterThan(0);
});

test('a reference that many accounts of a file have is repeated by the same name at its account', async () => {
  expect(await paidTwice([COUPLE[0], COUPLE[0], ...OTHERS])).toBeGreaterThan(0);
});
