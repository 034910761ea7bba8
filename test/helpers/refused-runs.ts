import { expect } from 'vitest';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';
import { runOf } from './run-under-test.ts';
import { paymentsAt } from './sandbox-control.ts';
import { until } from './until.ts';

/** Runs whose rows the provider refuses with the same answer. */

export const refusing = (operation: 'quote' | 'create', status = 422) =>
  ({ operation: `simple-payment-${operation}`, kind: 'error_before', status, every: 1 }) as const;

export const untilRejected = (payrun: PayrunUnderTest, runId: string, rows: number): Promise<boolean> =>
  until(async () => ((await runOf(payrun, runId)).rows.rejected ?? 0) >= rows);

/** What the provider has of a run: each paid row once, and nothing of the others. */
export async function expectOnlyThesePaid(
  { application, sandbox }: PayrunUnderTest,
  runId: string,
  paid: number,
): Promise<void> {
  const rows = await application.listRows(runId, { limit: 1_000, afterLine: 0, state: null });
  const references = new Map(rows.map((row) => [referenceIdOf(row.paymentId, row.attempt), row.state]));
  const there = (await paymentsAt(sandbox)).filter(({ referenceId }) => references.has(referenceId ?? ''));
  expect(there).toHaveLength(paid);
  for (const { referenceId, timesFunded, status } of there) {
    expect({ timesFunded, status, state: references.get(referenceId ?? '') }).toEqual({
      ...{ timesFunded: 1, status: 'completed', state: 'paid' },
    });
  }
  expect(sandbox.ledger()).toMatchObject({ createdMoreThanOnce: [], fundedMoreThanOnce: [], invariantHolds: true });
}
