import { expect } from 'vitest';
import { type RewritingProxy, startRewritingProxy } from '../contract/rewriting-proxy.ts';
import { type PayrunUnderTest, startPayrun } from './payrun-under-test.ts';
import { expectPaidDespiteFaults } from './run-under-test.ts';

/** The effect of a request is visible after this time; payrun assumes that there is none only after a longer one. */
export const SHOWS_AFTER_MS = 500;
/** That of a creation: late enough to be missed by who looks at once, however busy the machine is. */
const FOUND_AFTER_MS = 1_000;
const VISIBILITY_DELAY_MS = 1_500;

/** What an answer may show of a payment. */
export interface Shown {
  simplePaymentId?: string;
  referenceId?: string;
  status?: string;
}

/**
 * At a provider that accepts a reference twice and charges twice: only the lookup prevents it. It shows what `asItShows` makes of
 * its answers.
 */
export async function startAtLateProvider(
  asItShows: (answer: unknown) => unknown,
): Promise<{ payrun: PayrunUnderTest; stop: () => Promise<void> }> {
  let proxy: RewritingProxy | null = null;
  const payrun = await startPayrun({
    sandbox: {
      duplicateReference: 'create',
      secondFunding: 'charge',
      findLagMs: FOUND_AFTER_MS,
      completionMinMs: 4_000,
      completionMaxMs: 5_000,
    },
    settings: { visibilityDelayMs: VISIBILITY_DELAY_MS },
    startProxy: async (sandboxUrl) => {
      proxy = await startRewritingProxy(sandboxUrl, { name: 'shows late', answer: asItShows });
      return proxy.url;
    },
  });
  return {
    payrun,
    stop: async () => {
      await payrun.stop();
      await proxy?.close();
    },
  };
}

export async function expectOnePaidOnce(payrun: PayrunUnderTest, runId: string): Promise<void> {
  expect((await expectPaidDespiteFaults(payrun, runId)).rows).toEqual({ paid: 1 });
}
