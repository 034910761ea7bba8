import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { FOUND_MORE_THAN_ONCE } from '../../domain/payments/resolution.ts';
import { keepLookUp } from '../../store/payments/look-ups.ts';
import { resolveOpenRequest } from '../../store/payments/payment-outcome.ts';
import { readOpenRequest } from '../../store/payments/payment-requests.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callRepeatable, tryAgainIn } from './call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { knownState } from './known-status.ts';
import { lookUpOf } from './look-up-payment.ts';
import { terminalFieldsOf, paymentUpdateOf } from './payment-update.ts';
import { createdUpdate } from './sealed-facts.ts';
import { resolveOutcome } from './visibility-delay.ts';

export type FindOutcome = { kind: 'found'; state: PaymentState } | { kind: 'absent' };

/** An answer that holds others' payments did not look for this reference, and shows nothing by its silence. */
const INCONCLUSIVE_RETRY_MS = 30_000;

const SEVERAL_FOUND = {
  error_code: FOUND_MORE_THAN_ONCE,
  error_message: 'the provider has several payments under this reference',
};

/**
 * Finds out what became of a create whose answer was never seen, by its reference. Found: it is adopted. Absent: it
 * may be created again, under the same reference; but only once the time has passed in which it could still show.
 */
export function findPaymentActivity({ database, provider, seal, settings, now }: ActivityDependencies) {
  return async function findPayment({ paymentId }: { paymentId: string }): Promise<FindOutcome> {
    const open = await readOpenRequest(database, paymentId, 'create');
    const payment = await readPayment(database, paymentId);
    if (open === null)
      return payment.providerPaymentId === null ? { kind: 'absent' } : { kind: 'found', state: payment.state };
    resolveOutcome(open, settings);

    const referenceId = referenceIdOf(paymentId, payment.attempt);
    const askedAt = await beginReading(database);
    const { value: payments } = await callRepeatable((options) =>
      provider(payment.account).simplePayments.find({ referenceId }, options),
    );
    const lookUp = lookUpOf('find', payments, referenceId);
    await keepLookUp(database, paymentId, lookUp, askedAt);
    const ours = payments.filter((candidate) => candidate.referenceId === referenceId);
    const [found] = ours;
    if (found === undefined) {
      if (lookUp.onlyOthers) {
        throw tryAgainIn(
          INCONCLUSIVE_RETRY_MS,
          'find_inconclusive',
          'the provider answered with other payments than the one looked for',
        );
      }
      // What was refused may have been refused for its quote: the next one has another.
      const to = open.answer === 'duplicate_reference' || open.answer === 'refused' ? 'ready' : null;
      await resolveOpenRequest(database, { requestId: open.requestId, outcome: 'had_no_effect', to, facts: {} });
      return { kind: 'absent' };
    }
    const { instruction } = payment;
    const known = ours.length === 1 ? knownState(found.status, settings.stateOf) : 'unknown';
    // What is found unfunded is funded next, so it is compared with what was approved.
    const created =
      known === 'created' && instruction !== null
        ? createdUpdate(seal(payment.account), { payment, instruction, maxFeePercent: settings.maxFeePercent }, found)
        : { state: known, facts: {}, detail: {} };
    const { state } = created;
    await resolveOpenRequest(database, {
      requestId: open.requestId,
      outcome: 'took_effect',
      to: state,
      facts: {
        ...paymentUpdateOf(found),
        ...terminalFieldsOf(found, state, now()),
        reference_id: referenceId,
        created_at: new Date(now()),
        ...(state === 'processing' || state === 'paid' ? { funded_at: new Date(now()) } : {}),
        ...(ours.length > 1 ? SEVERAL_FOUND : {}),
        ...created.facts,
      },
      detail: { found: ours.length, ...created.detail },
    });
    return { kind: 'found', state };
  };
}
