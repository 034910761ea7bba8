import { sleep } from '@temporalio/workflow';
import { pauseAfter } from '../domain/doubling-pauses.ts';
import { isUncreated, type PaymentState } from '../domain/payments/payment-state.ts';
import { mainActivities, providerActivities, uploadActivities } from './activity-options.ts';
import { rethrowCancellation } from './cancellation.ts';
import type { PaymentInput } from '../domain/payments/payment-input.ts';

/** An upload URL may expire before it is used; after this many, the file itself is refused. */
const MAX_UPLOAD_REFUSALS = 3;

/** If the storage host does not answer, another URL is tried after a pause, for about six hours in all. */
const MAX_UPLOADS_UNANSWERED = 40;
const UPLOAD_PAUSES = { firstMs: 5_000, maxMs: 600_000 };

/** A beneficiary may have been deleted at the provider. From this quote on, "not found" is a refusal. */
const LAST_NOT_FOUND_ATTEMPT = 2;
/** Give up after this many quotes for beneficiaries that had to be created again. */
const MAX_QUOTE_ATTEMPTS = 5;

/** How a payment waits. */
export interface Waits {
  forFunds(): Promise<void>;
  whileStopped(): Promise<void>;
}

/**
 * Everything up to the funding: beneficiary, files, quote, create, fund. Returns the resulting state: in flight, ended or
 * held. While a stop is active the payment waits, then repeats the step from the database. A payment whose step fails for good
 * is given up.
 */
export async function sendPayment(input: PaymentInput, waits: Waits): Promise<PaymentState> {
  try {
    const ended = input.hasOpenRequest ? null : await prepare(input, waits);
    const created = ended ?? (await quoteAndCreate(input, waits));
    return created === 'created' ? await fund(input, waits) : created;
  } catch (error) {
    rethrowCancellation(error);
    return (await mainActivities.giveUpPayment({ paymentId: input.paymentId })).state;
  }
}

/** Null when beneficiary and files are ready, else the state in which the payment ended or is held. */
async function prepare(input: PaymentInput, waits: Waits): Promise<PaymentState | null> {
  if (input.newBeneficiary) {
    const ended = await createBeneficiary(input, waits);
    if (ended !== null) return ended;
  }
  return uploadAll(input, waits);
}

async function createBeneficiary({ paymentId, account }: PaymentInput, waits: Waits): Promise<PaymentState | null> {
  for (;;) {
    const outcome = await providerActivities(account, 'prepare').createBeneficiary({ paymentId });
    if (outcome.kind === 'ready') return null;
    if (outcome.kind === 'ended') return outcome.state;
    await waits.whileStopped();
  }
}

async function uploadAll(input: PaymentInput, waits: Waits): Promise<PaymentState | null> {
  for (let file = 0; file < input.files; file += 1) {
    const ended = await upload(input, file, waits);
    if (ended !== null) return ended;
  }
  return null;
}

async function upload({ paymentId, account }: PaymentInput, file: number, waits: Waits): Promise<PaymentState | null> {
  const provider = providerActivities(account, 'prepare');
  let refusals = 0;
  let unanswered = 0;
  while (refusals < MAX_UPLOAD_REFUSALS && unanswered < MAX_UPLOADS_UNANSWERED) {
    const requested = await provider.requestUploadUrl({ paymentId, file });
    if (requested.kind === 'ended') return requested.state;
    const outcome = requested.kind === 'stopped' ? 'stopped' : await uploadActivities.uploadFile({ paymentId, file });
    if (outcome === 'uploaded') return null;
    if (outcome === 'not_approved') return 'held';
    if (outcome === 'url_expired') refusals += 1;
    else if (outcome === 'stopped') await waits.whileStopped();
    else {
      unanswered += 1;
      await sleep(pauseAfter(unanswered, UPLOAD_PAUSES));
    }
  }
  const code = unanswered < MAX_UPLOADS_UNANSWERED ? 'upload_refused' : 'upload_not_answered';
  const { state } = await mainActivities.holdPayment({ paymentId, code });
  // Another worker creates it: what became of that is found out next.
  return isUncreated(state) ? null : state;
}

/** Give up after this many attempts to quote and create. */
const MAX_CREATE_ATTEMPTS = 20;

/** `created`, or the state in which the payment ended or is held. */
async function quoteAndCreate(input: PaymentInput, waits: Waits): Promise<PaymentState> {
  const { paymentId } = input;
  const provider = providerActivities(input.account, 'create');
  // An open request has its quote already, and a stop would keep another one from being requested.
  let isQuoted = input.hasOpenRequest;
  for (let attempt = 1; attempt <= MAX_CREATE_ATTEMPTS; attempt += 1) {
    if (!isQuoted) {
      const ended = await quote(input, waits);
      if (ended !== null) return ended;
      isQuoted = true;
    }
    const creation = await provider.createPayment({ paymentId });
    switch (creation.kind) {
      case 'created':
        return 'created';
      case 'ended':
        return creation.state;
      case 'quote_expired':
        isQuoted = false;
        break;
      case 'files_missing': {
        const ended = await uploadAll(input, waits);
        if (ended !== null) return ended;
        break;
      }
      case 'stopped':
        await waits.whileStopped();
        attempt -= 1;
        break;
      case 'unknown_outcome': {
        const resolved = await provider.resolvePaymentCreation({ paymentId });
        if (resolved.kind === 'found') return resolved.state;
        break;
      }
    }
  }
  return (await mainActivities.giveUpPayment({ paymentId })).state;
}

/** Null when there is a quote. */
async function quote(input: PaymentInput, waits: Waits): Promise<PaymentState | null> {
  const { paymentId, account } = input;
  for (let attempt = 1; attempt <= MAX_QUOTE_ATTEMPTS; attempt += 1) {
    const isLast = attempt >= LAST_NOT_FOUND_ATTEMPT;
    const outcome = await providerActivities(account, 'prepare').requestQuote({ paymentId, isLast });
    if (outcome.kind === 'quoted') return null;
    if (outcome.kind === 'ended') return outcome.state;
    if (outcome.kind === 'stopped') {
      await waits.whileStopped();
      attempt -= 1;
      continue;
    }
    const ended = await createBeneficiary(input, waits);
    if (ended !== null) return ended;
  }
  return (await mainActivities.giveUpPayment({ paymentId })).state;
}

/** The state after the funding, or in which the payment ended. */
async function fund(input: PaymentInput, waits: Waits): Promise<PaymentState> {
  const { paymentId } = input;
  const provider = providerActivities(input.account, 'fund');
  for (;;) {
    const funded = await provider.fundPayment({ paymentId });
    switch (funded.kind) {
      case 'funded':
      case 'nothing_to_fund':
        return funded.state;
      case 'insufficient_funds':
        await waits.forFunds();
        break;
      case 'stopped':
        await waits.whileStopped();
        break;
      case 'refused':
      case 'read_required': {
        const isShort = funded.kind === 'refused' && (await isShortOfFunds(input));
        // Whatever the balance is, the payment may have ended or be funded already.
        const read = await provider.refreshPayment({ paymentId });
        if (read.kind === 'moved_on') return read.state;
        if (isShort) await waits.forFunds();
        break;
      }
    }
  }
}

/** If the balances cannot be read, funds are assumed to be short: the payment is woken once a read shows enough. */
async function isShortOfFunds({ paymentId, account }: PaymentInput): Promise<boolean> {
  const provider = providerActivities(account, 'lookup');
  try {
    return (await provider.compareFunds({ paymentId })).isShort;
  } catch (error) {
    rethrowCancellation(error);
    return (await mainActivities.assumeInsufficientFunds({ paymentId })).isShort;
  }
}
