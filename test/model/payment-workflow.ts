import { ApplicationFailure } from '@temporalio/common';
import { compareFundsActivity } from '../../activities/payments/compare-funds.ts';
import { createPaymentActivity } from '../../activities/payments/create-payment.ts';
import { fundPaymentActivity } from '../../activities/payments/fund-payment.ts';
import { giveUpPaymentActivity } from '../../activities/payments/give-up-payment.ts';
import { refreshPaymentActivity } from '../../activities/payments/refresh-payment.ts';
import { requestQuoteActivity } from '../../activities/payments/request-quote.ts';
import { resolvePaymentCreationActivity } from '../../activities/payments/resolve-payment-creation.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { asActivity } from '../activities/activities-under-test.ts';
import { WorkerDied } from './simulated-transport.ts';

/** What a payment's workflow waits for: nothing (its next step), money, or the end of a stop. */
export type WaitsFor = 'nothing' | 'funds' | 'stop';

/** The workflow of one payment as `workflows/send-payment.ts` has it, without beneficiary and files: one activity at a time. */
export type PaymentWorkflow = AsyncGenerator<WaitsFor, 'ended', undefined>;

/** Runs an activity. Undefined: it is tried again, since it failed for a while, or its worker died. */
export async function tryActivity<T>(activity: () => Promise<T>): Promise<T | undefined> {
  try {
    return await asActivity(activity);
  } catch (error) {
    if (error instanceof ApplicationFailure || error instanceof WorkerDied) return undefined;
    throw error;
  }
}

async function* retried<T>(activity: () => Promise<T>): AsyncGenerator<WaitsFor, T, undefined> {
  for (;;) {
    const result = await tryActivity(activity);
    yield 'nothing';
    if (result !== undefined) return result;
  }
}

const MAX_CREATE_ATTEMPTS = 20;

export async function* sendPayment(
  dependencies: ActivityDependencies,
  paymentId: string,
  hasOpenRequest: boolean,
): PaymentWorkflow {
  const isCreated = yield* quoteAndCreate(dependencies, paymentId, hasOpenRequest);
  if (isCreated) yield* fund(dependencies, paymentId);
  return 'ended';
}

/** Whether it is to be funded. */
async function* quoteAndCreate(
  dependencies: ActivityDependencies,
  paymentId: string,
  hasOpenRequest: boolean,
): AsyncGenerator<WaitsFor, boolean, undefined> {
  let isQuoted = hasOpenRequest;
  for (let attempt = 1; attempt <= MAX_CREATE_ATTEMPTS; attempt += 1) {
    if (!isQuoted) {
      const quote = yield* retried(() => requestQuoteActivity(dependencies)({ paymentId, isLast: true }));
      if (quote.kind === 'stopped') {
        yield 'stop';
        continue;
      }
      if (quote.kind !== 'quoted') return false;
      isQuoted = true;
    }
    const creation = yield* retried(() => createPaymentActivity(dependencies)({ paymentId }));
    if (creation.kind === 'created') return true;
    if (creation.kind === 'ended') return false;
    if (creation.kind === 'quote_expired') isQuoted = false;
    if (creation.kind === 'stopped') yield 'stop';
    if (creation.kind === 'unknown_outcome') {
      const resolved = yield* retried(() => resolvePaymentCreationActivity(dependencies)({ paymentId }));
      if (resolved.kind === 'found') return resolved.state === 'created';
    }
  }
  yield* retried(() => giveUpPaymentActivity(dependencies)({ paymentId }));
  return false;
}

async function* fund(dependencies: ActivityDependencies, paymentId: string): AsyncGenerator<WaitsFor, void, undefined> {
  for (;;) {
    const funded = yield* retried(() => fundPaymentActivity(dependencies)({ paymentId }));
    if (funded.kind === 'funded' || funded.kind === 'nothing_to_fund') return;
    if (funded.kind === 'insufficient_funds') yield 'funds';
    else if (funded.kind === 'stopped') yield 'stop';
    else {
      const isShort =
        funded.kind === 'refused' && (yield* retried(() => compareFundsActivity(dependencies)({ paymentId }))).isShort;
      const read = yield* retried(() => refreshPaymentActivity(dependencies)({ paymentId }));
      if (read.kind === 'moved_on') return;
      if (isShort) yield 'funds';
    }
  }
}
