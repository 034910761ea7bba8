import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { expectOnePaidOnce, type Shown, SHOWS_AFTER_MS, startAtLateProvider } from '../helpers/late-provider.ts';
import type { PayrunUnderTest } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows } from '../helpers/run-under-test.ts';
import { clearFaults, faultsOf, orderFaults, STATUSES_IN_PROGRESS } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

/** Finds that return other payments: second-tries.long.ts. */

let payrun: PayrunUnderTest;
let stop: () => Promise<void>;
/** When the funding of a payment becomes visible, in milliseconds since the epoch. */
let showsFromMs = 0;

function asItShows(answer: unknown): unknown {
  const { data } = answer as { data?: Shown | Shown[] };
  const isFunded = data !== undefined && !Array.isArray(data) && STATUSES_IN_PROGRESS.includes(data.status ?? '');
  const isHidden = isFunded && Date.now() < showsFromMs;
  return isHidden ? { ...(answer as object), data: { ...data, status: 'awaiting_funds' } } : answer;
}

beforeAll(async () => {
  ({ payrun, stop } = await startAtLateProvider(asItShows));
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => stop());

describe('nothing is sent again before it is visible that the first request had no effect', () => {
  test('a creation that becomes visible late is not repeated', async () => {
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-create', kind: 'reset_after' });
    await expectOnePaidOnce(payrun, await beginRun(payrun, newRows(1)));
  });

  test('a funding that becomes visible late is not repeated', async () => {
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-fund', kind: 'reset_after' });
    showsFromMs = Number.MAX_SAFE_INTEGER;
    const runId = await beginRun(payrun, newRows(1));
    await until(async () => (await faultsOf(payrun.sandbox)).every(({ injected }) => injected === 1));
    showsFromMs = Date.now() + SHOWS_AFTER_MS;
    await expectOnePaidOnce(payrun, runId);
  });
});
