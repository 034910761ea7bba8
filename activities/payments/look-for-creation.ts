import { FOUND_MORE_THAN_ONCE } from '../../domain/payments/manual-outcome.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { resolveOpenRequest, transitionPayment } from '../../store/payments/payment-outcome.ts';
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
 * Looks for an unknown payment whose creation was not seen, by its reference. If the provider shows it now, it has its id
 * there, by which it is read from then on; if it has ended, that is its outcome. Otherwise it stays with people: its workflow
 * is gone, so nobody funds it.
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
  // People, or an answer, have come first.
  if ((await transitionPayment(database, { ...transition, whileIn: ['unknown'] })) === null) return;
  if (open !== null) {
    const { requestId } = open;
    await resolveOpenRequest(database, { requestId, outcome: 'took_effect', to: null, update: {} });
  }
  if (others.length === 0) {
    await applyProviderStatuses(database, account, askedAt, [observationOf(found, settings.stateOf)]);
  }
}
