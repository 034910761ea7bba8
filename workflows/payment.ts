import {
  condition,
  getExternalWorkflowHandle,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { isInFlight, type PaymentState } from '../domain/payment-state.ts';
import { STATE } from '../domain/search-attributes.ts';
import { fundsArrived, type PaymentInput, paymentSent, paymentSettled } from './messages.ts';
import { sendPayment } from './send-payment.ts';

/** How long a payment waits for money before it asks again without having been told that some came. */
const FUNDS_RETRY = '10 minutes';

/**
 * One payment, from its beneficiary to the provider's last word: upload first, quote last, create, fund, wait. It
 * holds no timer while it waits, since one sweep reads for all payments in flight and tells each its end.
 */
export async function payment(input: PaymentInput): Promise<{ state: PaymentState }> {
  const news: { settled: PaymentState | null; moneyCame: boolean } = { settled: null, moneyCame: false };
  setHandler(paymentSettled, ({ state }) => {
    news.settled = state;
  });
  setHandler(fundsArrived, () => {
    news.moneyCame = true;
  });

  const sent = await sendPayment(input, async () => {
    setCurrentDetails('Created; waiting for money in the balance.');
    await condition(() => news.moneyCame || news.settled !== null, FUNDS_RETRY);
    // Forgotten only now: money that comes while a funding is being refused counts for the next one.
    news.moneyCame = false;
  });
  await getExternalWorkflowHandle(input.runWorkflowId)
    .signal(paymentSent, { paymentId: input.paymentId })
    .catch(ignoreEndedRun);
  const state = isInFlight(sent) ? await confirmed(sent) : sent;
  upsertSearchAttributes([{ key: STATE, value: state }]);
  setCurrentDetails(`Ended: ${state}.`);
  return { state };

  async function confirmed(inFlight: PaymentState): Promise<PaymentState> {
    upsertSearchAttributes([{ key: STATE, value: inFlight }]);
    setCurrentDetails('Funded; waiting for the provider to confirm it.');
    await condition(() => news.settled !== null);
    return news.settled ?? inFlight;
  }
}

/** A run that has ended needs no news; the payment's own record is what counts. */
function ignoreEndedRun(): void {
  setCurrentDetails('The run has ended before this payment.');
}
