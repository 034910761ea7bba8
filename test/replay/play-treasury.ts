import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { PayrunClient } from '../../client/sdk/index.ts';
import {
  conversionWorkflowId,
  DEFAULT_ACCOUNT,
  moneyWatchWorkflowId,
  occurrenceWorkflowId,
} from '../../domain/identifiers.ts';
import { FIXED_AMOUNT } from '../domain/treasury-schedules.ts';
import { confirmedScheduleOverHttp } from '../helpers/decide-over-http.ts';
import { decideOrder, orderOf, placedOrder } from '../helpers/orders-over-http.ts';
import { everyDayNow } from '../helpers/schedules-under-test.ts';
import { type StackUnderTest } from '../helpers/stack-under-test.ts';
import { until } from '../helpers/until.ts';
import { newestCompleted, type Recording } from './recording.ts';

/** The day of so long ago ended at least six hours ago, whatever the time is: books are made only of such a day. */
const BEHIND_MS = 30 * 3_600_000;

/** What becomes of orders, a schedule and a day of the books. */
export const TREASURY: Recording = {
  // Money comes in on that day: books are made only when something is recorded for it.
  sandboxArguments: ['--clock-behind-ms', String(BEHIND_MS)],
  play: playTreasury,
};

async function playTreasury(stack: StackUnderTest, temporal: Client): Promise<Record<string, string>> {
  const { treasurer } = stack;
  await stack.control('balance', { currency: 'USD', amount: '1.00' });
  await stack.control('balance', { currency: 'USD', amount: '90000.00' });
  const day = new Date(Date.now() - BEHIND_MS).toISOString().slice(0, 10);
  await stack.control('clock', { advanceMs: BEHIND_MS });
  await until(async () => {
    const [account] = (await stack.maker.listBalances()).accounts;
    return account?.balances.some(({ currency, free }) => currency === 'USD' && Number(free) === 90_000) === true;
  });
  await treasurer.dryRunOrder(orderOf('EUR'));
  const settled = await approvedOrder(stack, treasurer, 'EUR', 'settled');
  await stack.control('faults', [{ operation: 'conversion-fund', kind: 'reset_after' }]);
  await stack.control('faults', [{ operation: 'conversion-create', kind: 'error_after' }]);
  const lost = await approvedOrder(stack, treasurer, 'GBP', 'settled');
  const rejected = await decidedOrder(stack, treasurer, 'SGD', 'rejectOrder', 'rejected');
  const occurrence = await carriedOut(stack, treasurer);
  await stack.maker.askForReconciliation({ account: 'default', from: day, to: day });
  return {
    'conversion-settled': conversionWorkflowId(settled),
    'conversion-answers-lost': conversionWorkflowId(lost),
    'conversion-rejected': conversionWorkflowId(rejected),
    'conversion-dry-run': await newestCompleted(temporal, 'conversionDryRun'),
    'schedule-occurrence': occurrence,
    'money-watch': moneyWatchWorkflowId(DEFAULT_ACCOUNT),
    'book-close': await newestCompleted(temporal, 'bookClose'),
    'daily-books': await newestCompleted(temporal, 'dailyBooks'),
  };
}

function approvedOrder(
  stack: StackUnderTest,
  treasurer: PayrunClient,
  currency: string,
  state: string,
): Promise<string> {
  return decidedOrder(stack, treasurer, currency, 'approveOrder', state);
}

async function decidedOrder(
  { checker }: StackUnderTest,
  treasurer: PayrunClient,
  currency: string,
  decision: 'approveOrder' | 'rejectOrder',
  end: string,
): Promise<string> {
  const orderId = await placedOrder(treasurer, currency);
  await decideOrder(checker, orderId, decision);
  await until(async () => (await checker.getOrder({ orderId })).state === end);
  return orderId;
}

/** A schedule of a fixed amount that is started by hand, whose order another person approves. */
async function carriedOut({ checker }: StackUnderTest, treasurer: PayrunClient): Promise<string> {
  const schedule = { ...FIXED_AMOUNT, ...everyDayNow(), buy: 'CHF', amount: '500.00', max_order: '600.00' };
  const scheduleId = await confirmedScheduleOverHttp({ treasurer, checker }, schedule);
  const { occurrenceId } = await treasurer.startOccurrence(
    { scheduleId },
    { headers: { 'idempotency-key': randomUUID() } },
  );
  const orderId = await until(async () => {
    const { orders } = await checker.listOrders({ state: 'in_approval' });
    return orders[0]?.orderId ?? null;
  });
  await decideOrder(checker, orderId, 'approveOrder');
  await until(async () => {
    const { occurrences } = await checker.getSchedule({ scheduleId });
    return occurrences.find((one) => one.occurrenceId === occurrenceId)?.ended === 'done';
  });
  return occurrenceWorkflowId(occurrenceId);
}
