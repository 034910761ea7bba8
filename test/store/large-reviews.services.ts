import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeReview } from '../../application/runs/compute-review.ts';
import { RowMarks } from '../../domain/runs/collected-findings.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aStoredRun } from './a-stored-run.ts';

/** Reviews of more rows than are in memory at a time. */

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const ROWS = 4_500;
/** Each is paid by two rows; two of them, the first and the last, share an account. */
const BENEFICIARIES = ROWS / 2;

test('a review finds what rows far apart have in common, lists the first thousand findings and marks all rows', async () => {
  const { runId } = await aStoredRun(testDatabase.database, ROWS, (n) => {
    const number = (n - 1) % BENEFICIARIES;
    const bankAccount = {
      ...{
        country: 'GB',
        currency: 'GBP',
        bankName: 'Test Bank',
        bankAccountHolderName: `Supplier ${number}`,
        bankCode: '1',
      },
      accountNumber: String(10_000_000 + (number === BENEFICIARIES - 1 ? 0 : number)),
    };
    const details = { entityType: 'company' as const, country: 'GB', companyName: `Supplier ${number}`, bankAccount };
    const [rowRef, amount] = [`R-${n}`, `${n}.10`];
    return { rowRef, line: n + 1, amount, payOn: null, beneficiary: { kind: 'details', details } };
  });
  const computed = await computeReview(testDatabase.asServer, TEST_DATA_KEYS, runId, Date.now());
  const { findings, unlistedCounts } = computed.review;
  const first = [1, BENEFICIARIES, BENEFICIARIES + 1, ROWS];
  expect(findings.map(({ kind }) => kind)).toEqual([
    'account_has_other_names',
    ...Array.from({ length: 1_000 }, () => 'new_beneficiary'),
  ]);
  expect(findings[0]).toMatchObject({
    id: 'account_has_other_names:2',
    rows: first.map((n) => `R-${n}`),
    nameCount: 2,
    names: [
      { name: 'Supplier 0', rowCount: 2 },
      { name: `Supplier ${BENEFICIARIES - 1}`, rowCount: 2 },
    ],
  });
  expect(findings[1]).toMatchObject({ kind: 'new_beneficiary', name: 'Supplier 0', rows: ['R-1', 'R-2251'] });
  expect(unlistedCounts).toEqual({ new_beneficiary: BENEFICIARIES - 1_000 });
  expect([...(computed.rowsOf['account_has_other_names:2'] ?? [])]).toEqual(first);
  const marks = new RowMarks(computed.marks);
  for (let n = 1; n <= ROWS; n += 1)
    expect(marks.of(n)).toEqual(
      first.includes(n) ? ['account_has_other_names', 'new_beneficiary'] : ['new_beneficiary'],
    );
});
