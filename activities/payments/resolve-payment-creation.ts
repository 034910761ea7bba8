import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { isRefusal } from '../../domain/payments/request-result.ts';
import type { SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import { resolveOpenRequest } from '../../store/payments/payment-outcome.ts';
import { type OpenRequest, readOpenRequest, readQuotesOfCreations } from '../../store/payments/request-history.ts';
import { type PaymentRecord, readPayment } from '../../store/payments/payments.ts';
import { tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { foundUpdate } from './created-payment.ts';
import { findByReference } from './get-payment.ts';
import { SEVERAL_FOUND } from './look-for-creation.ts';
import { knownState } from './payment-update.ts';
import { retryUntilVisible } from './visibility-delay.ts';

export type CreationOutcome = { kind: 'found'; state: PaymentState } | { kind: 'absent' };

/** An answer with only other payments ignored the reference, so it does not show that ours is absent. */
const INCONCLUSIVE_RETRY_MS = 30_000;

/**
 * Looks a create request with an unknown outcome up by its reference, once its effect must be visible. Found: the payment
 * is adopted. Absent: it may be created again, under the same reference.
 */
export function resolvePaymentCreationActivity({ database, provider, macOf, settings, now }: ActivityDependencies) {
  return async function resolvePaymentCreation({ paymentId }: { paymentId: string }): Promise<CreationOutcome> {
    const open = await readOpenRequest(database, paymentId, 'create');
    const payment = await readPayment(database, paymentId);
    if (open === null)
      return payment.providerPaymentId === null ? { kind: 'absent' } : { kind: 'found', state: payment.state };
    // guard: creation-lookup-once-visible
    retryUntilVisible(open, settings);

    const { ours, lookup } = await findByReference({ database, provider }, payment);
    const [found] = ours;
    if (found !== undefined) return adopt(open, payment, { found, count: ours.length });
    // guard: others-show-no-absence
    if (lookup.onlyOthers) {
      const message = 'the provider answered with other payments than the one looked for';
      throw tryAgainIn(INCONCLUSIVE_RETRY_MS, 'lookup_inconclusive', message);
    }
    return recordAbsent(open);
  };

  async function adopt(
    { requestId }: OpenRequest,
    payment: PaymentRecord,
    { found, count }: { found: SimplePayment; count: number },
  ): Promise<CreationOutcome> {
    const { plain: instruction } = payment;
    const quotes = await readQuotesOfCreations(database, payment.paymentId);
    // guard: one-of-several
    const shown = count === 1 ? knownState(found.status, settings.stateOf) : 'unknown';
    const created = foundUpdate(macOf(payment.account), { payment, instruction, quotes }, found, {
      ...{ shown, isOurAnswer: false, nowMs: now() },
    });
    const { state } = created;
    const update = { ...created.update, ...(count > 1 ? SEVERAL_FOUND : {}) };
    const detail = { found: count, ...created.detail };
    await resolveOpenRequest(database, { requestId, outcome: 'took_effect', to: state, update, detail });
    return { kind: 'found', state };
  }

  async function recordAbsent({ requestId, answer }: OpenRequest): Promise<CreationOutcome> {
    // The refusal may have been about the quote, so the next attempt uses another one.
    const to = answer !== null && isRefusal(answer) ? 'ready' : null;
    const outcome = answer === 'refused' ? 'refused' : 'not_seen';
    await resolveOpenRequest(database, { requestId, outcome, to, update: {} });
    return { kind: 'absent' };
  }
}
