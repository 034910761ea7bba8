import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
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

describe('a lost answer', () => {
  let payrun: PayrunUnderTest;

  beforeAll(async () => {
    payrun = await startPayrun();
  });
  afterEach(() => clearFaults(payrun.sandbox));
  afterAll(() => payrun.stop());

  async function expectAllPaidOnce(runId: string): Promise<void> {
    const run = await untilPaid(payrun, runId);
    expect(run.state).toBe('completed');
    await expectAllFaultsApplied(payrun.sandbox);
    await expectPaidOnce(payrun, runId);
  }

  test.each(['simple-payment-create', 'simple-payment-fund'])(
    'to %s, for any reason: every row is paid, and only once',
    async (operation) => {
      // Each request meets the next fault, so a repeated one may meet another.
      const orders = KINDS.map((kind) => ({
        operation,
        kind,
        ...(kind.startsWith('slow') ? { delayMs: TOO_SLOW_MS } : {}),
      }));
      await orderFaults(payrun.sandbox, ...orders);
      await expectAllPaidOnce(await beginRun(payrun, newRows(KINDS.length)));
    },
  );

  test('may be followed by a failing look-up', async () => {
    await orderFaults(
      payrun.sandbox,
      { operation: 'simple-payment-create', kind: 'error_after' },
      { operation: 'simple-payment-find', kind: 'reset_before' },
      { operation: 'simple-payment-fund', kind: 'reset_after' },
      { operation: 'simple-payment-get', kind: 'error_before' },
    );
    await expectAllPaidOnce(await beginRun(payrun, newRows(1)));
  });

  test('a beneficiary whose create request had a lost answer is looked up, not created again', async () => {
    const created = (): number => payrun.sandbox.ledger().requests.byOperation['beneficiary-create'] ?? 0;
    const createdBefore = created();
    await orderFaults(payrun.sandbox, { operation: 'beneficiary-create', kind: 'error_after' });
    await expectAllPaidOnce(await beginRun(payrun, newRows(1)));
    expect(created() - createdBefore).toBe(1);
  });

  test('twenty rows with every fault at once are paid, and only once', async () => {
    const operations = ['simple-payment-create', 'simple-payment-fund', 'simple-payment-find', 'beneficiary-create'];
    const kinds = ['error_before', 'error_after', 'reset_before', 'reset_after', 'garbled_after'] as const;
    await orderFaults(
      payrun.sandbox,
      ...operations.flatMap((operation) => kinds.map((kind) => ({ operation, kind, probability: 0.08, times: 2 }))),
    );
    const runId = await beginRun(payrun, newRows(20));
    const run = await untilPaid(payrun, runId);
    expect(run.rows).toEqual({ paid: 20 });
    expect((await faultsOf(payrun.sandbox)).filter(({ injected }) => injected > 0).length).toBeGreaterThan(3);
    await expectPaidOnce(payrun, runId);
  });

  test('a quote that has expired at the provider is replaced by a new one', async () => {
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-quote', kind: 'slow_after', delayMs: 500 });
    const runId = await beginRun(payrun, newRows(1));
    // While the quote is on its way to us, the provider's clock moves past its expiry.
    await until(async () => (await faultsOf(payrun.sandbox)).every(({ injected }) => injected === 1));
    payrun.sandbox.advance(QUARTER_HOUR_MS);
    await expectAllPaidOnce(runId);
    const { rows } = await payrun.database.query<{ outcome: string }>(
      `select outcome from provider_requests join payments using (payment_id)
       where run_id = $1 and operation = 'create' order by begun_at`,
      [runId],
    );
    // A refusal whose text does not mention the quote is looked up first.
    const [first, ...more] = rows.map(({ outcome }) => outcome);
    expect(['refused', 'had_no_effect']).toContain(first);
    expect(more).toEqual(['took_effect']);
  });

  test('a storage host that does not answer is replaced by another URL', async () => {
    const asked = (): number => payrun.sandbox.ledger().requests.byOperation['simple-payment-get-upload-url'] ?? 0;
    const before = asked();
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-upload-file', kind: 'reset_before', times: 3 });
    const files = [{ name: 'invoice.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.4') }];
    const runId = await beginRun(payrun, newRows(1, { supporting_files: 'invoice.pdf' }), { files });
    await expectAllPaidOnce(runId);
    await expectAllFaultsApplied(payrun.sandbox);
    expect(asked()).toBe(before + 2);
  });

  test('a list of beneficiaries that cannot be read does not keep rows from being paid', async () => {
    await orderFaults(
      payrun.sandbox,
      { operation: 'beneficiary-create', kind: 'reset_after' },
      { operation: 'beneficiary-find', kind: 'garbled_after', times: 1_000 },
    );
    const runId = await beginRun(payrun, newRows(1));
    await expectAllPaidOnce(runId);
    await expectAllFaultsApplied(payrun.sandbox);
  });

  test('a token that is revoked early is renewed automatically', async () => {
    payrun.sandbox.advance(NINE_HOURS_MS);
    const runId = await beginRun(payrun, newRows(3));
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
    const runId = await beginRun(payrun, newRows(4));
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 4 });
    await expectAllFaultsApplied(payrun.sandbox);
    await expectPaidOnce(payrun, runId);
  });

  test('a payment that a look-up does not show yet is not created twice: its reference is taken', async () => {
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
