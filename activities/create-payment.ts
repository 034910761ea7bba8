import { hasEnded, type PaymentState } from '../domain/payment-state.ts';
import { ProviderFailure } from '../provider/failure.ts';
import { type Answer, beginRequest } from '../store/payment-requests.ts';
import type { PaymentRecord } from '../store/payments.ts';
import { callExclusive, hadNoEffect, refusalWords, retryLater } from './call-provider.ts';
import { approvedInstruction, NOT_AS_APPROVED } from './check-approved-row.ts';
import { createRequestOf } from './create-request.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { factsOfPayment } from './payment-facts.ts';
import { recordInTurn } from './record-in-turn.ts';

export type CreateOutcome =
  | { kind: 'created' }
  | { kind: 'quote_expired' }
  /** It may have been created: nothing else may be done before the reference was looked up. */
  | { kind: 'unknown_outcome' }
  | { kind: 'ended'; state: PaymentState };

/** A quote this close to its end may be over when the request arrives; of a short one, half its life has to do. */
const QUOTE_MARGIN_MS = 15_000;

/**
 * Creates the payment with the provider, once: the intent is on record before the request, and while its outcome is
 * open no second request begins, in this process or another. Contract: payments 2.6.
 */
export function createPaymentActivity({ database, provider, now }: ActivityDependencies) {
  return async function createPayment({
    paymentId,
    rowHash,
  }: {
    paymentId: string;
    rowHash: string;
  }): Promise<CreateOutcome> {
    const begunAtMs = performance.now();
    const { payment, requestId } = await beginRequest(database, {
      paymentId,
      operation: 'create',
      whileIn: ['quoted'],
    });
    if (requestId === null) return outcomeOfEarlier(payment);
    const instruction = approvedInstruction(payment, rowHash);
    if (instruction === null) {
      const answer = { requestId, operation: 'create', outcome: 'had_no_effect', httpStatus: null } as const;
      await recordInTurn(database, { ...answer, move: NOT_AS_APPROVED });
      return { kind: 'ended', state: 'held' };
    }
    const answer = { requestId, operation: 'create' } as const;
    if (payment.quoteId === null || quoteIsOver(payment, now())) {
      await recordInTurn(database, { ...answer, outcome: 'had_no_effect', httpStatus: null, move: { to: 'ready' } });
      return { kind: 'quote_expired' };
    }
    const request = await createRequestOf(database, payment, payment.quoteId, instruction).catch(
      async (error: unknown) => {
        // Nothing was sent: left open, the request would make the payment one that may exist.
        await recordInTurn(database, { ...answer, outcome: 'had_no_effect', httpStatus: null, move: { to: null } });
        throw error;
      },
    );
    const sent = await callExclusive(begunAtMs, (options) =>
      provider(payment.account).simplePayments.create(request, options),
    );
    if (sent instanceof ProviderFailure) return recordFailure(sent, answer);
    const facts = { ...factsOfPayment(sent.value), reference_id: request.referenceId, created_at: new Date(now()) };
    const move = { to: 'created', facts } as const;
    await recordInTurn(database, { ...answer, outcome: 'took_effect', httpStatus: sent.httpStatus, move });
    return { kind: 'created' };
  };

  async function recordFailure(
    failure: ProviderFailure,
    answer: Pick<Answer, 'requestId' | 'operation'>,
  ): Promise<CreateOutcome> {
    const { httpStatus } = failure;
    if (hadNoEffect(failure)) {
      await recordInTurn(database, { ...answer, outcome: 'had_no_effect', httpStatus, move: { to: null } });
      throw retryLater(failure);
    }
    if (failure.kind !== 'refused') {
      await recordInTurn(database, { ...answer, outcome: null, httpStatus, move: { to: null } });
      return { kind: 'unknown_outcome' };
    }
    if (failure.providerCode === 'quote_expired') {
      await recordInTurn(database, { ...answer, outcome: 'refused', httpStatus, move: { to: 'ready' } });
      return { kind: 'quote_expired' };
    }
    const move = { to: 'rejected', facts: { ...refusalWords(failure), settled_at: new Date(now()) } } as const;
    await recordInTurn(database, { ...answer, outcome: 'refused', httpStatus, move });
    return { kind: 'ended', state: 'rejected' };
  }
}

function outcomeOfEarlier(payment: PaymentRecord): CreateOutcome {
  if (payment.providerPaymentId !== null) return { kind: 'created' };
  if (payment.state === 'quoted') return { kind: 'unknown_outcome' };
  if (payment.state === 'ready') return { kind: 'quote_expired' };
  if (hasEnded(payment.state) || payment.state === 'held') return { kind: 'ended', state: payment.state };
  throw new Error(`payment ${payment.paymentId} is ${payment.state} without the provider's id`);
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
