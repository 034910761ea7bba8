import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, expectPaidDespiteFaults, newRows, untilPaid } from '../helpers/run-under-test.ts';
import {
  clearFaults,
  expectAllFaultsApplied,
  expectPaidOnce,
  faultsOf,
  orderFaults,
} from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

/** Faults before and after the effect, with an error, an unreadable answer or no answer. */
const KINDS = [
  'error_before',
  'error_after',
  'reset_before',
  'reset_after',
  'garbled_after',
  'slow',
  'slow_after',
  'rate_limited',
] as const;

/** Longer than the request timeout in these tests, so that the answer is lost. */
const TOO_SLOW_MS = 2_400;
const QUARTER_HOUR_MS = 15 * 60_000;
const NINE_HOURS_MS = 9 * 3_600_000;

/** More: unknown-outcomes.long.ts. */
describe('a lost answer', () => {
  let payrun: PayrunUnderTest;

  beforeAll(async () => {
    payrun = await startPayrun();
  });
  afterEach(() => clearFaults(payrun.sandbox));
  afterAll(() => payrun.stop());

  test('to a creation or a funding, for any reason: every row is paid, and only once', async () => {
    // Each request meets the next fault of its operation, so a repeated one may meet another.
    const orders = KINDS.flatMap((kind) => {
      const delays = kind.startsWith('slow') ? { delayMs: TOO_SLOW_MS } : {};
      return (['simple-payment-create', 'simple-payment-fund'] as const).map((operation) => ({
        operation,
        kind,
        ...delays,
      }));
    });
    await orderFaults(payrun.sandbox, ...orders);
    await expectPaidDespiteFaults(payrun, await beginRun(payrun, newRows(KINDS.length)));
  });

  test('may be followed by a failing lookup', async () => {
    await orderFaults(
      payrun.sandbox,
      { operation: 'simple-payment-create', kind: 'error_after' },
      { operation: 'simple-payment-find', kind: 'reset_before' },
      { operation: 'simple-payment-fund', kind: 'reset_after' },
      { operation: 'simple-payment-get', kind: 'error_before' },
    );
    await expectPaidDespiteFaults(payrun, await beginRun(payrun, newRows(1)));
  });

  test('a beneficiary whose create request had a lost answer is looked up, not created again', async () => {
    const created = (): number => payrun.sandbox.ledger().requests.byOperation['beneficiary-create'] ?? 0;
    const createdBefore = created();
    await orderFaults(payrun.sandbox, { operation: 'beneficiary-create', kind: 'error_after' });
    await expectPaidDespiteFaults(payrun, await beginRun(payrun, newRows(1)));
    expect(created() - createdBefore).toBe(1);
  });

  test('a quote that has expired at the provider is replaced by a new one', async () => {
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-quote', kind: 'slow_after', delayMs: 500 });
    const runId = await beginRun(payrun, newRows(1));
    // While the quote is on its way to us, the provider's clock moves past its expiry.
    await until(async () => (await faultsOf(payrun.sandbox)).every(({ injected }) => injected === 1));
    payrun.sandbox.advance(QUARTER_HOUR_MS);
    await expectPaidDespiteFaults(payrun, runId);
    const { rows } = await payrun.database.query<{ outcome: string }>(
      `select outcome from provider_requests join payments using (payment_id)
       where run_id = $1 and operation = 'create' order by begun_at`,
      [runId],
    );
    // A refusal whose text does not mention the quote is looked up first.
    const [first, ...more] = rows.map(({ outcome }) => outcome);
    expect(['refused', 'not_seen']).toContain(first);
    expect(more).toEqual(['took_effect']);
  });

  test('a token that is revoked early is renewed automatically', async () => {
    payrun.sandbox.advance(NINE_HOURS_MS);
    const runId = await beginRun(payrun, newRows(1));
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });
});

describe('a provider with short-lived quotes and tokens', () => {
  let payrun: PayrunUnderTest;

  beforeAll(async () => {
    payrun = await startPayrun({ sandbox: { quoteTtlMs: 1_000, tokenTtlMs: 700, findLagMs: 1_500 } });
  });
  afterEach(() => clearFaults(payrun.sandbox));
  afterAll(() => payrun.stop());

  test('does not keep a run from ending: quotes of a second, tokens of less', async () => {
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-quote', kind: 'slow_after', delayMs: 1_200 });
    const runId = await beginRun(payrun, newRows(2));
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 2 });
    await expectAllFaultsApplied(payrun.sandbox);
    await expectPaidOnce(payrun, runId);
  });

  test('a payment that a lookup does not show yet is not created twice: its reference is taken', async () => {
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-create', kind: 'error_after' });
    const runId = await beginRun(payrun, newRows(1));
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
    const { rows } = await payrun.database.query(
      `select from provider_requests join payments using (payment_id)
       where run_id = $1 and operation = 'create' and answer = 'duplicate_reference'`,
      [runId],
    );
    expect(rows.length).toBeGreaterThan(0);
  });
});
