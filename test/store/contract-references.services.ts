import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkDuplicatesActivity } from '../../activities/runs/check-duplicates.ts';
import { computeReview } from '../../application/runs/compute-review.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { emptyTables } from '../helpers/bypass-triggers.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { paidTo } from './a-book.ts';
import { anApprovedRun, aStoredRun, putInto } from './a-stored-run.ts';

/** When a reference that was used before is that of a contract, and no invoice that is paid again. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(() => emptyTables(testDatabase, 'runs'));
afterAll(() => testDatabase.drop());

const rowOf = (rowRef: string, amount: string): Partial<PaymentInstruction> => ({
  ...{ beneficiary: paidTo('Orbit Supplies Ltd', '12345678'), rowRef, amount, paymentReference: 'Invoice 4711' },
});

async function aPaidRun(rowRef: string, amount: string): Promise<void> {
  const { paymentIds } = await anApprovedRun(testDatabase.database, 1, () => rowOf(rowRef, amount));
  await putInto(testDatabase.database, paymentIds[0] ?? '', 'paid', { fundedAgo: '3 days' });
}

/** Whoever submits a run needs nobody for it. */
async function aCheckedRun(...rows: Partial<PaymentInstruction>[]): Promise<string> {
  const { runId } = await aStoredRun(testDatabase.database, rows.length, (n) => rows[n - 1] ?? {});
  await checkDuplicatesActivity({ database: testDatabase.asWorker, dataKeys: TEST_DATA_KEYS })({ runId });
  return runId;
}

async function saidOf(...rows: Partial<PaymentInstruction>[]): Promise<string[]> {
  const { review } = await computeReview(testDatabase.database, TEST_DATA_KEYS, await aCheckedRun(...rows), Date.now());
  return review.findings
    .map(({ kind }) => kind)
    .filter((kind) => kind === 'invoice_paid_before' || kind === 'similar_payment');
}

test('an invoice that was paid alarms, whatever other runs with its number their maker has only had checked', async () => {
  await aPaidRun('paid', '900.00');
  await aCheckedRun(rowOf('decoy-1', '1.00'));
  await aCheckedRun(rowOf('decoy-2', '2.00'));
  expect(await saidOf(rowOf('again', '1000.00'))).toEqual(['invoice_paid_before']);
});

test('an invoice that was paid alarms, however often the file itself has its number', async () => {
  await aPaidRun('paid', '900.00');
  const rows = ['1.00', '2.00', '1000.00'].map((amount, n) => rowOf(`again-${n}`, amount));
  expect(await saidOf(...rows)).toEqual(['invoice_paid_before', 'invoice_paid_before', 'invoice_paid_before']);
});

test('the reference of rows that were paid in two runs is that of a contract', async () => {
  await aPaidRun('january', '900.00');
  expect(await saidOf(rowOf('february', '950.00'))).toEqual(['invoice_paid_before']);
  await emptyTables(testDatabase, 'runs');
  await aPaidRun('january', '900.00');
  await aPaidRun('february', '950.00');
  expect(await saidOf(rowOf('march', '1000.00'))).toEqual(['similar_payment']);
});
