import { isCancellation, patched, sleep } from '@temporalio/workflow';
import type { PaymentState } from '../domain/payments/payment-state.ts';
import { engineActivities, providerActivities, uploadActivities } from './activity-options.ts';
import type { PaymentInput } from './messages.ts';

/** An upload address may be over by the time it is used; one that never works is not the address's fault. */
const UPLOAD_ATTEMPTS = 3;

/** A storage that does not answer is tried at another address after a pause, for some six hours in all. */
const UPLOAD_SILENCES = 40;
const UPLOAD_PAUSE_MS = { first: 5_000, longest: 600_000 };

/** A beneficiary may be deleted with the provider behind our back: after so many quotes, "not found" is a refusal. */
const BENEFICIARY_ATTEMPTS = 2;
/** However often it is made again, something else is wrong then. */
const MAX_BENEFICIARY_ATTEMPTS = 5;

/** What a payment may have to wait for. */
export interface Waits {
  forFunds(): Promise<void>;
  whileStopped(): Promise<void>;
}

/**
 * Everything up to the funding: beneficiary, files, quote, create, fund. Answers the state that it led to: in flight,
 * ended or held. A step that fails for good ends the payment by what the provider may have of it. A stop that holds is
 * waited out, and each step begins again from the record then.
 */
export async function sendPayment(input: PaymentInput, waits: Waits): Promise<PaymentState> {
  try {
    const ended = input.hasOpenRequest === true ? null : await prepare(input, waits);
    const created = ended ?? (await quoteAndCreate(input, waits));
    return created === 'created' ? await fund(input, waits) : created;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return (await engineActivities.giveUpPayment({ paymentId: input.paymentId })).state;
  }
}

/** Null when beneficiary and files are there, else the state in which the payment was set aside. */
async function prepare(input: PaymentInput, waits: Waits): Promise<PaymentState | null> {
  if (input.newBeneficiary) {
    const ended = await createBeneficiary(input, waits);
    if (ended !== null) return ended;
  }
  return uploadAll(input, waits);
}

async function createBeneficiary({ paymentId, account }: PaymentInput, waits: Waits): Promise<PaymentState | null> {
  for (;;) {
    const outcome = await providerActivities(account, 'begin').createBeneficiary({ paymentId });
    if (outcome.isStopped !== true) return outcome.ended;
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
  const preparing = providerActivities(account, 'begin');
  let refusals = 0;
  let silences = 0;
  while (refusals < UPLOAD_ATTEMPTS && silences < UPLOAD_SILENCES) {
    const { ended, isStopped } = await preparing.requestUploadUrl({ paymentId, file });
    if (ended !== null) return ended;
    const outcome = isStopped === true ? 'stopped' : await uploadActivities.uploadFile({ paymentId, file });
    if (outcome === 'uploaded') return null;
    if (outcome === 'not_approved') return 'held';
    if (outcome === 'address_over') refusals += 1;
    else if (outcome === 'stopped') await waits.whileStopped();
    else {
      silences += 1;
      await sleep(Math.min(UPLOAD_PAUSE_MS.longest, UPLOAD_PAUSE_MS.first * 2 ** (silences - 1)));
    }
  }
  const { code, message } = silences < UPLOAD_SILENCES ? UPLOAD_REFUSED : STORAGE_SILENT;
  await engineActivities.holdPayment({ paymentId, code, message });
  return 'held';
}

const UPLOAD_REFUSED = { code: 'upload_refused', message: 'the provider does not take a supporting file' };
const STORAGE_SILENT = {
  code: 'upload_not_answered',
  message: 'the storage that the provider names for a supporting file has not answered for hours',
};

/** Give up after this many attempts to quote and create. */
const CREATE_ATTEMPTS = 20;

/** `created`, or the state in which the payment ended or was set aside. */
async function quoteAndCreate(input: PaymentInput, waits: Waits): Promise<PaymentState> {
  const { paymentId } = input;
  const creating = providerActivities(input.account, 'create');
  // With a request whose outcome is open there is a quote; a stop would keep it from being asked for.
  let isQuoted = input.hasOpenRequest === true;
  for (let attempt = 1; attempt <= CREATE_ATTEMPTS; attempt += 1) {
    if (!isQuoted) {
      const ended = await quote(input, waits);
      if (ended !== null) return ended;
      isQuoted = true;
    }
    const creation = await creating.createPayment({ paymentId });
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
        const found = await creating.findPayment({ paymentId });
        if (found.kind === 'found') return found.state;
        break;
      }
    }
  }
  return (await engineActivities.giveUpPayment({ paymentId })).state;
}

/** Null when there is a quote. */
async function quote(input: PaymentInput, waits: Waits): Promise<PaymentState | null> {
  const { paymentId, account } = input;
  for (let attempt = 1; attempt <= MAX_BENEFICIARY_ATTEMPTS; attempt += 1) {
    const isLast = attempt >= BENEFICIARY_ATTEMPTS;
    const outcome = await providerActivities(account, 'begin').requestQuote({ paymentId, isLast });
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
  return (await engineActivities.giveUpPayment({ paymentId })).state;
}

/** The state after the funding, or in which the payment ended. */
async function fund(input: PaymentInput, waits: Waits): Promise<PaymentState> {
  const { paymentId } = input;
  const funding = providerActivities(input.account, 'fund');
  for (;;) {
    const funded = await funding.fundPayment({ paymentId });
    switch (funded.kind) {
      case 'funded':
        return funded.state;
      case 'insufficient_funds':
        await waits.forFunds();
        break;
      case 'stopped':
        await waits.whileStopped();
        break;
      case 'refused':
      case 'look_again': {
        const isShort = funded.kind === 'refused' && (await isShortOfFunds(input));
        // It may be over, or funded already, whatever the balance says.
        const read = await funding.readPayment({ paymentId });
        if (read.kind === 'moved_on') return read.state;
        if (isShort) await waits.forFunds();
        break;
      }
    }
  }
}

/** While balances cannot be read it waits for money, which is woken once they are and show that there is enough. */
async function isShortOfFunds({ paymentId, account }: PaymentInput): Promise<boolean> {
  const looking = providerActivities(account, 'look');
  try {
    return (await looking.compareFunds({ paymentId })).isShort;
  } catch (error) {
    if (isCancellation(error)) throw error;
    if (!patched('unread-balances')) return false;
    return (await engineActivities.assumeShort({ paymentId })).isShort;
  }
}
