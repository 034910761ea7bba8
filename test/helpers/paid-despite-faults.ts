import { expect } from 'vitest';
import type { PayrunUnderTest } from './payrun-under-test.ts';
import { untilPaid } from './run-under-test.ts';
import { expectAllFaultsApplied, expectPaidOnce } from './sandbox-control.ts';

/** Waits until the run has ended: every row is paid once, although each of the injected faults was applied. */
export async function expectPaidDespiteFaults(payrun: PayrunUnderTest, runId: string): Promise<void> {
  expect((await untilPaid(payrun, runId)).state).toBe('completed');
  await expectAllFaultsApplied(payrun.sandbox);
  await expectPaidOnce(payrun, runId);
}
