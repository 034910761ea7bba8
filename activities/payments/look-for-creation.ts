import { mayBePaid } from '../../domain/payments/payment-lookup.ts';
import { wasNeverPaid } from '../../domain/payments/payment-state.ts';
import type { SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
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
import { instantOf, observationOf, paymentUpdateOf } from './payment-update.ts';

export const SEVERAL_FOUND = {
  error_code: FOUND_MORE_THAN_ONCE,
  error_message: 'the provider has several payments under this reference',
} satisfies PaymentUpdate;

/**
 * Looks for a payment whose creation was not seen, by its reference. If the provider shows it now, it has its id
 * there, by which it is read from then on; if it has ended, that is its outcome. Otherwise it stays with people: its workflow
 * is gone, so nobody funds it.
 */
export async function lookForCreation(dependencies: ActivityDependencies, payment: PaymentRecord): Promise<void> {
  const { database, provider, settings } = dependencies;
  const { paymentId, account, attempt } = payment;
  const open = await readOpenRequest(database, paymentId, 'create');
  const { ours, askedAt } = await findByReference({ database, provider }, payment);
  const [found, ...others] = ours;
  if (found === undefined) return;
  const referenceId = referenceIdOf(paymentId, attempt);
  const update = others.length > 0 ? SEVERAL_FOUND : { ...paymentUpdateOf(found), reference_id: referenceId };
  const detail = { found: 1 + others.length, providerStatus: found.status };
  const transition = { paymentId, to: 'unknown', kind: 'provider_state_recorded', update, detail } as const;
  await reopenIfContradicted(dependencies, payment, ours);
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

/**
 * Two people had said that a payment was never created, or was not paid, and the provider shows otherwise: it is unknown again, and people are
 * notified.
 */
export async function reopenIfContradicted(
  { database, settings, now }: ActivityDependencies,
  { paymentId, runId, state }: PaymentRecord,
  found: readonly SimplePayment[],
): Promise<void> {
  const [first, ...others] = found;
  if (first === undefined || !wasNeverPaid(state)) return;
  const isPastCutoff = (shown: SimplePayment): boolean =>
    (instantOf(shown.fundingCutoffTime)?.getTime() ?? Infinity) < now();
  const shown = {
    providerPaymentId: others.length > 0 ? null : first.simplePaymentId,
    status: first.status,
    mayBePaid: found.some((each) => mayBePaid(settings.stateOf(each.status), isPastCutoff(each))),
  };
  await inTransaction(database, async (transaction) => {
    await lockRun(transaction, runId);
    // guard: found-after-it-was-resolved
    if (await reopenResolvedRow(transaction, paymentId, shown)) await updateOutcome(transaction, runId);
  });
}
