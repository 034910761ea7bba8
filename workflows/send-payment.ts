import { isCancellation } from '@temporalio/workflow';
import type { PaymentState } from '../domain/payment-state.ts';
import { engineActivities, providerActivities } from './activity-options.ts';
import type { PaymentInput } from './messages.ts';

/** An upload address may be over by the time it is used; one that never works is not the address's fault. */
const UPLOAD_ATTEMPTS = 3;

/** A payee may be deleted with the provider behind our back: it is made anew once. */
const PAYEE_ATTEMPTS = 2;

/**
 * Everything up to the funding: payee, files, quote, create, fund. Answers the state that it led to: in flight, ended or
 * held. A step that fails for good ends the payment by what the provider may have of it.
 */
export async function sendPayment(input: PaymentInput, waitForFunds: () => Promise<void>): Promise<PaymentState> {
  try {
    const created = (await prepare(input)) ?? (await quoteAndCreate(input));
    return created === 'created' ? await fund(input, waitForFunds) : created;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return (await engineActivities.giveUpPayment({ paymentId: input.paymentId })).state;
  }
}

/** Null when payee and files are there, else the state in which the payment was set aside. */
async function prepare(input: PaymentInput): Promise<PaymentState | null> {
  if (input.newBeneficiary) {
    const { ended } = await providerActivities(input.account, 'begin').createBeneficiary({
      paymentId: input.paymentId,
    });
    if (ended !== null) return ended;
  }
  for (let file = 0; file < input.files; file += 1) {
    const ended = await upload(input, file);
    if (ended !== null) return ended;
  }
  return null;
}

async function upload({ paymentId, account }: PaymentInput, file: number): Promise<PaymentState | null> {
  const preparing = providerActivities(account, 'begin');
  for (let attempt = 1; attempt <= UPLOAD_ATTEMPTS; attempt += 1) {
    const { ended } = await preparing.requestUploadUrl({ paymentId, file });
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

/** Quotes that are over before they are used, and creations that come to nothing: with so many, something is wrong. */
const CREATE_ATTEMPTS = 20;

/** `created`, or the state in which the payment ended or was set aside. */
async function quoteAndCreate(input: PaymentInput): Promise<PaymentState> {
  const { paymentId, rowHash } = input;
  const creating = providerActivities(input.account, 'create');
  let isQuoted = false;
  for (let attempt = 1; attempt <= CREATE_ATTEMPTS; attempt += 1) {
    if (!isQuoted) {
      const ended = await quote(input);
      if (ended !== null) return ended;
      isQuoted = true;
    }
    const creation = await creating.createPayment({ paymentId, rowHash });
    switch (creation.kind) {
      case 'created':
        return 'created';
      case 'ended':
        return creation.state;
      case 'quote_expired':
        isQuoted = false;
        break;
      case 'unknown_outcome': {
        const found = await creating.findPayment({ paymentId });
        if (found.kind === 'found') return found.state;
        break;
      }
    }
  }
  return (await engineActivities.giveUpPayment({ paymentId })).state;
}

/** Null when there is a quote. */
async function quote({ paymentId, rowHash, account }: PaymentInput): Promise<PaymentState | null> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === PAYEE_ATTEMPTS;
    const outcome = await providerActivities(account, 'begin').requestQuote({ paymentId, rowHash, isLast });
    if (outcome.kind === 'quoted') return null;
    if (outcome.kind === 'ended') return outcome.state;
    const { ended } = await providerActivities(account, 'begin').createBeneficiary({ paymentId });
    if (ended !== null) return ended;
  }
}

/** The state after the funding, or in which the payment ended. */
async function fund(input: PaymentInput, waitForFunds: () => Promise<void>): Promise<PaymentState> {
  const { paymentId } = input;
  const funding = providerActivities(input.account, 'fund');
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
