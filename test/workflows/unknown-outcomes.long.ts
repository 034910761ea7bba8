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

/** Answers that are lost at random, and to requests that move no money. The others: unknown-outcomes.services.ts. */

describe('a lost answer', () => {
  let payrun: PayrunUnderTest;

  beforeAll(async () => {
    payrun = await startPayrun();
  });
  afterEach(() => clearFaults(payrun.sandbox));
  afterAll(() => payrun.stop());

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

  test('a storage host that does not answer is replaced by another URL', async () => {
    const asked = (): number => payrun.sandbox.ledger().requests.byOperation['simple-payment-get-upload-url'] ?? 0;
    const before = asked();
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-upload-file', kind: 'reset_before', times: 3 });
    const files = [{ name: 'invoice.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.4') }];
    const runId = await beginRun(payrun, newRows(1, { supporting_files: 'invoice.pdf' }), { files });
    await expectPaidDespiteFaults(payrun, runId);
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
    await expectPaidDespiteFaults(payrun, runId);
    await expectAllFaultsApplied(payrun.sandbox);
  });
});
