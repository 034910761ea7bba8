import { expect } from 'vitest';
import type { RunSummary } from '../../api/runs/run.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';
import { paymentsAt } from './sandbox-control.ts';
import { until } from './until.ts';

/** Runs whose rows the provider refuses with the same answer. */

export const refusing = (operation: 'quote' | 'create', status = 422) =>
  ({ operation: `simple-payment-${operation}`, kind: 'error_before', status, every: 1 }) as const;

export async function runOf({ application }: PayrunUnderTest, runId: string): Promise<RunSummary> {
  const run = await application.findRun(runId);
  if (run === null) throw new Error('there is no such run');
  return run;
}

export const untilRejected = (payrun: PayrunUnderTest, runId: string, rows: number): Promise<boolean> =>
  until(async () => ((await runOf(payrun, runId)).rows.rejected ?? 0) >= rows);

/** Two people let the run go on. */
export async function lift({ application, maker, checker }: PayrunUnderTest, { stops }: RunSummary): Promise<void> {
  const stopId = stops[0]?.stopId ?? '';
  expect(await application.liftStop(maker, stopId)).toMatchObject({ state: 'lift_requested' });
  expect(await application.liftStop(checker, stopId)).toMatchObject({ state: 'lifted' });
}

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
