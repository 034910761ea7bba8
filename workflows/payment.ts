import {
  condition,
  getExternalWorkflowHandle,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { isInFlight, type PaymentState } from '../domain/payment-state.ts';
import { engineActivities, providerActivities } from './activity-options.ts';
import { fundsArrived, type PaymentInput, paymentSent, paymentSettled } from './messages.ts';
import { STATE } from '../domain/search-attributes.ts';

/** How long a payment waits for money before it asks again without having been told that some came. */
const FUNDS_RETRY = '10 minutes';

/** An upload address may be over by the time it is used; one that never works is not the address's fault. */
const UPLOAD_ATTEMPTS = 3;

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

  const sent = await send(input, async () => {
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

async function send(input: PaymentInput, waitForFunds: () => Promise<void>): Promise<PaymentState> {
  const { paymentId } = input;
  const prepare = providerActivities(input.account, 'prepare', input.runId);
  if (input.newBeneficiary) {
    const { ended } = await prepare.createBeneficiary({ paymentId });
    if (ended !== null) return ended;
  }
  for (let file = 0; file < input.files; file += 1) {
    const ended = await upload(input, file);
    if (ended !== null) return ended;
  }
  const created = await quoteAndCreate(input);
  return created === 'created' ? await fund(input, waitForFunds) : created;
}

/** Null when the file is there, else the state in which the payment was set aside. */
async function upload({ paymentId, account, runId }: PaymentInput, file: number): Promise<PaymentState | null> {
  const prepare = providerActivities(account, 'prepare', runId);
  for (let attempt = 1; attempt <= UPLOAD_ATTEMPTS; attempt += 1) {
    const { ended } = await prepare.requestUploadUrl({ paymentId, file });
    if (ended !== null) return ended;
    if ((await engineActivities.uploadFile({ paymentId, file })) === 'uploaded') return null;
  }
  await engineActivities.holdPayment({
    paymentId,
    code: 'upload_refused',
    message: 'the provider does not take a supporting file',
  });
  return 'held';
}

/** `created`, or the state in which the payment ended or was set aside. */
async function quoteAndCreate(input: PaymentInput): Promise<PaymentState> {
  const { paymentId, rowHash } = input;
  const quoting = providerActivities(input.account, 'quote', input.runId);
  const creating = providerActivities(input.account, 'create', input.runId);
  let quoted = false;
  for (;;) {
    if (!quoted) {
      const quote = await quoting.requestQuote({ paymentId, rowHash });
      if (quote.kind === 'ended') return quote.state;
      quoted = true;
    }
    const creation = await creating.createPayment({ paymentId, rowHash });
    switch (creation.kind) {
      case 'created':
        return 'created';
      case 'ended':
        return creation.state;
      case 'quote_expired':
        quoted = false;
        break;
      case 'unknown_outcome': {
        const found = await creating.findPayment({ paymentId });
        if (found.kind === 'found') return found.state;
        break;
      }
    }
  }
}

async function fund(input: PaymentInput, waitForFunds: () => Promise<void>): Promise<PaymentState> {
  const { paymentId } = input;
  const funding = providerActivities(input.account, 'fund', input.runId);
  for (;;) {
    const funded = await funding.fundPayment({ paymentId });
    switch (funded.kind) {
      case 'funded':
        return funded.state;
      case 'insufficient_funds':
        await waitForFunds();
        break;
      case 'look_again': {
        const read = await funding.readPayment({ paymentId });
        if (read.kind === 'moved_on') return read.state;
        break;
      }
    }
  }
}
