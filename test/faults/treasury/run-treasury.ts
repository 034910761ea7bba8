import { setTimeout as sleep } from 'node:timers/promises';
import { conversionWorkflowId } from '../../../domain/identifiers.ts';
import type { RunningSandbox } from '../../../sandbox/server.ts';
import { bypassTriggers } from '../../helpers/bypass-triggers.ts';
import {
  clearFaults,
  depositMoney,
  faultsOf,
  orderFaults,
  paymentsAt,
  refundPayment,
} from '../../helpers/sandbox-control.ts';
import { type FaultStack, REQUESTS_PER_SECOND } from '../fault-stack.ts';
import type { Outcome } from '../outcome.ts';
import { performAction } from '../perform-action.ts';
import { describeDisruption } from '../scenario.ts';
import { requestTriggers } from '../triggers.ts';
import { untilRepaired } from '../until-repaired.ts';
import { untilWithin } from '../until-within.ts';
import { compareTreasury } from './compare-treasury.ts';
import { sandboxOf, setMoney, untilFollowed } from './treasury-account.ts';
import {
  addSchedules,
  approvePayments,
  deleteSchedules,
  placeOrders,
  startSchedules,
  submitPayments,
} from './treasury-acts.ts';
import type { TreasuryDisruption, TreasuryScenario } from './treasury-scenario.ts';
import {
  readTreasuryViews,
  recordedOccurrences,
  type RecordedOrder,
  recordedOrders,
  recordedPayments,
} from './treasury-views.ts';

const ENDS_WITHIN_MS = 400_000;
const RETURNED_WITHIN_MS = 200_000;
const LOOK_EVERY_MS = 250;
/** Nothing has changed for so long: what is still open waits for time to pass. */
const QUIET_MS = 5_000;
/** Longer than a request to fund may take effect after it; then longer than payrun waits before it has people decide. */
const PASSED = '11 minutes';
const PASSED_LATER = '25 hours';
const SHORT_PASSES = 8;

let lastTag = 0;

interface Play {
  stack: FaultStack;
  scenario: TreasuryScenario;
  sandbox: RunningSandbox;
  runId: string;
  scheduleIds: readonly string[];
  orderIds: string[];
  /** Everything is begun. */
  isBegun: boolean;
  missed: Set<TreasuryDisruption>;
  underWay: Set<Promise<void>>;
  /** How often time has passed. */
  passes: number;
}

/**
 * Runs a scenario on a stack: places orders, starts schedules, approves a run and lets money come in, all at once, causes the
 * scenario's faults and disruptions, and compares all views of the money after everything has ended and is repaired.
 */
export async function runTreasury(stack: FaultStack, scenario: TreasuryScenario): Promise<Outcome> {
  lastTag += 1;
  try {
    const startedMs = performance.now();
    const played = await prepare(stack, scenario, lastTag);
    await play(played);
    const { sandbox, passes, missed } = played;
    const views = await readTreasuryViews(stack, sandbox, played);
    const findings = compareTreasury(views, REQUESTS_PER_SECOND);
    if (findings.length > 0) return { kind: 'failed', findings };
    const faults = (await faultsOf(sandbox)).filter(({ injected }) => injected === 0);
    const ends = [...views.orders.map(({ state }) => state), ...views.occurrences.map(({ ended }) => ended)];
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    return {
      kind: 'passed',
      missed: [
        ...[...missed].map(describeDisruption),
        ...faults.map(({ kind, operation }) => `${kind} on ${operation}`),
      ],
      remarks: `${ends.join(' ')}; time passed ${passes} times, ${seconds} s`,
    };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', findings: [{ kind: 'disagreement', what }] };
  } finally {
    stack.providerProxy.setListener(null);
  }
}

async function prepare(stack: FaultStack, scenario: TreasuryScenario, tag: number): Promise<Play> {
  const sandbox = await sandboxOf(stack, scenario.seed);
  await clearFaults(sandbox);
  await stack.setWorkerCount(scenario.workers);
  await setMoney(stack, sandbox, scenario.balance);
  const runId = await submitPayments(stack, scenario, tag);
  const scheduleIds = await addSchedules(stack, scenario.schedules);
  await orderFaults(sandbox, ...scenario.faults);
  return {
    ...{ stack, scenario, sandbox, runId, scheduleIds, orderIds: [], isBegun: false },
    ...{ missed: new Set(scenario.disruptions), underWay: new Set<Promise<void>>(), passes: 0 },
  };
}

async function play(played: Play): Promise<void> {
  const { stack, scenario, sandbox, runId, scheduleIds, underWay } = played;
  const fire = (disruption: TreasuryDisruption, request: Parameters<typeof performAction>[2]): void => {
    played.missed.delete(disruption);
    const running = performAction({ stack, sandboxUrl: sandbox.url }, disruption.action, request)
      .catch(() => undefined)
      .then(() => void underWay.delete(running));
    underWay.add(running);
  };
  stack.providerProxy.resetCounts();
  stack.providerProxy.setListener(requestTriggers(scenario.disruptions, fire));
  const begun = Promise.all([
    placeOrders(stack, scenario.orders).then((orderIds) => void (played.orderIds = orderIds)),
    startSchedules(stack, scenario.schedules, scheduleIds),
    approvePayments(stack, runId),
    ...scenario.fundings.map((amount) => depositMoney(sandbox, 'USD', amount)),
  ]);
  for (const disruption of scenario.disruptions) if (disruption.trigger.on === 'submitted') fire(disruption, null);
  const watched = untilAllEnded(played);
  await begun;
  played.isBegun = true;
  await watched;
  await Promise.all(underWay);
  await untilRepaired(stack);
  if (scenario.refund) await returnFirst(played);
  await deleteSchedules(stack, scheduleIds);
  await untilFollowed(stack, sandbox, null);
}

/** Until everything has ended, or the time is over. Large orders are approved meanwhile. */
async function untilAllEnded(played: Play): Promise<void> {
  const { stack, scenario, sandbox, underWay } = played;
  const deadlineMs = performance.now() + ENDS_WITHIN_MS;
  const approved = new Set<string>();
  let [seen, quietSinceMs, isShort] = ['', performance.now(), scenario.balance !== null];
  while (performance.now() < deadlineMs) {
    await sleep(LOOK_EVERY_MS);
    const now = await look(played).catch(() => null);
    if (now === null) continue;
    for (const order of now.orders) await approve(stack, order, approved);
    const areConverted = now.orders.every(isOver) && now.occurrences.every(({ ended }) => ended !== null);
    if (played.isBegun && areConverted && isShort) {
      isShort = false;
      await depositMoney(sandbox, 'USD', '50000.00');
    }
    if (played.isBegun && areConverted && now.hasRunEnded && now.occurrences.length >= played.scheduleIds.length)
      return;
    const text = JSON.stringify(now);
    if (text !== seen || underWay.size > 0 || !played.isBegun) quietSinceMs = performance.now();
    seen = text;
    if (performance.now() - quietSinceMs < QUIET_MS) continue;
    const passed = played.passes < SHORT_PASSES ? PASSED : PASSED_LATER;
    await letTimePass(stack, now.orders, passed).catch(() => undefined);
    played.passes += 1;
    quietSinceMs = performance.now();
  }
}

/** It has ended, or waits for people. */
const isOver = ({ hasEnded, state }: RecordedOrder): boolean => hasEnded || state === 'held' || state === 'unknown';

async function look({ stack: { database }, orderIds, scheduleIds, runId }: Play) {
  const { rows } = await database.query<{ ended: boolean }>(
    'select finished_at is not null as ended from runs where run_id = $1',
    [runId],
  );
  return {
    orders: await recordedOrders(database, orderIds, scheduleIds),
    occurrences: await recordedOccurrences(database, scheduleIds),
    hasRunEnded: rows[0]?.ended === true,
  };
}

async function approve({ checker }: FaultStack, order: RecordedOrder, approved: Set<string>): Promise<void> {
  if (order.state !== 'in_approval' || approved.has(order.orderId)) return;
  const { orderId, orderHash } = order;
  const isDone = await checker.approveOrder({ orderId, orderHash }).then(
    () => true,
    () => false,
  );
  if (isDone) approved.add(order.orderId);
}

/**
 * As if time had passed since all that has happened, for orders of which it is not known whether they were funded: the suite
 * cannot wait until a request can no longer take effect.
 */
async function letTimePass(
  { database, temporal }: FaultStack,
  orders: readonly RecordedOrder[],
  passed: string,
): Promise<void> {
  const open = orders.filter((order) => !isOver(order));
  if (open.some(({ state }) => state === 'funding')) await bypassTriggers(database, allEarlier(passed));
  for (const { orderId } of open) {
    const handle = temporal.workflow.getHandle(conversionWorkflowId(orderId));
    await handle.signal('conversionChanged').catch(() => undefined);
  }
}

/** In one statement, so that the order of what happened stays the same. */
const allEarlier = (passed: string): string => `with requests as (
    update conversion_requests set begun_at = begun_at - interval '${passed}', answered_at = answered_at - interval '${passed}'
  ), orders as (
    update conversion_orders set absent_at = absent_at - interval '${passed}' where absent_at is not null
  ), entries as (
    update balance_entries set first_seen_at = first_seen_at - interval '${passed}'
  ), payments as (
    update provider_requests set begun_at = begun_at - interval '${passed}' where operation = 'fund'
  )
  update ledger_transfers set made_at = made_at - interval '${passed}'`;

/** The first payment comes back, and its row says so. */
async function returnFirst({ stack, sandbox, runId }: Play): Promise<void> {
  const [row] = await recordedPayments(stack.database, runId);
  const payment = (await paymentsAt(sandbox)).find(({ referenceId }) => referenceId === row?.referenceId);
  await refundPayment(sandbox, { simplePaymentId: payment?.id ?? '' });
  await untilWithin(RETURNED_WITHIN_MS, 'the refunded row is returned', async () => {
    await stack.maker.listBalances().catch(() => null);
    return (await recordedPayments(stack.database, runId))[0]?.state === 'returned';
  });
}
