import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { inTransaction } from '../../store/database/database.ts';
import type { NewFile } from '../../store/runs/supporting-files.ts';
import { readReviewedRun } from '../../store/runs/review-facts.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { anApprovedRun, aStoredRun } from './a-stored-run.ts';
import { readRowFacts } from './read-row-facts.ts';

/** Rows that failed before and are submitted again, as the server finds them for a review. */

let testDatabase: TestDatabase;
let row: Partial<PaymentInstruction>;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());
beforeEach(() => {
  row = { rowRef: randomUUID() };
});

const ENDED_AT = new Date('2026-03-01T12:00:00Z');

/** A run with the row, which ended so. */
async function ended(state: PaymentState, files: readonly NewFile[] = []): Promise<string> {
  const { runId } = await aStoredRun(testDatabase.database, 1, () => row, files);
  await bypassTriggers(testDatabase.database, 'update payments set state = $2, ended_at = $3 where run_id = $1', [
    runId,
    state,
    ENDED_AT,
  ]);
  return runId;
}

function hasFailedBefore(runId: string): Promise<boolean[]> {
  return inTransaction(testDatabase.asServer, async (transaction) => {
    const run = await readReviewedRun(transaction, runId);
    if (run === null) throw new Error('there is no run');
    return (await readRowFacts(transaction, run)).map((facts) => facts.hasFailedBefore);
  });
}

/** Whether each of these rows has, submitted now. */
async function submitted(rows: Partial<PaymentInstruction>[], files: readonly NewFile[] = []): Promise<boolean[]> {
  const { runId } = await aStoredRun(testDatabase.database, rows.length, (n) => rows[n - 1] ?? {}, files);
  return hasFailedBefore(runId);
}

test.each<[PaymentState, boolean]>([
  ['failed', true],
  ['rejected', true],
  ['returned', false],
  ['cancelled', false],
  ['held', false],
  ['paid', false],
])('a row that was %s before has failed before: %s', async (state, expected) => {
  await ended(state);
  expect(await submitted([row, { rowRef: randomUUID() }])).toEqual([expected, false]);
});

test('a row is the same on another line of its file, and another one with anything else', async () => {
  await ended('rejected');
  expect(await submitted([{ ...row, line: 7 }])).toEqual([true]);
  const changes: Partial<PaymentInstruction>[] = [
    { amount: '99.00' },
    { paymentReference: 'Invoice 4712' },
    { purposeDescription: 'Spare parts' },
    { beneficiary: { kind: 'existing', beneficiaryId: 'another' } },
  ];
  for (const changed of changes) expect(await submitted([{ ...row, ...changed }])).toEqual([false]);
});

test('a row is another one if its supporting file is', async () => {
  row = { ...row, supportingFiles: ['invoice.pdf'] };
  const fileWith = (text: string): NewFile[] => [
    { name: 'invoice.pdf', contentType: 'application/pdf', sha256: text.repeat(64), bytes: Buffer.from(text) },
  ];
  await ended('failed', fileWith('a'));
  expect(await submitted([row], fileWith('b'))).toEqual([false]);
  expect(await submitted([row], fileWith('a'))).toEqual([true]);
});

test('a row of another provider account is another one', async () => {
  const runId = await ended('failed');
  await bypassTriggers(testDatabase.database, `update payments set account = 'other' where run_id = $1`, [runId]);
  expect(await submitted([row])).toEqual([false]);
});

test('a run that was decided does not change by what fails later, nor by its own rows that fail', async () => {
  await ended('failed');
  const { runId } = await anApprovedRun(testDatabase.database, 1, () => row);
  const decidedAt = (at: Date) =>
    bypassTriggers(testDatabase.database, 'update runs set decided_at = $2 where run_id = $1', [runId, at]);
  await decidedAt(ENDED_AT);
  expect(await hasFailedBefore(runId)).toEqual([true]);
  await decidedAt(new Date(ENDED_AT.getTime() - 1));
  await bypassTriggers(
    testDatabase.database,
    `update payments set state = 'failed', ended_at = '2020-01-01' where run_id = $1`,
    [runId],
  );
  expect(await hasFailedBefore(runId)).toEqual([false]);
});
