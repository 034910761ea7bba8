import { expect } from 'vitest';
import type { RunSummary } from '../../api/runs/run.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';
import { untilPaid } from './run-under-test.ts';
import { expectAllFaultsApplied, expectPaidOnce } from './sandbox-control.ts';

/** Waits for the end of the run, and returns it: every row is paid once, although each of the injected faults was applied. */
export async function expectPaidDespiteFaults(payrun: PayrunUnderTest, runId: string): Promise<RunSummary> {
  const run = await untilPaid(payrun, runId);
  expect(run.state).toBe('completed');
  await expectAllFaultsApplied(payrun.sandbox);
  await expectPaidOnce(payrun, runId);
  return run;
}
