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
import { smallerPoll, MAX_POLL_SIZE } from '../domain/payments/poll-schedule.ts';
import { mainActivities, providerActivities } from './activity-options.ts';
import { rethrowCancellation } from './cancellation.ts';
import { type PaymentStatusPollerInput, pollRequested, webhookReceived } from './messages.ts';

/** However many webhooks arrive, it plans at most once in this time. */
const MIN_PAUSE = '1 second';

/**
 * Reads the status of the payments in flight on one provider account: one read for all of them, after a webhook or after an
 * interval that grows. It ends when nothing is in flight and no run is active; the next run starts it again.
 */
export async function paymentStatusPoller(input: PaymentStatusPollerInput): Promise<void> {
  const { account } = input;
  // No payment can have ended when it starts, so the start counts as a read.
  let lastPollAtMs = input.lastPollAtMs ?? Date.now();
  let size = input.size ?? MAX_POLL_SIZE;
  let lastRequests = 1;
  let lastAwaitingFunds = 0;
  let lastBalanceReadAtMs = input.lastBalanceReadAtMs ?? Date.now();
  let isWoken = false;
  const wasWoken = (): boolean => isWoken;
  for (const signal of [webhookReceived, pollRequested]) {
    setHandler(signal, () => {
      isWoken = true;
    });
  }

  for (;;) {
    isWoken = false;
    const sinceLastPollMs = Date.now() - lastPollAtMs;
    const sinceBalanceReadMs = Date.now() - lastBalanceReadAtMs;
    const plan = await mainActivities.planStatusPoll({
      ...{ account, sinceLastPollMs, size, lastRequests, sinceBalanceReadMs },
    });
    setCurrentDetails(`${plan.inFlight} payments in flight.`);
    if (plan.pollNow) {
      ({ size, requests: lastRequests } = await pollAndReadMissing(account, size, plan.inFlight));
      lastPollAtMs = Date.now();
    }
    if (plan.awaitingFunds < lastAwaitingFunds) await mainActivities.notifyRunsToBegin({ account });
    lastAwaitingFunds = plan.awaitingFunds;
    if (plan.readBalances) {
      // Taken before the read: funds that arrive during it are seen by the next one.
      lastBalanceReadAtMs = Date.now();
      await readBalancesAndNotify(account);
    }
    if (plan.pollNow || plan.pendingNotifications > 0) await mainActivities.notifyEnded({ account });
    // A signal that arrived meanwhile keeps the workflow open: the server rejects its completion.
    if (plan.isFinished && !wasWoken()) return;
    await condition(wasWoken, plan.waitMs);
    await sleep(MIN_PAUSE);
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof paymentStatusPoller>({ account, lastPollAtMs, size, lastBalanceReadAtMs });
    }
  }
}

// It runs across versions, so it moves to the current one, which must be able to replay its history.
setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, paymentStatusPoller);

/** Reads the balances once for all payments that wait for funds, then notifies those that they cover. */
async function readBalancesAndNotify(account: string): Promise<void> {
  try {
    await providerActivities(account, 'lookup').readBalances({ account });
  } catch (error) {
    rethrowCancellation(error);
    return;
  }
  await mainActivities.notifyFundsArrived({ account, source: 'balances' });
}

/** After this many failures in a row, the rest is read in the next round. */
const MAX_FAILURES = 2;

/**
 * One read for the next payments in flight, then single reads for those that it left out. If the first read fails, the next
 * round's covers fewer payments, and the single reads still follow.
 */
async function pollAndReadMissing(
  account: string,
  size: number,
  inFlight: number,
): Promise<{ size: number; requests: number }> {
  const provider = providerActivities(account, 'lookup');
  let nextSize: number;
  try {
    ({ nextSize } = await provider.pollPayments({ account, size }));
  } catch (error) {
    rethrowCancellation(error);
    nextSize = smallerPoll(Math.min(size, inFlight));
  }
  const { paymentIds } = await mainActivities.listPaymentsToRead({ account });
  let failures = 0;
  let requests = 1;
  for (const paymentId of paymentIds) {
    if (failures >= MAX_FAILURES) break;
    requests += 1;
    try {
      await provider.refreshPayment({ paymentId });
      failures = 0;
    } catch (error) {
      rethrowCancellation(error);
      failures += 1;
    }
  }
  return { size: nextSize, requests };
}
