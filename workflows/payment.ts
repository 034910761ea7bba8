import {
  condition,
  getExternalWorkflowHandle,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { isWithProvider, type PaymentState } from '../domain/payments/payment-state.ts';
import { STATE } from '../domain/runs/search-attributes.ts';
import type { PaymentInput } from '../domain/payments/payment-input.ts';
import { fundsArrived, paymentEnded, paymentsEnded, stopChanged } from './messages.ts';
import { sendPayment } from './send-payment.ts';

/** How often a stopped payment checks whether it is still stopped if no signal arrives. */
const STOP_CHECK_INTERVAL = '10 minutes';

/**
 * One payment, from its beneficiary to its end: upload files, quote, create, fund, wait for the confirmation. It needs no
 * timer for that wait, since one poller reads for all payments in flight and notifies each of its end.
 */
export async function payment(input: PaymentInput): Promise<{ state: PaymentState }> {
  const signals: { endState: PaymentState | null; hasFunds: boolean; isStopChanged: boolean } = {
    endState: null,
    hasFunds: false,
    isStopChanged: false,
  };
  let isRunNotified = false;
  setHandler(paymentEnded, ({ state }) => {
    signals.endState = state;
  });
  setHandler(fundsArrived, () => {
    signals.hasFunds = true;
  });
  setHandler(stopChanged, () => {
    signals.isStopChanged = true;
  });

  const sent = await sendPayment(input, {
    forFunds: async () => {
      setCurrentDetails('Created; waiting for funds in the balance.');
      // The poller signals it, after a read of the balances that covers it or when it has waited too long.
      await condition(() => signals.hasFunds || signals.endState !== null || signals.isStopChanged);
      // Reset only now: funds that arrive while a funding is being refused count for the next one.
      signals.hasFunds = false;
      resetWakeUps();
    },
    whileStopped: async () => {
      setCurrentDetails('Stopped, or not due yet: nothing is sent.');
      await notifyRunOnce();
      await condition(() => signals.isStopChanged || signals.endState !== null, STOP_CHECK_INTERVAL);
      if (signals.isStopChanged) isRunNotified = false;
      resetWakeUps();
    },
  });
  const state = isWithProvider(sent) ? await waitForConfirmation(sent) : sent;
  upsertSearchAttributes([{ key: STATE, value: state }]);
  setCurrentDetails(`Ended: ${state}.`);
  // Of a payment that was in flight, the poller notifies the run.
  if (!isWithProvider(sent)) await notifyRun(input.runWorkflowId);
  return { state };

  /**
   * The next step reads from the database whether the payment has ended. If a false signal of its end were kept, no further
   * wait would last, and the payment would be funded and refused again and again without a pause.
   */
  function resetWakeUps(): void {
    signals.isStopChanged = false;
    // guard: woken-once
    signals.endState = null;
  }

  /** If the outcome of its request was just found out and its run is cancelled, the row can end now. */
  async function notifyRunOnce(): Promise<void> {
    if (isRunNotified) return;
    isRunNotified = true;
    await notifyRun(input.runWorkflowId);
  }

  async function waitForConfirmation(state: PaymentState): Promise<PaymentState> {
    upsertSearchAttributes([{ key: STATE, value: state }]);
    setCurrentDetails('Funded; waiting for the provider to confirm it.');
    await condition(() => signals.endState !== null);
    return signals.endState ?? state;
  }
}

// It is short, so it ends on the version that started it.
setWorkflowOptions({ versioningBehavior: 'PINNED' }, payment);

/** Tells the run to count its open rows again. A run that has ended cannot be signalled, and needs no signal. */
async function notifyRun(runWorkflowId: string): Promise<void> {
  await getExternalWorkflowHandle(runWorkflowId)
    .signal(paymentsEnded)
    .catch(() => undefined);
}
