import { FOUND_MORE_THAN_ONCE } from '../../domain/payments/manual-outcome.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { reopenResolvedRow } from '../../store/payments/manual-outcomes.ts';
import { resolveOpenRequest, transitionPayment } from '../../store/payments/payment-outcome.ts';
import { inTransaction } from '../../store/database/database.ts';
import { lockRun, updateOutcome } from '../../store/runs/run-outcome.ts';
import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import { applyProviderStatuses } from '../../store/payments/provider-statuses.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import { readOpenRequest } from '../../store/payments/request-history.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { findByReference } from './get-payment.ts';
import { observationOf, paymentUpdateOf } from './payment-update.ts';

export const SEVERAL_FOUND = {
  error_code: FOUND_MORE_THAN_ONCE,
  error_message: 'the provider has several payments under this reference',
} satisfies PaymentUpdate;

/**
 * Looks for a payment whose creation was not seen, by its reference. If the provider shows it now, it has its id
 * there, by which it is read from then on; if it has ended, that is its outcome. Otherwise it stays with people: its workflow
 * is gone, so nobody funds it. If two people had said that it was never created, they are contradicted: it is unknown again, and people
 * are notified.
 */
export async function lookForCreation(
  { database, provider, settings }: ActivityDependencies,
  payment: PaymentRecord,
): Promise<void> {
  const { paymentId, account, attempt } = payment;
  const open = await readOpenRequest(database, paymentId, 'create');
  const { ours, askedAt } = await findByReference({ database, provider }, payment);
  const [found, ...others] = ours;
  if (found === undefined) return;
  const referenceId = referenceIdOf(paymentId, attempt);
  const update = others.length > 0 ? SEVERAL_FOUND : { ...paymentUpdateOf(found), reference_id: referenceId };
  const detail = { found: 1 + others.length, providerStatus: found.status };
  const transition = { paymentId, to: 'unknown', kind: 'provider_state_recorded', update, detail } as const;
  if (payment.state === 'cancelled') {
    const shown = { providerPaymentId: others.length > 0 ? null : found.simplePaymentId, status: found.status };
    await inTransaction(database, async (transaction) => {
      await lockRun(transaction, payment.runId);
      // guard: found-after-it-was-resolved
      if (await reopenResolvedRow(transaction, paymentId, shown)) await updateOutcome(transaction, payment.runId);
    });
  }
  // An answer has come first.
  if ((await transitionPayment(database, { ...transition, whileIn: ['unknown'] })) === null) return;
  if (open !== null) {
    const { requestId } = open;
    await resolveOpenRequest(database, { requestId, outcome: 'took_effect', to: null, update: {} });
  }
  if (others.length === 0) {
    await applyProviderStatuses(database, account, askedAt, [observationOf(found, settings.stateOf)]);
  }
}
