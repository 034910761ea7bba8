import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkDuplicatesActivity } from '../../activities/runs/check-duplicates.ts';
import { computeReview } from '../../application/runs/compute-review.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { addLookAlikesOfRun } from '../../store/beneficiaries/look-alikes-of-run.ts';
import { bypassTriggers, emptyTables } from '../helpers/bypass-triggers.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { ABook, lineOf, paidTo } from './a-book.ts';
import { aStoredRun } from './a-stored-run.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(() => emptyTables(testDatabase, 'runs', 'look_alike_keys', 'beneficiary_accounts'));
afterAll(() => testDatabase.drop());

const SUPPLIER = 'Nordwind Energietechnik GmbH';
const LOOK_ALIKE = 'Nordwind Energietechnlk GmbH';

const rowTo = (name: string, account: string): Partial<PaymentInstruction> => ({ beneficiary: paidTo(name, account) });

/** A run with these rows, whose names are stored. */
async function aRunOf(rows: readonly Partial<PaymentInstruction>[]): Promise<string> {
  const { runId } = await aStoredRun(testDatabase.database, rows.length, (n) => rows[n - 1] ?? {});
  await addLookAlikesOfRun(testDatabase.asWorker, await payeesIn(testDatabase.database), runId);
  return runId;
}

async function ended(runId: string, state: 'paid' | 'cancelled'): Promise<void> {
  const { database } = testDatabase;
  await bypassTriggers(
    database,
    'update payments set state = $2, ended_at = now(), funded_at = now() where run_id = $1',
    [...[runId, state]],
  );
  await bypassTriggers(database, 'update runs set state = $2, finished_at = now() where run_id = $1', [
    ...[runId, state === 'paid' ? 'completed' : state],
  ]);
}

/** What is said of a new run with one row. */
async function saidOf(name: string, account: string) {
  const { runId } = await aStoredRun(testDatabase.database, 1, () => ({ ...rowTo(name, account), rowRef: 'new' }));
  await checkDuplicatesActivity({ database: testDatabase.asWorker, dataKeys: TEST_DATA_KEYS })({ runId });
  const { review } = await computeReview(testDatabase.database, TEST_DATA_KEYS, runId, Date.now());
  return review.findings.filter(({ kind }) => kind === 'look_alike' || kind === 'names_not_compared');
}

/** Names that share their first half with that of the supplier, and look like none of it. No letter is repeated: that would be no difference. */
function madeUpNames(count: number): string[] {
  const letters = 'abcdefghjk';
  const drawn = (n: number) => Array.from(String(n).padStart(4, '0'), (digit) => `${letters[Number(digit)]}q`).join('');
  return Array.from({ length: count }, (_, n) => `Nordwind Energie${drawn(n)} GmbH`);
}

describe('a look-alike of a supplier that was paid', () => {
  test('is found behind a hundred made-up names of a file that was withdrawn', async () => {
    await ended(await aRunOf([rowTo(SUPPLIER, '11111111')]), 'paid');
    await ended(await aRunOf(madeUpNames(100).map((name, n) => rowTo(name, String(20_000_000 + n)))), 'cancelled');
    expect(await saidOf(LOOK_ALIKE, '33333333')).toMatchObject([{ kind: 'look_alike', like: SUPPLIER }]);
  });

  test('alarms behind more names than are looked at: they were not all compared', async () => {
    await ended(await aRunOf(madeUpNames(1_001).map((name, n) => rowTo(name, String(20_000_000 + n)))), 'cancelled');
    expect(await saidOf(LOOK_ALIKE, '33333333')).toMatchObject([{ kind: 'names_not_compared', rows: ['new'] }]);
  });

  test('is found although a login of the worker had stored other keys for both names', async () => {
    const { asWorker, database } = testDatabase;
    const { runId } = await aStoredRun(database, 2, (n) => rowTo(n === 1 ? SUPPLIER : LOOK_ALIKE, '11111111'));
    await asWorker.query(
      'insert into look_alike_keys (account, name_hash, key) select account, name_hash, row_number from payments where run_id = $1',
      [runId],
    );
    await emptyTables(testDatabase, 'runs');
    await ended(await aRunOf([rowTo(SUPPLIER, '11111111')]), 'paid');
    expect(await saidOf(LOOK_ALIKE, '33333333')).toMatchObject([{ kind: 'look_alike', like: SUPPLIER }]);
  });
});

describe('a look-alike of a name of the book', () => {
  async function inTheBook(how: 'proposed' | 'confirmed' | 'ended'): Promise<void> {
    const book = await ABook.in(testDatabase);
    const line = await book.add(book.maker, lineOf('K-12', SUPPLIER, '11111111'));
    if (how !== 'proposed') await book.confirm(book.runs.chris, [line]);
    if (how === 'ended') await book.end(book.maker, [line.id]);
  }

  test('is found once the name is confirmed', async () => {
    await inTheBook('confirmed');
    expect(await saidOf(LOOK_ALIKE, '33333333')).toMatchObject([
      { kind: 'look_alike', like: SUPPLIER, likeKey: 'K-12', lastPaidOn: null, likeRow: null },
    ]);
  });

  test('is none with the account of that name', async () => {
    await inTheBook('confirmed');
    expect(await saidOf(LOOK_ALIKE, '11111111')).toEqual([]);
  });

  test.each(['proposed', 'ended'] as const)('is none while the name is %s', async (how) => {
    await inTheBook(how);
    expect(await saidOf(LOOK_ALIKE, '33333333')).toEqual([]);
  });
});
