import { readHistoryActivity } from '../../activities/accounts/read-history.ts';
import { readReceiptsActivity } from '../../activities/accounts/read-receipts.ts';
import { createPaymentActivity } from '../../activities/payments/create-payment.ts';
import { fundPaymentActivity } from '../../activities/payments/fund-payment.ts';
import { giveUpPaymentActivity } from '../../activities/payments/give-up-payment.ts';
import { notifyEndedActivity } from '../../activities/payments/notify-ended.ts';
import { notifyFundsArrivedActivity } from '../../activities/payments/notify-funds-arrived.ts';
import { planStatusPollActivity } from '../../activities/payments/plan-status-poll.ts';
import { listPaymentsToReadActivity, pollPaymentsActivity } from '../../activities/payments/poll-payments.ts';
import { readBalancesActivity } from '../../activities/payments/read-balances.ts';
import { refreshPaymentActivity } from '../../activities/payments/refresh-payment.ts';
import { resolvePaymentCreationActivity } from '../../activities/payments/resolve-payment-creation.ts';
import { countOpenRowsActivity, finishRunActivity } from '../../activities/runs/finish-run.ts';
import { dayOf } from '../../domain/calendar-date.ts';
import { explainReceipts, recordReturn } from '../../store/accounts/receipts.ts';
import { readRunApproval } from '../../store/approvals/run-approval.ts';
import { listPayableRows, noteBegun } from '../../store/runs/payable-rows.ts';
import type { Event } from './event.ts';
import { sendPayment, tryActivity } from './payment-workflow.ts';
import type { Row, RunningWorkflow, World } from './world.ts';

/** What payrun's workers do, each by itself: the activities, in the order of their workflows or out of it. */

/** The run begins what it may. */
export const beginRows: Event = async (world) => {
  const runId = world.dice.pickOrNull(world.runs);
  return runId !== null && (await begin(world, runId));
};

/** `dependencies`: of the worker, whose clock says what is due. */
export async function begin(world: World, runId: string, dependencies = world.dependencies): Promise<boolean> {
  const { asWorker } = world.place;
  const { isDecided, isStopped } = await readRunApproval(asWorker, runId);
  if (!isDecided) return false;
  // While it is stopped, only what was asked already is found out.
  const only = isStopped ? { only: 'with_open_request' as const } : {};
  const payable = await listPayableRows(asWorker, {
    runId,
    afterRow: 0,
    limit: 25,
    dueBy: dayOf(dependencies.now()),
    ...only,
  });
  for (const { paymentId, hasOpenRequest } of payable) {
    const row = world.rows.find((candidate) => candidate.paymentId === paymentId);
    if (row === undefined || world.workflows.has(paymentId)) continue;
    const steps = sendPayment(dependencies, paymentId, hasOpenRequest);
    world.workflows.set(paymentId, { row, steps, waitsFor: 'nothing', isStepping: false, isNewlyShort: false });
  }
  await noteBegun(
    asWorker,
    payable.filter(({ isBegun }) => !isBegun).map(({ paymentId }) => paymentId),
  );
  return payable.length > 0;
}

/** A payment does its next step. */
export const paymentSteps: Event = async (world) => {
  const running = [...world.workflows.values()].filter(
    ({ isStepping, waitsFor }) => !isStepping && waitsFor !== 'funds',
  );
  const workflow = world.dice.pickOrNull(running);
  return workflow !== null && (await step(world, workflow));
};

export async function step(world: World, workflow: RunningWorkflow): Promise<boolean> {
  if (workflow.isStepping) return false;
  workflow.isStepping = true;
  try {
    const { done, value } = await workflow.steps.next();
    if (done === true) world.workflows.delete(workflow.row.paymentId);
    else {
      workflow.waitsFor = value;
      workflow.isNewlyShort = value === 'funds';
    }
  } finally {
    workflow.isStepping = false;
  }
  return true;
}

/** A workflow is lost: the next one begins from the record. */
export const workflowIsLost: Event = async (world) => {
  const workflow = world.dice.pickOrNull([...world.workflows.values()].filter(({ isStepping }) => !isStepping));
  if (workflow === null) return false;
  world.workflows.delete(workflow.row.paymentId);
  await begin(world, workflow.row.runId);
  return true;
};

/** Minutes before a row's day a worker whose clock is ahead begins it, and does some steps. Then another one goes on. */
export const clockIsAhead: Event = async (world) => {
  const { time } = world.place;
  const midnightOf = ({ need: { payOn } }: Row): number => Date.parse(payOn ?? '1970-01-01');
  const row = world.dice.pickOrNull(world.rows.filter((candidate) => midnightOf(candidate) > time.now() + 5 * MINUTE));
  if (row === null) return false;
  time.pass(midnightOf(row) - 4 * MINUTE - time.now());
  const dependencies = { ...world.dependencies, now: () => time.now() + 5 * MINUTE };
  await begin(world, row.runId, dependencies);
  const workflow = world.workflows.get(row.paymentId);
  if (workflow === undefined) return true;
  for (let steps = 0; steps < 6 && world.workflows.has(row.paymentId); steps += 1) await step(world, workflow);
  world.workflows.delete(row.paymentId);
  await begin(world, row.runId);
  return true;
};

/** A step fails for days. */
export const paymentIsGivenUp: Event = async (world) => {
  const workflow = world.dice.pickOrNull([...world.workflows.values()].filter(({ isStepping }) => !isStepping));
  if (workflow === null) return false;
  const { paymentId } = workflow.row;
  await tryActivity(() => giveUpPaymentActivity(world.dependencies)({ paymentId }));
  world.workflows.delete(paymentId);
  return true;
};

/** A worker that was thought dead does a step that another one has done, or does just now. */
export const strayActivity: Event = async (world) => {
  const row = world.dice.pickOrNull(world.rows);
  if (row === null) return false;
  const { dependencies } = world;
  const { paymentId } = row;
  const activity = world.dice.pick([
    createPaymentActivity,
    fundPaymentActivity,
    refreshPaymentActivity,
    resolvePaymentCreationActivity,
  ]);
  const states = await world.states();
  const state = states.get(paymentId) ?? 'ready';
  // The workflow never asks for these: they are refused as a defect.
  const isCreated = !['ready', 'quoted', 'duplicate_suspect', 'held'].includes(state);
  if (activity === fundPaymentActivity && (!isCreated || state === 'unknown')) return false;
  if (activity === refreshPaymentActivity && !['created', 'awaiting_funds', 'funded'].includes(state)) return false;
  if (activity === createPaymentActivity && state === 'duplicate_suspect') return false;
  await tryActivity<unknown>(() => activity(dependencies)({ paymentId }));
  return true;
};

/** One round of the poller. */
export const poll: Event = async (world) => {
  const { account, dependencies } = world;
  const plan = await planStatusPollActivity(dependencies)({
    ...{ account, sinceLastPollMs: 60_000, size: 100, lastRequests: 1, sinceBalanceReadMs: 60_000 },
  });
  await tryActivity(() => pollPaymentsActivity(dependencies)({ account, size: 100 }));
  const { paymentIds } = await listPaymentsToReadActivity(dependencies)({ account });
  for (const paymentId of paymentIds) await tryActivity(() => refreshPaymentActivity(dependencies)({ paymentId }));
  if (plan.inFlight > 0 || plan.pendingNotifications > 0) await notifyEndedActivity(dependencies)({ account });
  return true;
};

export const readBalances: Event = async ({ account, dependencies }) => {
  if ((await tryActivity(async () => (await readBalancesActivity(dependencies)({ account }), true))) === undefined)
    return true;
  await notifyFundsArrivedActivity(dependencies)({ account, source: 'balances' });
  return true;
};

/** One round of the watch of the money. */
export const readHistory: Event = async (world) => {
  const { account, dependencies } = world;
  await tryActivity(() => readHistoryActivity(dependencies)({ account, of: 'news' }));
  if (!world.isFaulty || world.dice.chance(0.3))
    await tryActivity(() => readHistoryActivity(dependencies)({ account, of: 'gap' }));
  await notifyFundsArrivedActivity(dependencies)({ account, source: 'ledger' });
  return true;
};

export const readReceipts: Event = async (world) => {
  const { account, dependencies } = world;
  const read = readReceiptsActivity(dependencies);
  await tryActivity(async () => {
    await read({ account, read: { kind: 'refunds' } });
    for (const page of [null, 1, 2]) await read({ account, read: { kind: 'fundings', page } });
  });
  const { asWorker } = world.place;
  for (const returned of await explainReceipts(asWorker, account)) await recordReturn(asWorker, returned);
  return true;
};

/** The run counts its rows, ends those of a cancelled one, and itself when none is open. */
export const runCounts: Event = async (world) => {
  const runId = world.dice.pickOrNull(world.runs);
  if (runId === null) return false;
  await countRows(world, runId);
  return true;
};

export async function countRows({ dependencies, place }: World, runId: string): Promise<void> {
  if (!(await readRunApproval(place.asWorker, runId)).isDecided) return;
  const { openRows } = await countOpenRowsActivity(dependencies)({ runId });
  if (openRows === 0) await finishRunActivity(dependencies)({ runId });
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 3_600_000;

export const timePasses: Event = ({ place, dice }) => {
  place.time.pass(
    dice.pick([
      5 * SECOND,
      30 * SECOND,
      90 * SECOND,
      150 * SECOND,
      20 * 60 * SECOND,
      HOUR,
      5 * HOUR,
      26 * HOUR,
      80 * HOUR,
    ]),
  );
  return true;
};

/** Longer than what was asked takes to be shown. */
export const minutesPass: Event = ({ place }) => {
  place.time.pass(3 * MINUTE);
  return true;
};

/** Longer than a provider of late conversions lets them be funded. */
export const hoursPass: Event = ({ place }) => {
  place.time.pass(3 * HOUR);
  return true;
};
