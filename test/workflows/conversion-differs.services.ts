import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conversionWorkflowId } from '../../domain/identifiers.ts';
import { startAnswerProxy } from '../helpers/answer-proxy.ts';
import {
  expectConvertedOnce,
  findOrder,
  follow,
  NO_APPROVALS,
  placeOrder,
  setConversionPolicy,
  untilOrder,
} from '../helpers/conversions-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** A provider that creates a conversion with other amounts than it has quoted. */

function fundingsOf({ sandbox }: PayrunUnderTest): number {
  return sandbox.ledger().requests.byOperation['conversion-fund'] ?? 0;
}

describe('a conversion with other amounts or another status than its quote says', () => {
  let altered: PayrunUnderTest;
  let other: TestUser;
  /** Changes what the provider shows of a conversion. */
  let change: (conversion: Record<string, unknown>) => void = () => undefined;

  beforeAll(async () => {
    const changed = (body: string): string => {
      if (!body.includes('"conversionId"')) return body;
      const answer = JSON.parse(body) as { data?: Record<string, unknown> };
      if (answer.data?.['conversionId'] !== undefined) change(answer.data);
      return JSON.stringify(answer);
    };
    altered = await startPayrun({
      sandbox: { secondFunding: 'charge' },
      startProxy: async (url) => (await startAnswerProxy(url, changed)).url,
    });
    other = await aUser(altered.testDatabase, 'Tessa Treasurer', 'treasurer');
    await setConversionPolicy(altered, NO_APPROVALS);
    await follow(altered, 'USD', '100000.00');
  });
  afterAll(() => altered.stop());

  async function heldOrder(buyCurrency: string): Promise<string> {
    change = (conversion) => {
      conversion['totalAmount'] = 1003.5;
    };
    const { orderId } = await placeOrder(altered, other, { buyCurrency });
    await untilOrder(altered, orderId, 'held');
    return orderId;
  }

  async function committedTo(orderId: string): Promise<unknown> {
    const { rows } = await altered.database.query<{ amount: number }>(
      `select amount::float8 from ledger_balances where ledger_account = 'conversion/' || $1::text`,
      [orderId],
    );
    return rows[0]?.amount;
  }

  test('whose creation is answered with a status that nobody knows is looked up before it is funded', async () => {
    let answers = 0;
    change = (conversion) => {
      answers += 1;
      if (answers === 1) conversion['status'] = 'under_a_stone';
    };
    const { orderId } = await placeOrder(altered, other, { buyCurrency: 'SGD' });
    await untilOrder(altered, orderId, 'settled');
    expect(altered.sandbox.ledger().requests.byOperation['conversion-find']).toBe(1);
    expectConvertedOnce(altered);
  });

  test('is held, its money stays committed, and nothing is funded', async () => {
    const fundings = fundingsOf(altered);
    const orderId = await heldOrder('HKD');
    expect(await findOrder(altered, orderId)).toMatchObject({
      stateReason: 'created_differs',
      quote: { totalAmount: '1002.50' },
      providerAmounts: { totalAmount: '1003.5' },
    });
    expect(fundingsOf(altered)).toBe(fundings);
    expect(await committedTo(orderId)).toBe(1002.5);
  });

  test('is funded when two people accept it', async () => {
    const fundings = fundingsOf(altered);
    const orderId = await heldOrder('EUR');
    const { manualOutcomes } = await altered.application.proposeOrderManualOutcome(other, orderId, {
      outcome: 'fund_again',
      reason: 'the provider has explained it',
    });
    const manualOutcomeId = manualOutcomes[0]?.manualOutcomeId ?? '';
    const own = altered.application.confirmOrderManualOutcome(other, orderId, { manualOutcomeId });
    await expect(own).rejects.toMatchObject({ code: 'not_allowed' });
    expect(fundingsOf(altered)).toBe(fundings);
    await altered.application.confirmOrderManualOutcome(altered.checker, orderId, { manualOutcomeId });
    await untilOrder(altered, orderId, 'settled');
    expect(fundingsOf(altered)).toBe(fundings + 1);
    expectConvertedOnce(altered);
  });

  test('lapses when its cut-off has passed, and its money is free again', async () => {
    const orderId = await heldOrder('NZD');
    await altered.database.query('update conversion_orders set funding_cutoff_at = now() where order_id = $1', [
      orderId,
    ]);
    change = (conversion) => {
      conversion['fundingCutoffTime'] = new Date(Date.now() - 60_000).toISOString();
    };
    await altered.temporal.workflow.getHandle(conversionWorkflowId(orderId)).signal('conversionChanged');
    expect(await untilOrder(altered, orderId, 'lapsed')).toMatchObject({ stateReason: 'cutoff_passed' });
    expect(await committedTo(orderId)).toBe(0);
  });
});
