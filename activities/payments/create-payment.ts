import { hasEnded, type PaymentState } from '../../domain/payments/payment-state.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { quoteIsExpired } from '../../domain/payments/payment-quote.ts';
import type { StateOfStatus } from '../../domain/payments/provider-status.ts';
import { mentionsQuote } from '../../provider/calls/answer-outcomes.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import type { Database } from '../../store/database/database.ts';
import { type Answer, type BegunRequest, beginRequest } from '../../store/payments/payment-requests.ts';
import { countCreations, readOpenRequest } from '../../store/payments/request-history.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import { refuseUnapproved } from '../approvals/approved-row.ts';
import type { ProviderReply } from '../calls/call-provider.ts';
import { hadNoEffect, refusalReason } from '../calls/failure-meaning.ts';
import { refusalIfRowForbidden } from '../calls/forbidden-row.ts';
import { callNonIdempotent, startSendDeadline } from '../calls/send-deadline.ts';
import { unlessStopped, wasStopped } from '../calls/stop-check.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { createRequestOf, forgetFilesWithoutMac } from './create-request.ts';
import { foundUpdate } from './created-payment.ts';
import { hasValidQuoteMac } from './payment-macs.ts';
import { instructionToSend, ofWorker } from './payee-data.ts';
import { recordIfCurrent, recordNoEffect, recordNotSent, type RequestRef } from './record-if-current.ts';
import { recordRefusal } from './record-refusal.ts';

export type CreateOutcome =
  | { kind: 'created' }
  | { kind: 'quote_expired' }
  /** A supporting file is not uploaded as it was approved: upload it again. */
  | { kind: 'files_missing' }
  /** A stop is active, or the data key is missing: nothing was sent. */
  | { kind: 'stopped' }
  /** The payment may have been created: look it up by its reference before anything else. */
  | { kind: 'unknown_outcome' }
  /** Nothing is left to be funded: it has ended, or the provider carries it out. */
  | { kind: 'ended'; state: PaymentState };

/** Until then, a refused creation is looked up or tried with another quote. */
const MAX_REFUSALS = 3;

type Recording = Pick<ActivityDependencies, 'database' | 'now'>;

/**
 * Creates the payment with the provider, once, as it was approved. The intent is recorded before the request is sent, and
 * while its outcome is unknown no process sends a second one. Contract: payments 2.6.
 */
export function createPaymentActivity(dependencies: ActivityDependencies) {
  const { database, provider, macOf, settings, now } = dependencies;
  return async function createPayment({ paymentId }: { paymentId: string }): Promise<CreateOutcome> {
    const sendDeadline = startSendDeadline(dependencies);
    const worker = await ofWorker(dependencies);
    const intent = await beginRequest(database, { paymentId, operation: 'create', whileIn: ['quoted'], ...worker });
    const { payment, requestId, approved } = intent;
    if (requestId === null) return outcomeWithoutRequest(database, intent);
    const request: RequestRef = { requestId, operation: 'create' };
    // guard: create-payment-as-approved
    const instruction = await instructionToSend(dependencies, request, intent);
    if (instruction === null || approved === null) {
      await recordNotSent(database, request);
      return { kind: 'ended', state: await refuseUnapproved(database, payment, 'create') };
    }
    const mac = macOf(payment.account);
    const { quoteId } = payment;
    // guard: quote-not-over, quote-mac
    if (quoteId === null || quoteIsExpired(payment, now()) || !hasValidQuoteMac(mac, payment, approved)) {
      await recordNotSent(database, request, 'ready');
      return { kind: 'quote_expired' };
    }
    const body = await createRequestOf(database, mac, { payment, quoteId, instruction, approved });
    if (body === null) {
      await recordNotSent(database, request);
      await forgetFilesWithoutMac(database, mac, { payment, approved });
      return { kind: 'files_missing' };
    }
    // guard: create-payment-unless-stopped
    const answer = await callNonIdempotent(sendDeadline, unlessStopped(database, payment), (options) =>
      provider(payment.account).simplePayments.create(body, options),
    );
    const reply = await refusalIfRowForbidden(database, payment, answer);
    if (reply instanceof ProviderFailure) return recordFailure(dependencies, reply, request, payment);
    // guard: creation-of-no-known-status
    const shown = stateShownBy(reply.value, payment, settings.stateOf);
    if (shown === null) {
      return recordUnknown(database, { ...request, answer: 'unknown_outcome', httpStatus: reply.httpStatus });
    }
    const asAnswered = { shown, isOurAnswer: true, nowMs: now() };
    return recordCreated(database, reply, foundUpdate(mac, { payment, instruction }, reply.value, asAnswered), request);
  };
}

/**
 * The state that the answer to a creation means, which may show a payment that was created earlier under the same reference.
 * Null: it says nothing about ours, and the lookup decides.
 */
function stateShownBy(
  shown: SimplePayment,
  { paymentId, attempt }: PaymentRecord,
  stateOf: StateOfStatus,
): PaymentState | null {
  const state = stateOf(shown.status);
  const isOurs = shown.referenceId === null || shown.referenceId === referenceIdOf(paymentId, attempt);
  return state === 'created' || isOurs ? state : null;
}

/** What follows when no request could begin. */
async function outcomeWithoutRequest(
  database: Database,
  { payment, approved, isStopped }: BegunRequest,
): Promise<CreateOutcome> {
  const { state } = payment;
  if (payment.providerPaymentId !== null && !hasEnded(state)) return { kind: 'created' };
  if (hasEnded(state) || state === 'held') return { kind: 'ended', state };
  const isOpen = state === 'quoted' && (await readOpenRequest(database, payment.paymentId, 'create')) !== null;
  if (isOpen) return { kind: 'unknown_outcome' };
  if (approved === null) return { kind: 'ended', state: await refuseUnapproved(database, payment, 'create') };
  if (isStopped) return { kind: 'stopped' };
  if (state === 'quoted') return { kind: 'unknown_outcome' };
  if (state === 'ready') return { kind: 'quote_expired' };
  throw new Error(`payment ${payment.paymentId} is ${state} and has no provider id`);
}

async function recordCreated(
  database: Database,
  { httpStatus }: ProviderReply<SimplePayment>,
  { state, update, detail }: ReturnType<typeof foundUpdate>,
  request: RequestRef,
): Promise<CreateOutcome> {
  const answer = { outcome: 'took_effect', answer: 'as_asked', httpStatus } as const;
  await recordIfCurrent(database, { ...request, ...answer, transition: { to: state, update }, detail });
  return state === 'created' ? { kind: 'created' } : { kind: 'ended', state };
}

/** The request stays open. */
async function recordUnknown(
  database: Database,
  answer: RequestRef & Pick<Answer, 'answer' | 'httpStatus'>,
): Promise<CreateOutcome> {
  await recordIfCurrent(database, { ...answer, outcome: null, transition: { to: null } });
  return { kind: 'unknown_outcome' };
}

async function recordFailure(
  { database, now }: Recording,
  failure: ProviderFailure,
  request: RequestRef,
  payment: PaymentRecord,
): Promise<CreateOutcome> {
  const { paymentId } = payment;
  const { httpStatus, kind } = failure;
  const answer = { ...request, answer: kind, httpStatus };
  if (wasStopped(failure)) {
    await recordNotSent(database, request);
    return { kind: 'stopped' };
  }
  if (hadNoEffect(failure)) {
    await recordNoEffect(database, request, failure);
    throw retryLater(failure);
  }
  // guard: lost-creation-stays-open
  if (kind !== 'refused') return recordUnknown(database, answer);
  const earlier = await countCreations(database, paymentId);
  // An earlier creation may become visible late, and be why this one is refused: its reference is taken.
  // guard: refused-after-a-lookup
  if (earlier.foundAbsent > 0 && earlier.refused < MAX_REFUSALS) return recordUnknown(database, answer);
  // No contract says how an expired quote is reported, so the first refusal of any kind is tried with a new quote.
  if (earlier.refused === 0 || (mentionsQuote(failure) && earlier.refused < MAX_REFUSALS)) {
    await recordIfCurrent(database, { ...answer, outcome: 'refused', transition: { to: 'ready' } });
    return { kind: 'quote_expired' };
  }
  const transition = { to: 'rejected', update: { ...refusalReason(failure), ended_at: new Date(now()) } } as const;
  const refused = { ...answer, operation: 'create', outcome: 'refused', transition } as const;
  return { kind: 'ended', state: await recordRefusal(database, { payment, failure }, refused) };
}
