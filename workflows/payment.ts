import {
  condition,
  getExternalWorkflowHandle,
  patched,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { isInFlight, type PaymentState } from '../domain/payments/payment-state.ts';
import { STATE } from '../domain/runs/search-attributes.ts';
import { fundsArrived, type PaymentInput, paymentSettled, paymentsSettled, stopChanged } from './messages.ts';
import { sendPayment } from './send-payment.ts';

/** How long a stopped payment goes without asking whether it still is, if nobody tells it. */
const LOOK_WHILE_STOPPED = '10 minutes';

/** How long a payment that began so waits for money before it asks again without having been told that some came. */
const FUNDS_RETRY = '10 minutes';

/**
 * One payment, from its beneficiary to the provider's last word: upload first, quote last, create, fund, wait. It
 * holds no timer while it waits, since one sweep reads for all payments in flight and tells each its end.
 */
export async function payment(input: PaymentInput): Promise<{ state: PaymentState }> {
  const news: { settled: PaymentState | null; moneyCame: boolean; isStopChanged: boolean } = {
    settled: null,
    moneyCame: false,
    isStopChanged: false,
  };
  let hasToldRun = false;
  setHandler(paymentSettled, ({ state }) => {
    news.settled = state;
  });
  setHandler(fundsArrived, () => {
    news.moneyCame = true;
  });

  setHandler(stopChanged, () => {
    news.isStopChanged = true;
  });

  const sent = await sendPayment(input, {
    forFunds: async () => {
      setCurrentDetails('Created; waiting for money in the balance.');
      const isWoken = (): boolean => news.moneyCame || news.settled !== null || news.isStopChanged;
      // The sweep wakes it: after a read of the balances that is enough for it, or when its time is over.
      if (patched('woken-for-funds')) await condition(isWoken);
      else await condition(isWoken, FUNDS_RETRY);
      // Forgotten only now: money that comes while a funding is being refused counts for the next one.
      news.moneyCame = false;
      forgetCooldown();
    },
    whileStopped: async () => {
      setCurrentDetails('Stopped, or not due yet: nothing is sent.');
      await notifyRunOnce();
      await condition(() => news.isStopChanged || news.settled !== null, LOOK_WHILE_STOPPED);
      if (news.isStopChanged) hasToldRun = false;
      forgetCooldown();
    },
  });
  const state = isInFlight(sent) ? await confirmed(sent) : sent;
  upsertSearchAttributes([{ key: STATE, value: state }]);
  setCurrentDetails(`Ended: ${state}.`);
  // The sweep tells the run of those that it saw; of this one nobody else knows.
  if (!isInFlight(sent)) await notifyRun(input.runWorkflowId);
  return { state };

  /**
   * What woke a wait is asked of the record next, which alone says whether the payment has ended. Kept, a false word of
   * its end would let no further wait last, and have it funded and refused again as fast as that goes.
   */
  function forgetCooldown(): void {
    news.isStopChanged = false;
    if (patched('end-asked-of-the-record')) news.settled = null;
  }

  /** The outcome of a request of it may just have been found out: of a run that is cancelled, that row can end now. */
  async function notifyRunOnce(): Promise<void> {
    if (hasToldRun || !patched('run-told-while-stopped')) return;
    hasToldRun = true;
    await notifyRun(input.runWorkflowId);
  }

  async function confirmed(inFlight: PaymentState): Promise<PaymentState> {
    upsertSearchAttributes([{ key: STATE, value: inFlight }]);
    setCurrentDetails('Funded; waiting for the provider to confirm it.');
    await condition(() => news.settled !== null);
    return news.settled ?? inFlight;
  }
}

// It is short: it ends on the version that began it.
setWorkflowOptions({ versioningBehavior: 'PINNED' }, payment);

/**
 * That a payment has ended, or that nothing of it is under way. A run that has ended needs no news: the payment's own record
 * is what counts.
 */
async function notifyRun(runWorkflowId: string): Promise<void> {
  await getExternalWorkflowHandle(runWorkflowId)
    .signal(paymentsSettled)
    .catch(() => undefined);
}
