import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { OrderDetail } from '../../api/treasury/order.ts';
import { HISTORY_SETTINGS } from '../../domain/accounts/history-schedule.ts';
import type { FaultKind } from '../../sandbox/faults/fault-kinds.ts';
import {
  expectConvertedOnce,
  findOrder,
  NO_APPROVALS,
  placeOrder,
  setConversionPolicy,
  untilOrder,
} from './conversions-under-test.ts';
import { type PayrunOptions, type PayrunUnderTest, startPayrun } from './payrun-under-test.ts';
import { clearFaults, expectAllFaultsApplied, orderEach } from './sandbox-control.ts';
import { until } from './until.ts';
import { aUser, type TestUser } from './users.ts';

const BEFORE: readonly FaultKind[] = ['error_before', 'error_html_before', 'reset_before', 'rate_limited', 'slow'];
const AFTER: readonly FaultKind[] = ['error_after', 'reset_after', 'cut_after', 'not_json_after', 'empty_after'];
const PAIRS = ['EUR', 'GBP', 'SGD', 'JPY', 'AUD', 'CAD', 'CHF', 'HKD', 'NZD', 'IDR'];

export interface HardConversions {
  payrun: PayrunUnderTest;
  treasurer: TestUser;
}

/** Has the tests of this file convert at such a provider. */
export function convertAt(options: PayrunOptions): () => HardConversions {
  let started: HardConversions;
  beforeAll(async () => {
    const payrun = await startPayrun(options);
    started = { payrun, treasurer: await aUser(payrun.testDatabase, 'Tessa Treasurer', 'treasurer') };
  });
  beforeEach(() => setConversionPolicy(started.payrun, NO_APPROVALS));
  afterEach(() => clearFaults(started.payrun.sandbox));
  afterAll(() => started.payrun.stop());
  return () => started;
}

/** At the hardest provider: it takes a reference twice, and funds twice. */
export const convertAtHardProvider = () =>
  convertAt({ sandbox: { duplicateReference: 'create', secondFunding: 'charge' } });

/** Ten orders at once, each with another fault of the operation, are settled, and nothing is created or funded twice. */
export async function expectSettledWhatever({ payrun, treasurer }: HardConversions, operation: string): Promise<void> {
  await orderEach(payrun.sandbox, operation, [...BEFORE, ...AFTER]);
  const orders = await Promise.all(PAIRS.map((buyCurrency) => placeOrder(payrun, treasurer, { buyCurrency })));
  for (const { orderId } of orders) await untilOrder(payrun, orderId, 'settled');
  await expectAllFaultsApplied(payrun.sandbox);
  expectConvertedOnce(payrun);
}

const HAS_REACHED = {
  quoted: ({ quote }: OrderDetail) => quote !== null,
  created: ({ conversionId }: OrderDetail) => conversionId !== null,
  funded: ({ fundedAt }: OrderDetail) => fundedAt !== null,
};

/** An order whose workers are restarted once it has got so far is settled, and nothing is created or funded twice. */
export async function expectSettledAfterRestart(
  { payrun, treasurer }: HardConversions,
  stage: keyof typeof HAS_REACHED,
): Promise<void> {
  const { orderId } = await placeOrder(payrun, treasurer, { buyCurrency: 'GBP' });
  await until(async () => HAS_REACHED[stage](await findOrder(payrun, orderId)));
  await payrun.restartWorkers();
  await untilOrder(payrun, orderId, 'settled');
  expectConvertedOnce(payrun);
}

/** Has the tests of this file convert several currencies at a provider that debits every call, whose history is read often. */
export const convertAtChargingProvider = () =>
  convertAt({
    sandbox: { secondFunding: 'charge' },
    settings: { history: { ...HISTORY_SETTINGS, waitingEveryMs: 1_000, quietMs: 200 } },
  });

/** Two people have the order resolved. */
export async function resolveOrder(
  { payrun, treasurer }: HardConversions,
  orderId: string,
  outcome: 'fund_again' | 'funded' | 'lapsed',
): Promise<void> {
  const { application, checker } = payrun;
  const { manualOutcomes } = await application.proposeOrderManualOutcome(treasurer, orderId, { outcome, reason: 'x' });
  const manualOutcomeId = manualOutcomes.at(-1)?.manualOutcomeId ?? '';
  await application.confirmOrderManualOutcome(checker, orderId, { manualOutcomeId });
}
