import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { smallerSweep, MAX_SWEEP_SIZE } from '../domain/payments/sweep-schedule.ts';
import { mainActivities, providerActivities } from './activity-options.ts';
import { rethrowCancellation } from './cancellation.ts';
import { type ConfirmationInput, webhookHinted } from './messages.ts';

/** However many webhooks arrive, the sweep wakes at most once in this time. */
const MIN_PAUSE = '1 second';

/**
 * The confirmation sweep of one provider account: one read for all payments in flight, after a webhook or after an interval
 * that grows. It ends when nothing is in flight and no run is active; the next run starts it again.
 */
export async function confirmation(input: ConfirmationInput): Promise<void> {
  const { account } = input;
  // No payment can have ended when the sweep starts, so the start counts as a read.
  let lastSweepAtMs = input.lastSweepAtMs ?? Date.now();
  let size = input.size ?? MAX_SWEEP_SIZE;
  let lastRequests = 1;
  let lastWaiting = 0;
  let lastFundsReadAtMs = input.lastFundsReadAtMs ?? Date.now();
  let hasWebhook = false;
  const isWoken = (): boolean => hasWebhook;
  setHandler(webhookHinted, () => {
    hasWebhook = true;
  });

  for (;;) {
    hasWebhook = false;
    const sinceLastSweepMs = Date.now() - lastSweepAtMs;
    const sinceFundsReadMs = Date.now() - lastFundsReadAtMs;
    const plan = await mainActivities.planSweep({ account, sinceLastSweepMs, size, lastRequests, sinceFundsReadMs });
    setCurrentDetails(`${plan.inFlight} payments in flight.`);
    if (plan.sweepNow) {
      ({ size, requests: lastRequests } = await sweepAndReadMissing(account, size, plan.inFlight));
      lastSweepAtMs = Date.now();
    }
    const { waitingForFunds = 0 } = plan;
    if (waitingForFunds < lastWaiting) await mainActivities.tellRunsToBegin({ account });
    lastWaiting = waitingForFunds;
    if (plan.readFunds === true) {
      // Taken before the read: funds that arrive during it are seen by the next one.
      lastFundsReadAtMs = Date.now();
      await wakeForFunds(account);
    }
    if (plan.sweepNow || plan.untold > 0) await mainActivities.tellSettled({ account });
    // A signal that arrived meanwhile keeps the workflow open: the server rejects its completion.
    if (plan.finished && !isWoken()) return;
    await condition(isWoken, plan.waitMs);
    await sleep(MIN_PAUSE);
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof confirmation>({ account, lastSweepAtMs, size, lastFundsReadAtMs });
    }
  }
}

// It runs across versions, so it moves to the current one, which must be able to replay its history.
setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, confirmation);

/** Reads the balances once for all payments that wait for funds, then wakes those that they cover. */
async function wakeForFunds(account: string): Promise<void> {
  try {
    await providerActivities(account, 'lookup').readBalances({ account });
  } catch (error) {
    rethrowCancellation(error);
    return;
  }
  await mainActivities.wakeFunded({ account });
}

/** After this many failures in a row, the rest is read in the next round. */
const MAX_FAILURES = 2;

/**
 * One read for the next payments in flight, then single reads for those that it left out. If the first read fails, the next
 * round's covers fewer payments, and the single reads still follow.
 */
async function sweepAndReadMissing(
  account: string,
  size: number,
  inFlight: number,
): Promise<{ size: number; requests: number }> {
  const provider = providerActivities(account, 'lookup');
  let nextSize = size;
  try {
    nextSize = (await provider.sweepPayments({ account, size })).nextSize ?? size;
  } catch (error) {
    rethrowCancellation(error);
    nextSize = smallerSweep(Math.min(size, inFlight));
  }
  const { paymentIds } = await mainActivities.listToRead({ account });
  let failures = 0;
  let requests = 1;
  for (const paymentId of paymentIds) {
    if (failures >= MAX_FAILURES) break;
    requests += 1;
    try {
      await provider.readPayment({ paymentId });
      failures = 0;
    } catch (error) {
      rethrowCancellation(error);
      failures += 1;
    }
  }
  return { size: nextSize, requests };
}
