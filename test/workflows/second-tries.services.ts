import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RewritingProxy, startRewritingProxy } from '../contract/rewriting-proxy.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import {
  clearFaults,
  expectAllStruck,
  expectPaidOnce,
  faultsOf,
  orderFaults,
  STATUSES_ON_THE_WAY,
} from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

/** What a request did shows after this, and payrun believes that it did nothing only after that. */
const SHOWS_AFTER_MS = 500;
const VISIBILITY_DELAY_MS = 1_500;

/** A provider that creates under a reference again, and charges again, whoever asks: nothing but the look-up prevents it. */
let payrun: PayrunUnderTest;
let proxy: RewritingProxy;
/** Of the finds of one payment, so many still show another one in its place. */
let othersShown = 0;
/** From when on it shows that a payment was funded, in milliseconds since the epoch. */
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
  const isFunded = data !== undefined && !Array.isArray(data) && STATUSES_ON_THE_WAY.includes(data.status ?? '');
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
    wayTo: async (sandboxUrl) => {
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
  await expectAllStruck(payrun.sandbox);
  await expectPaidOnce(payrun, runId);
}

describe('nothing is sent a second time before it could be seen that the first one did nothing', () => {
  test('a creation that shows late is not made again', async () => {
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-create', kind: 'reset_after' });
    await expectOnePaidOnce(await beginRun(payrun, newRows(1)));
  });

  test('a funding that shows late is not charged again', async () => {
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-fund', kind: 'reset_after' });
    showsFromMs = Number.MAX_SAFE_INTEGER;
    const runId = await beginRun(payrun, newRows(1));
    await until(async () => (await faultsOf(payrun.sandbox)).every(({ struck }) => struck === 1));
    showsFromMs = Date.now() + SHOWS_AFTER_MS;
    await expectOnePaidOnce(runId);
  });

  test('a creation is not made again while finds show the payments of others alone', async () => {
    othersShown = 1;
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-create', kind: 'reset_after' });
    await expectOnePaidOnce(await beginRun(payrun, newRows(1)));
    expect(othersShown).toBe(0);
  });
});
