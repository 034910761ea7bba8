import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FaultKind } from '../../sandbox/faults/fault-kinds.ts';
import {
  countRequests,
  expectConvertedOnce,
  findOrder,
  follow,
  NO_APPROVALS,
  placeOrder,
  setConversionPolicy,
  untilOrder,
} from '../helpers/conversions-under-test.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, expectAllFaultsApplied, orderFaults } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/**
 * A conversion whose fund call gets no answer, with a provider that debits every call: a number of seeds, half of them while a payment
 * of exactly the same total is on its way. If the call had no effect and the payment is debited after it, only people can say that
 * the debit is the payment's: two of them have the conversion funded again.
 */

const SEEDS = Number(process.env.CONVERSION_SEEDS ?? 5);
const AT_ONCE = 5;
const PAIRS = ['EUR', 'GBP', 'SGD', 'AUD', 'CAD'];
const KINDS: readonly FaultKind[] = [
  ...(['error_after', 'reset_after', 'cut_after', 'empty_after', 'not_json_after', 'garbled_after'] as const),
  ...(['error_before', 'reset_before', 'error_html_before', 'error_html_after'] as const),
];

let payrun: PayrunUnderTest;
let treasurer: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({ sandbox: { secondFunding: 'charge', duplicateReference: 'create' } });
  treasurer = await aUser(payrun.testDatabase, 'Tessa Treasurer', 'treasurer');
  await setConversionPolicy(payrun, NO_APPROVALS);
  await follow(payrun, 'USD', '4000000.00');
});
afterAll(() => payrun.stop());

/**
 * Waits until the order is funded, or until its request had no effect and the debit of the paid payment came after it: then people
 * are notified after a day, and have it funded again.
 */
async function haveFundedIfContested(orderId: string): Promise<void> {
  const { application, database, checker } = payrun;
  const paidAtMs = Date.now();
  const looks = new Set<number>();
  const contested = await until(async () => {
    const { state, fundingEvidence } = await findOrder(payrun, orderId);
    if (['funded', 'completed', 'settled'].includes(state)) return 'no';
    const readAtMs = Date.parse(fundingEvidence?.readAt ?? '');
    if (state === 'funding' && fundingEvidence?.debit === 'contested' && readAtMs > paidAtMs) looks.add(readAtMs);
    // Of the first look, some was read before the request perhaps.
    return looks.size >= 2 && 'yes';
  });
  if (contested === 'no') return;
  await bypassTriggers(
    database,
    `update conversion_requests set begun_at = begun_at - interval '25 hours', answered_at = answered_at - interval '25 hours'
     where order_id = $1 and operation = 'fund'`,
    [orderId],
  );
  await untilOrder(payrun, orderId, 'unknown');
  const proposed = { outcome: 'fund_again', reason: 'the debit is that of the payment' } as const;
  const { manualOutcomes } = await application.proposeOrderManualOutcome(treasurer, orderId, proposed);
  await application.confirmOrderManualOutcome(checker, orderId, {
    manualOutcomeId: manualOutcomes.at(-1)?.manualOutcomeId ?? '',
  });
}

/** Totals that no other seed has: 1,004.00 for the first, both as a payment and as a conversion. */
const amountsOf = (seed: number) => ({ payment: `${1000 + 4 * seed}.00`, conversion: `${1001 + 4 * seed}.50` });

test.each(Array.from({ length: SEEDS / AT_ONCE }, (_, batch) => batch))(
  'a lost answer is funded once: seeds of batch %i',
  async (batch) => {
    const seeds = Array.from({ length: AT_ONCE }, (_, index) => batch * AT_ONCE + index);
    const faults = seeds.map((seed, at) => ({
      operation: 'conversion-fund',
      kind: KINDS[(seed * 7 + batch) % KINDS.length] ?? 'reset_after',
      nth: at + 1,
    }));
    await orderFaults(payrun.sandbox, ...faults);
    const debited = Number(payrun.sandbox.ledger().balances['USD']);
    const withPayments = seeds.filter((seed) => seed % 2 === 0);
    const placed = await Promise.all(
      seeds.map(async (seed, at) => {
        const run = withPayments.includes(seed)
          ? beginRun(payrun, newRows(1, { amount: amountsOf(seed).payment }))
          : Promise.resolve(null);
        const order = placeOrder(payrun, treasurer, {
          buyCurrency: PAIRS[at] ?? 'EUR',
          amount: amountsOf(seed).conversion,
        });
        return { seed, runId: await run, orderId: (await order).orderId };
      }),
    );
    for (const { seed, runId, orderId } of placed) {
      if (runId !== null) {
        await untilPaid(payrun, runId);
        await haveFundedIfContested(orderId);
      }
      const order = await untilOrder(payrun, orderId, 'settled');
      expect(order.requests.filter(({ outcome }) => outcome === null)).toEqual([]);
      expect([seed, countRequests(order, 'fund') <= 2, countRequests(order, 'create')]).toEqual([seed, true, 1]);
    }
    await expectAllFaultsApplied(payrun.sandbox);
    await clearFaults(payrun.sandbox);
    expectConvertedOnce(payrun);
    // Each conversion, and each payment, has left the balance once.
    const totals = seeds.map((seed) => 1004 + 4.01 * seed);
    const expected =
      totals.reduce((sum, total) => sum + total, 0) +
      totals.filter((_, at) => withPayments.includes(seeds[at] ?? -1)).reduce((sum, total) => sum + total, 0);
    expect(debited - Number(payrun.sandbox.ledger().balances['USD'])).toBeCloseTo(expected, 2);
  },
  120_000,
);
