/**
 * Records histories of conversions, schedules, the watch of the money and the books, as `record-histories.ts` does for payments.
 *
 *   npx tsx test/replay/record-treasury.ts 0.1.0-treasury
 */
import { confirmedScheduleOverHttp } from '../helpers/confirmed-schedule.ts';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { NewOrderRequest, PayrunClient } from '../../client/sdk/index.ts';
import { occurrenceWorkflowId } from '../../domain/identifiers.ts';
import { FIXED_AMOUNT } from '../domain/treasury-schedules.ts';
import { everyDayNow } from '../helpers/schedules-under-test.ts';
import { type StackUnderTest, startTestStack } from '../helpers/stack-under-test.ts';
import { until } from '../helpers/until.ts';
import { withoutMachine } from './without-machine.ts';

const [version] = process.argv.slice(2);
if (version === undefined || !/^\d+\.\d+\.\d+-[a-z]+$/.test(version))
  throw new Error('usage: record-treasury.ts <version>, for example 0.1.0-treasury');
const folder = join(import.meta.dirname, 'histories', version);

const DAY_MS = 86_400_000;
// Money comes in on the day before: the books of a day can be closed only when something is on record for it.
const payrun = await startTestStack(['--clock-behind-ms', String(DAY_MS)]);
try {
  const connection = await Connection.connect({ address: payrun.stack.addresses.temporalAddress ?? '' });
  const temporal = new Client({ connection });
  const names = await playTreasury(payrun, temporal);
  mkdirSync(folder, { recursive: true });
  for (const [name, workflowId] of names) {
    const history = await temporal.workflow.getHandle(workflowId).fetchHistory();
    writeFileSync(join(folder, `${name}.json`), `${withoutMachine(historyToJSON(history))}\n`);
  }
  await connection.close();
  console.log(`recorded ${names.length} histories in ${folder}`);
} finally {
  await payrun.stop();
}

/** Runs what becomes of orders, a schedule and a day of the books. Returns the workflows by the names of their histories. */
async function playTreasury(stack: StackUnderTest, temporal: Client): Promise<[name: string, workflowId: string][]> {
  const { treasurer } = stack;
  await control(stack, 'balance', { currency: 'USD', amount: '1.00' });
  await control(stack, 'balance', { currency: 'USD', amount: '90000.00' });
  const day = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  await control(stack, 'clock', { advanceMs: DAY_MS });
  await until(async () => {
    const [account] = (await stack.maker.listBalances()).accounts;
    return account?.balances.some(({ currency, free }) => currency === 'USD' && Number(free) === 90_000) === true;
  });
  await treasurer.tryOrder(orderOf('EUR'));
  const settled = await approvedOrder(stack, treasurer, 'EUR', 'settled');
  await control(stack, 'faults', [{ operation: 'conversion-fund', kind: 'reset_after' }]);
  await control(stack, 'faults', [{ operation: 'conversion-create', kind: 'error_after' }]);
  const lost = await approvedOrder(stack, treasurer, 'GBP', 'settled');
  const declined = await decidedOrder(stack, treasurer, 'SGD', 'declineOrder', 'declined');
  const occurrence = await carriedOut(stack, treasurer);
  await stack.maker.askForReconciliation({ account: 'default', from: day, to: day });
  await until(async () => (await newestOf(temporal, 'bookClose', 'Completed')) !== null);
  return [
    ['conversion-settled', `conversion/${settled}`],
    ['conversion-answers-lost', `conversion/${lost}`],
    ['conversion-declined', `conversion/${declined}`],
    ['conversion-trial', (await newestOf(temporal, 'conversionTrial', 'Completed')) ?? ''],
    ['schedule-occurrence', occurrence],
    ['money-watch', 'money-watch/default'],
    ['book-close', (await newestOf(temporal, 'bookClose', 'Completed')) ?? ''],
  ];
}

function orderOf(buyCurrency: string): NewOrderRequest {
  return { sellCurrency: 'USD', buyCurrency, fixedSide: 'sell', amount: '1000.00' };
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
  decision: 'approveOrder' | 'declineOrder',
  end: string,
): Promise<string> {
  const { orderId } = await treasurer.placeOrder(orderOf(currency), { headers: { 'idempotency-key': randomUUID() } });
  await until(async () => (await checker.getOrder({ orderId })).state === 'in_approval');
  const { orderHash } = await checker.getOrder({ orderId });
  await checker[decision]({ orderId, orderHash });
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
  const { orderHash } = await checker.getOrder({ orderId });
  await checker.approveOrder({ orderId, orderHash });
  await until(async () => {
    const { occurrences } = await checker.getSchedule({ scheduleId });
    return occurrences.find((one) => one.occurrenceId === occurrenceId)?.ended === 'done';
  });
  return occurrenceWorkflowId(occurrenceId);
}

async function newestOf(temporal: Client, type: string, status: string): Promise<string | null> {
  const query = `WorkflowType = '${type}' and ExecutionStatus = '${status}'`;
  for await (const { workflowId } of temporal.workflow.list({ query })) return workflowId;
  return null;
}

/** A call of the sandbox's control API. */
async function control({ stack }: StackUnderTest, path: string, order: object): Promise<void> {
  const answer = await fetch(`${stack.addresses.sandboxUrl ?? ''}/__sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  if (!answer.ok) throw new Error(`the sandbox does not take ${path}: ${await answer.text()}`);
}
