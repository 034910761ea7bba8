import {
  allHandlersFinished,
  condition,
  continueAsNew,
  isCancellation,
  patched,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { narrowerSweep, WIDEST_SWEEP } from '../domain/payments/sweep-schedule.ts';
import { engineActivities, providerActivities } from './activity-options.ts';
import { type ConfirmationInput, webhookHinted } from './messages.ts';

/** However many hints come, the sweep wakes at most once in this time. */
const LEAST_PAUSE = '1 second';

/**
 * The confirmation sweep of one provider account: one read for all payments in flight, woken by hints and by its own
 * slowing clock. It ends when nothing is in flight and no run is active; the next run starts it again.
 */
export async function confirmation(input: ConfirmationInput): Promise<void> {
  const { account } = input;
  // Nothing can be settled yet when it starts, so it counts as a read.
  let lastSweepAtMs = input.lastSweepAtMs ?? Date.now();
  let size = input.size ?? WIDEST_SWEEP;
  let lastRequests = 1;
  let lastWaiting = 0;
  let lastFundsReadAtMs = input.lastFundsReadAtMs ?? Date.now();
  let hinted = false;
  const isHinted = (): boolean => hinted;
  setHandler(webhookHinted, () => {
    hinted = true;
  });

  for (;;) {
    hinted = false;
    const sinceLastSweepMs = Date.now() - lastSweepAtMs;
    const sinceFundsReadMs = Date.now() - lastFundsReadAtMs;
    const plan = await engineActivities.planSweep({ account, sinceLastSweepMs, size, lastRequests, sinceFundsReadMs });
    setCurrentDetails(`${plan.inFlight} payments in flight.`);
    if (plan.sweepNow) {
      if (patched('reads-by-turns')) ({ size, requests: lastRequests } = await sweepByTurns(account, size));
      else await sweep(account).catch(unlessCancelled);
      lastSweepAtMs = Date.now();
    }
    const { waitingForFunds = 0 } = plan;
    if (waitingForFunds < lastWaiting) await engineActivities.tellRunsToBegin({ account });
    lastWaiting = waitingForFunds;
    if (plan.readFunds === true) {
      // Of what comes while they are read, the next read tells.
      lastFundsReadAtMs = Date.now();
      await wakeForFunds(account);
    }
    if (plan.sweepNow || plan.untold > 0) await engineActivities.tellSettled({ account });
    // A hint that came meanwhile keeps the workflow open: the server refuses to close one with news unread.
    if (plan.finished && !isHinted()) return;
    await condition(isHinted, plan.waitMs);
    await sleep(LEAST_PAUSE);
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof confirmation>({ account, lastSweepAtMs, size, lastFundsReadAtMs });
    }
  }
}

// It outlives versions: it goes over to the one that is current, which must replay what came before.
setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, confirmation);

/** One read of the balances, for however many payments wait for money, and however many events spoke of it. */
async function wakeForFunds(account: string): Promise<void> {
  try {
    await providerActivities(account, 'look').readBalances({ account });
  } catch (error) {
    unlessCancelled(error);
    return;
  }
  await engineActivities.wakeFunded({ account });
}

/** After so many that failed, one after the other, the rest of a round has its turn in the next one. */
const FAILURES_TO_STOP = 2;

/**
 * One read for the payments whose turn it is, and single ones for what it did not show. Neither waits for the other: where
 * the first fails, the next one is narrower, and those that are waited for are still read singly.
 */
async function sweepByTurns(account: string, size: number): Promise<{ size: number; requests: number }> {
  const reading = providerActivities(account, 'look');
  let nextSize = size;
  try {
    nextSize = (await reading.sweepPayments({ account, size })).nextSize ?? size;
  } catch (error) {
    unlessCancelled(error);
    nextSize = narrowerSweep(size);
  }
  const { paymentIds } = await engineActivities.listToRead({ account });
  let failures = 0;
  let requests = 1;
  for (const paymentId of paymentIds) {
    if (failures >= FAILURES_TO_STOP) break;
    requests += 1;
    try {
      await reading.readPayment({ paymentId });
      failures = 0;
    } catch (error) {
      unlessCancelled(error);
      failures += 1;
    }
  }
  return { size: nextSize, requests };
}

/** As the version before did it, for histories that began with it. */
async function sweep(account: string): Promise<void> {
  const provider = providerActivities(account, 'confirm');
  const { missing } = await provider.sweepPayments({ account });
  // One that cannot be read must not keep the others unconfirmed: it is missing again at the next sweep.
  const soon = providerActivities(account, 'ask');
  for (const paymentId of missing) await soon.readPayment({ paymentId }).catch(unlessCancelled);
}

/** A provider that cannot be read for days does not end the sweep: the next round asks again. */
function unlessCancelled(error: unknown): void {
  if (isCancellation(error)) throw error;
}
