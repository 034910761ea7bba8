import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkDuplicatesActivity } from '../../activities/runs/check-duplicates.ts';
import { computeReview } from '../../application/runs/compute-review.ts';
import type { ApprovalPolicy } from '../../domain/approvals/approval-policy.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { saveProviderBeneficiaries } from '../../store/beneficiaries/provider-beneficiaries.ts';
import { bypassTriggers, emptyTables } from '../helpers/bypass-triggers.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { ACCOUNT, aStoredRun, beneficiaryAt } from './a-stored-run.ts';
import { RunsInApproval } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let runs: RunsInApproval;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
});
beforeEach(() => emptyTables(testDatabase, 'runs', 'policies'));
afterAll(() => testDatabase.drop());

const WARN: Partial<ApprovalPolicy> = { duplicates: { regularPayments: 'warn' } };

interface Payment {
  daysAgo: number;
  amount?: string;
  reference?: string;
  /** Absent: it was paid. */
  state?: 'funded';
}

const MONTHLY: readonly Payment[] = [{ daysAgo: 91 }, { daysAgo: 61 }, { daysAgo: 30 }];

async function paid(payments: readonly Payment[]): Promise<void> {
  const rowOf = ({ daysAgo, amount = '2500.00', reference = `Salary ${daysAgo}/2025` }: Payment) => ({
    ...{ ...beneficiaryAt('12345678'), rowRef: `paid-${daysAgo}`, amount, paymentReference: reference },
  });
  const { paymentIds } = await aStoredRun(testDatabase.database, payments.length, (n) =>
    rowOf(payments[n - 1] ?? { daysAgo: 0 }),
  );
  for (const [index, { daysAgo, state = 'paid' }] of payments.entries()) {
    await bypassTriggers(
      testDatabase.database,
      `update payments set state = $2, funded_at = now() - $3 * interval '1 day',
         ended_at = case $2 when 'paid' then now() - $3 * interval '1 day' end where payment_id = $1`,
      [paymentIds[index], state, daysAgo],
    );
  }
  await bypassTriggers(
    testDatabase.database,
    `update runs set state = 'completed', started_at = now(), finished_at = now()`,
    [],
  );
}

/** What is said of one more row to the account. */
async function saidOf(parts: Partial<PaymentInstruction> = {}): Promise<string[]> {
  const { runId } = await aStoredRun(testDatabase.database, 1, () => ({
    ...{ ...beneficiaryAt('12345678'), rowRef: 'new', amount: '2500.00', paymentReference: 'Salary 999/2026' },
    ...parts,
  }));
  const dependencies = { database: testDatabase.asWorker, dataKeys: TEST_DATA_KEYS };
  const { suspects } = await checkDuplicatesActivity(dependencies)({ runId });
  const { review } = await computeReview(testDatabase.database, TEST_DATA_KEYS, runId, Date.now());
  return [...(suspects > 0 ? ['suspected'] : []), ...review.findings.map(({ kind }) => kind)];
}

describe('a row that goes on with a payment of each month', () => {
  test('is suspected unless the policy says otherwise', async () => {
    await paid(MONTHLY);
    expect(await saidOf()).toEqual(['suspected']);
  });

  test('is warned of where the policy says so', async () => {
    await runs.follow(WARN);
    await paid(MONTHLY);
    expect(await saidOf()).toEqual(['similar_payment']);
  });

  test.each<[string, readonly Payment[]]>([
    ['it was paid twice before', MONTHLY.slice(1)],
    ['its gaps are not steady', [{ daysAgo: 110 }, { daysAgo: 61 }, { daysAgo: 30 }]],
    ['it was paid a week ago', [...MONTHLY, { daysAgo: 7 }]],
    ['another one is under way', [...MONTHLY, { daysAgo: 1, state: 'funded' }]],
    ['the amounts differ', [{ daysAgo: 91, amount: '100.00' }, { daysAgo: 61, amount: '5000.00' }, { daysAgo: 30 }]],
    ['the invoice was paid', [...MONTHLY.slice(0, 2), { daysAgo: 30, reference: 'Salary 999/2026' }]],
  ])('is suspected where %s', async (_what, payments) => {
    await runs.follow(WARN);
    await paid(payments);
    expect(await saidOf()).toEqual(['suspected']);
  });

  test.each<[string, Partial<PaymentInstruction>]>([
    ['it has no number of an invoice', { paymentReference: 'Salary' }],
    [
      'its day is a week after the last one',
      { payOn: new Date(Date.now() - 23 * 86_400_000).toISOString().slice(0, 10) },
    ],
  ])('is suspected where %s', async (_what, parts) => {
    await runs.follow(WARN);
    await paid(MONTHLY);
    expect(await saidOf(parts)).toEqual(['suspected']);
  });
});

test("a regular payment is suspected while one by the provider's id, which has this account, is open", async () => {
  await runs.follow(WARN);
  await paid(MONTHLY);
  const [beneficiaryId, { beneficiary }] = [randomUUID(), beneficiaryAt('12345678')];
  if (beneficiary.kind !== 'details') throw new Error('it has no details');
  const shown = [{ beneficiaryId, known: beneficiary.details, mac: null }];
  await saveProviderBeneficiaries(testDatabase.asWorker, await payeesIn(testDatabase.database), ACCOUNT, shown);
  const byId = { beneficiary: { kind: 'existing', beneficiaryId }, rowRef: 'by-id', amount: '2500.00' } as const;
  await aStoredRun(testDatabase.database, 1, () => byId);
  expect(await saidOf()).toEqual(['suspected']);
});

describe('the policy sets', () => {
  test('for how many days the same amount is suspected', async () => {
    await paid([{ daysAgo: 80 }]);
    expect(await saidOf()).toEqual([]);
    await emptyTables(testDatabase, 'runs');
    await runs.follow({ duplicates: { days: 90 } });
    await paid([{ daysAgo: 80 }]);
    expect(await saidOf()).toEqual(['suspected']);
  });

  test('how far an amount that is nearly the same may differ', async () => {
    await paid([{ daysAgo: 10 }]);
    expect(await saidOf({ amount: '2550.00' })).toEqual([]);
    await emptyTables(testDatabase, 'runs');
    await runs.follow({ duplicates: { tolerancePercent: 3 } });
    await paid([{ daysAgo: 10 }]);
    expect(await saidOf({ amount: '2550.00' })).toEqual(['similar_payment']);
  });
});
