import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { COST_BOUND } from '../../domain/approvals/cost-bound.ts';
import type { ApprovalPolicy } from '../../domain/approvals/approval-policy.ts';
import { keepRatesOfRun, readContentHash, readCostBound } from '../../store/approvals/run-approval.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { keepReferenceRates } from '../../store/rates/reference-rates.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let runs: RunsInApproval;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
});
afterAll(() => testDatabase.drop());

const rate = async (gbpOfOneUsd: string) => {
  await bypassTriggers(testDatabase.database, 'delete from reference_rates', []);
  const date = new Date().toISOString().slice(0, 10);
  await keepReferenceRates(testDatabase.asWorker, { source: 'house', date, base: 'USD', rates: { GBP: gbpOfOneUsd } });
};
const bounded = (costBound: ApprovalPolicy['costBound']) => runs.follow(costBound === undefined ? {} : { costBound });

beforeEach(async () => {
  await rate('0.8');
  await bounded(undefined);
});

const sold = { amount: '100.00', amountSide: 'sell', sellCurrency: 'USD', buyCurrency: 'GBP' } as const;

async function anApprovedPayment(): Promise<string> {
  const { runId, paymentIds } = await runs.aRun(1, () => sold);
  await runs.decide(runs.chris, runId);
  return paymentIds[0] ?? '';
}

const move = (paymentId: string, to: 'quoted' | 'created', update: PaymentUpdate) =>
  transitionPayment(testDatabase.asWorker, { paymentId, to, kind: 'held', update });

const priced = (buy_amount: string, total_amount = '101.00'): PaymentUpdate => ({
  ...{ sell_amount: '100.00', buy_amount, total_amount, quote_id: `for ${buy_amount} and ${total_amount}` },
});

async function outcome(paymentId: string) {
  const { rows } = await testDatabase.database.query<{ state: string; code: string | null }>(
    'select state, error_code as code from payments where payment_id = $1',
    [paymentId],
  );
  return rows[0];
}

describe('the bound of what a payment may cost', () => {
  test('is stated by the reference rates, for each currency that is sold and each pair', async () => {
    const { runId } = await runs.aRun(2, (n) => (n === 1 ? sold : { ...sold, amountSide: 'buy', amount: '77.60' }));
    expect(await readCostBound(testDatabase.asServer, runId)).toEqual({
      ...{ feePercent: '20', rateBasisPoints: 300, totals: [{ currency: 'USD', most: '240.00' }] },
      rates: [{ sellCurrency: 'USD', buyCurrency: 'GBP', reference: '0.8', least: '0.776' }],
    });
  });

  test('is the same in the database and in sentences where the policy does not say', async () => {
    const { rows } = await testDatabase.database.query(
      `select fee_percent::float8 as "feePercent", rate_basis_points::int as "rateBasisPoints" from cost_bound('{}')`,
    );
    expect(rows).toEqual([COST_BOUND]);
  });

  test('is said to be none without a reference rate', async () => {
    const { runId } = await runs.aRun(1, () => ({ ...sold, amountSide: 'buy', buyCurrency: 'EUR' }));
    const { totals, rates } = await readCostBound(testDatabase.asServer, runId);
    expect([totals, rates]).toEqual([
      [{ currency: 'USD', most: null }],
      [{ sellCurrency: 'USD', buyCurrency: 'EUR', reference: null, least: null }],
    ]);
  });

  test('is needed for each pair where the policy sets it', async () => {
    await bounded({ rateBasisPoints: 100 });
    const { runId } = await runs.aRun(1, () => ({ ...sold, buyCurrency: 'EUR' }));
    await expect(runs.decide(runs.chris, runId)).rejects.toMatchObject(refusedWith('conflict'));
    expect((await runs.refusalsOf(runId)).map(({ why }) => why)).toEqual(['rate_missing']);
  });

  test('is part of what is approved: another policy, or another rate, has another content', async () => {
    const { runId } = await runs.aRun(1, () => sold);
    const hash = () => readContentHash(testDatabase.asServer, runId);
    const seen = await hash();
    await bounded({ rateBasisPoints: 500 });
    expect(await hash()).not.toBe(seen);
    await bounded(undefined);
    expect(await hash()).toBe(seen);
    await rate('0.79');
    await keepRatesOfRun(testDatabase.asWorker, runId);
    expect(await hash()).not.toBe(seen);
  });

  test('stays as it was approved', async () => {
    const paymentId = await anApprovedPayment();
    await bounded({ rateBasisPoints: 9_000 });
    await rate('0.7');
    const { runId } = await readPayment(testDatabase.database, paymentId);
    await keepRatesOfRun(testDatabase.asWorker, runId);
    const { rows } = await testDatabase.database.query('select reference_rates from runs where run_id = $1', [runId]);
    expect(rows).toEqual([{ reference_rates: { 'USD/GBP': 0.8 } }]);
    await move(paymentId, 'quoted', priced('77.59'));
    expect(await outcome(paymentId)).toEqual({ state: 'held', code: 'rate_beyond_limit' });
  });

  test('lets a row be sent that is at it', async () => {
    const paymentId = await anApprovedPayment();
    await move(paymentId, 'quoted', priced('77.60', '120.00'));
    expect(await outcome(paymentId)).toEqual({ state: 'quoted', code: null });
  });

  test('holds a row whose quote has a worse rate than was approved', async () => {
    const paymentId = await anApprovedPayment();
    await move(paymentId, 'quoted', priced('77.59'));
    expect(await outcome(paymentId)).toEqual({ state: 'held', code: 'rate_beyond_limit' });
  });

  test('holds a row whose quote has higher fees than were approved', async () => {
    const paymentId = await anApprovedPayment();
    await move(paymentId, 'quoted', priced('80.00', '120.01'));
    expect(await outcome(paymentId)).toEqual({ state: 'held', code: 'fees_beyond_limit' });
  });

  test('makes a payment unknown that is created at a worse rate', async () => {
    const paymentId = await anApprovedPayment();
    await move(paymentId, 'quoted', priced('79.00'));
    await move(paymentId, 'created', { ...priced('70.00'), provider_payment_id: `P-${paymentId}` });
    expect(await outcome(paymentId)).toEqual({ state: 'unknown', code: 'rate_beyond_limit' });
  });
});
