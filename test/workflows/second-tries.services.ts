import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RewritingProxy, startRewritingProxy } from '../contract/rewriting-proxy.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import {
  clearFaults,
  expectAllFaultsApplied,
  expectPaidOnce,
  faultsOf,
  orderFaults,
  STATUSES_IN_PROGRESS,
} from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

/** The effect of a request is visible after this time; payrun assumes that there is none only after a longer one. */
const SHOWS_AFTER_MS = 500;
const VISIBILITY_DELAY_MS = 1_500;

/** A provider that accepts a reference twice and charges twice: only the look-up prevents it. */
let payrun: PayrunUnderTest;
let proxy: RewritingProxy;
/** The number of finds of one payment that still return another one. */
let othersShown = 0;
/** When the funding of a payment becomes visible, in milliseconds since the epoch. */
let showsFromMs = 0;

interface Shown {
  simplePaymentId?: string;
  referenceId?: string;
  status?: string;
}

function asItShows(answer: unknown): unknown {
  const { data } = answer as { data?: Shown | Shown[] };
  if (Array.isArray(data) && data.length === 1 && data[0]?.simplePaymentId !== undefined && othersShown > 0) {
    othersShown -= 1;
    return { ...(answer as object), data: [{ ...data[0], simplePaymentId: 'another', referenceId: 'another-1' }] };
  }
  const isFunded = data !== undefined && !Array.isArray(data) && STATUSES_IN_PROGRESS.includes(data.status ?? '');
  const isHidden = isFunded && Date.now() < showsFromMs;
  return isHidden ? { ...(answer as object), data: { ...data, status: 'awaiting_funds' } } : answer;
}

beforeAll(async () => {
  payrun = await startPayrun({
    sandbox: {
      duplicateReference: 'create',
      secondFunding: 'charge',
      findLagMs: SHOWS_AFTER_MS,
      completionMinMs: 4_000,
      completionMaxMs: 5_000,
    },
    settings: { visibilityDelayMs: VISIBILITY_DELAY_MS },
    startProxy: async (sandboxUrl) => {
      proxy = await startRewritingProxy(sandboxUrl, { name: 'shows late', answer: asItShows });
      return proxy.url;
    },
  });
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(async () => {
  await payrun.stop();
  await proxy.close();
});

async function expectOnePaidOnce(runId: string): Promise<void> {
  expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 1 });
  await expectAllFaultsApplied(payrun.sandbox);
  await expectPaidOnce(payrun, runId);
}

describe('nothing is sent again before it is visible that the first request had no effect', () => {
  test('a creation that becomes visible late is not repeated', async () => {
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-create', kind: 'reset_after' });
    await expectOnePaidOnce(await beginRun(payrun, newRows(1)));
  });

  test('a funding that becomes visible late is not repeated', async () => {
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-fund', kind: 'reset_after' });
    showsFromMs = Number.MAX_SAFE_INTEGER;
    const runId = await beginRun(payrun, newRows(1));
    await until(async () => (await faultsOf(payrun.sandbox)).every(({ injected }) => injected === 1));
    showsFromMs = Date.now() + SHOWS_AFTER_MS;
    await expectOnePaidOnce(runId);
  });

  test('a creation is not repeated while finds return only other payments', async () => {
    othersShown = 1;
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-create', kind: 'reset_after' });
    await expectOnePaidOnce(await beginRun(payrun, newRows(1)));
    expect(othersShown).toBe(0);
  });
});
