import { dayOf } from '../../domain/payments/pay-day.ts';
import { hasEnded, type PaymentState } from '../../domain/payments/payment-state.ts';
import { speaksOfQuote } from '../../provider/calls/answer-meanings.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import type { Database } from '../../store/database/database.ts';
import {
  type Answer,
  type BegunRequest,
  beginRequest,
  countCreations,
  mayHaveBeenCreated,
  readOpenRequest,
} from '../../store/payments/payment-requests.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import { approvedInstruction, refuseUnapproved } from '../approvals/approved-row.ts';
import {
  callNonIdempotent,
  hadNoEffect,
  refusalWords,
  retryLater,
  type Sent,
  unlessStopped,
  wasStopped,
} from './call-provider.ts';
import { createRequestOf, forgetUnsealedFiles } from './create-request.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { asForbiddenRow } from '../approvals/forbidden-row.ts';
import { paymentUpdateOf } from './payment-update.ts';
import { recordIfCurrent } from './record-if-current.ts';
import { type CreatedUpdate, createdUpdate, isSealedQuote } from './sealed-facts.ts';
import { asideUnlessCreated } from './uncertain-creation.ts';

export type CreateOutcome =
  | { kind: 'created' }
  | { kind: 'quote_expired' }
  /** A supporting file is not there as it was approved: it goes up again. */
  | { kind: 'files_missing' }
  /** A stop holds, and nothing was sent. */
  | { kind: 'stopped' }
  /** It may have been created: nothing else may be done before the reference was looked up. */
  | { kind: 'unknown_outcome' }
  | { kind: 'ended'; state: PaymentState };

/** Of one creation, before a refusal is its end: looked up, or tried with another quote, until then. */
const MOST_REFUSALS = 3;

/** A quote this close to its end may be over when the request arrives; of a short one, half its life has to do. */
const QUOTE_MARGIN_MS = 15_000;

type RequestInHand = Pick<Answer, 'requestId' | 'operation'>;
type Recording = Pick<ActivityDependencies, 'database' | 'now'>;

/**
 * Creates the payment with the provider, once, as it was approved: the intent is on record before the request, and while
 * its outcome is open no second request begins, in this process or another. Contract: payments 2.6.
 */
export function createPaymentActivity({ database, provider, seal, settings, now }: ActivityDependencies) {
  const recording = { database, now };
  return async function createPayment({ paymentId }: { paymentId: string }): Promise<CreateOutcome> {
    const begunAtMs = performance.now();
    const today = dayOf(now());
    const begun = await beginRequest(database, { paymentId, operation: 'create', whileIn: ['quoted'], today });
    const { payment, requestId } = begun;
    if (requestId === null) return outcomeWithout(database, begun);
    const answer: RequestInHand = { requestId, operation: 'create' };
    const instruction = approvedInstruction(payment, begun.approved);
    if (instruction === null || begun.approved === null) {
      await notSent(database, answer, null);
      return { kind: 'ended', state: await refuseUnapproved(database, payment, 'create') };
    }
    const records = seal(payment.account);
    const { quoteId } = payment;
    if (quoteId === null || quoteIsOver(payment, now()) || !isSealedQuote(records, payment, begun.approved)) {
      await notSent(database, answer, 'ready');
      return { kind: 'quote_expired' };
    }
    const request = await createRequestOf(database, records, {
      payment,
      quoteId,
      instruction,
      approved: begun.approved,
    });
    if (request === null) {
      await notSent(database, answer, null);
      await forgetUnsealedFiles(database, records, { payment, approved: begun.approved });
      return { kind: 'files_missing' };
    }
    const answered = await callNonIdempotent(begunAtMs, unlessStopped(database, payment), (options) =>
      provider(payment.account).simplePayments.create(request, options),
    );
    const sent = await asForbiddenRow(database, payment, answered);
    if (sent instanceof ProviderFailure) return recordFailure(recording, sent, { ...answer, paymentId });
    const { maxFeePercent } = settings;
    const created = createdUpdate(records, { payment, instruction, maxFeePercent }, sent.value, true);
    return recordCreated(recording, sent, created, answer);
  };
}

async function recordCreated(
  { database, now }: Recording,
  sent: Sent<SimplePayment>,
  created: CreatedUpdate,
  answer: RequestInHand,
): Promise<CreateOutcome> {
  const facts = { ...paymentUpdateOf(sent.value), ...created.facts, created_at: new Date(now()) };
  await recordIfCurrent(database, {
    ...answer,
    outcome: 'took_effect',
    answer: 'as_asked',
    httpStatus: sent.httpStatus,
    move: { to: created.state, facts },
    detail: created.detail,
  });
  return created.state === 'created' ? { kind: 'created' } : { kind: 'ended', state: created.state };
}

/** Nothing was sent: left open, the request would make the payment one that may exist. */
function notSent(database: Database, answer: RequestInHand, to: PaymentState | null): Promise<void> {
  return recordIfCurrent(database, {
    ...answer,
    outcome: 'had_no_effect',
    answer: 'not_sent',
    httpStatus: null,
    move: { to },
  });
}

async function outcomeWithout(
  database: Database,
  { payment, approved, isStopped }: BegunRequest,
): Promise<CreateOutcome> {
  const { state } = payment;
  if (payment.providerPaymentId !== null && !hasEnded(state)) return { kind: 'created' };
  if (hasEnded(state) || state === 'held') return { kind: 'ended', state };
  const mayBeOpen = state === 'quoted' && (await readOpenRequest(database, payment.paymentId, 'create')) !== null;
  if (mayBeOpen) return { kind: 'unknown_outcome' };
  if (approved === null) return { kind: 'ended', state: await refuseUnapproved(database, payment, 'create') };
  if (isStopped) return { kind: 'stopped' };
  if (state === 'quoted') return { kind: 'unknown_outcome' };
  if (state === 'ready') return { kind: 'quote_expired' };
  throw new Error(`payment ${payment.paymentId} is ${state} without the provider's id`);
}

async function recordFailure(
  { database, now }: Recording,
  failure: ProviderFailure,
  { paymentId, ...hand }: RequestInHand & { paymentId: string },
): Promise<CreateOutcome> {
  const { httpStatus, kind } = failure;
  const answer = { ...hand, answer: kind, httpStatus };
  if (wasStopped(failure)) {
    await notSent(database, hand, null);
    return { kind: 'stopped' };
  }
  if (hadNoEffect(failure)) {
    await recordIfCurrent(database, { ...answer, outcome: 'had_no_effect', move: { to: null } });
    throw retryLater(failure);
  }
  if (kind !== 'refused') {
    await recordIfCurrent(database, { ...answer, outcome: null, move: { to: null } });
    return { kind: 'unknown_outcome' };
  }
  const earlier = await countCreations(database, paymentId);
  // An earlier one may show only now: refused in words that do not say so, as its reference is taken.
  if (earlier.lookedUp > 0 && earlier.refused < MOST_REFUSALS) {
    await recordIfCurrent(database, { ...answer, outcome: null, move: { to: null } });
    return { kind: 'unknown_outcome' };
  }
  // No contract says in which words a quote is over: another one is tried before any refusal is taken for the last word.
  if (earlier.refused === 0 || (speaksOfQuote(failure) && earlier.refused < MOST_REFUSALS)) {
    await recordIfCurrent(database, { ...answer, outcome: 'refused', move: { to: 'ready' } });
    return { kind: 'quote_expired' };
  }
  const mayExist = earlier.lookedUp > 0 || (await mayHaveBeenCreated(database, paymentId, hand.requestId));
  const facts = { ...refusalWords(failure), ended_at: new Date(now()) };
  const move = asideUnlessCreated(mayExist, { to: 'rejected', facts }, now());
  await recordIfCurrent(database, { ...answer, outcome: 'refused', move });
  return { kind: 'ended', state: move.to };
}

function quoteIsOver(
  { quotedAt, quoteExpiresAt }: Pick<PaymentRecord, 'quotedAt' | 'quoteExpiresAt'>,
  nowMs: number,
): boolean {
  if (quotedAt === null || quoteExpiresAt === null) return false;
  const lifeMs = quoteExpiresAt.getTime() - quotedAt.getTime();
  // Over before it began: the clocks differ, and only the provider can tell.
  if (lifeMs <= 0) return false;
  return quoteExpiresAt.getTime() - Math.min(QUOTE_MARGIN_MS, lifeMs / 2) < nowMs;
}
