import type { Contradiction, PaymentLookup } from '../../domain/payments/payment-lookup.ts';
import { hasFailed, type PaymentState } from '../../domain/payments/payment-state.ts';
import { stateOfManualOutcome } from '../../domain/payments/manual-outcome.ts';
import type { TransitionKind, ManualOutcomeAuditKind } from '../../store/audit/audit-kinds.ts';
import { appendAudit } from '../../store/audit/audit.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { closeManualOutcome, type ManualOutcomeToConclude } from '../../store/payments/manual-outcomes.ts';
import type { RowEvidence } from '../../store/payments/row-evidence.ts';

/** An open proposal that is being confirmed, inside the transaction that locks its row. */
export interface Confirming {
  row: RowEvidence;
  manualOutcome: ManualOutcomeToConclude;
  confirmedBy: string;
  at: Date;
}

/** Two people agree: the row ends as they say. */
export async function recordResolved(
  transaction: Queryable,
  confirming: Confirming,
  lookups: readonly PaymentLookup[],
): Promise<void> {
  const { row, manualOutcome, confirmedBy } = confirming;
  const { manualOutcomeId, outcome } = manualOutcome;
  await closeManualOutcome(transaction, { manualOutcomeId, state: 'confirmed', closedBy: confirmedBy, reason: null });
  const seen = lookups.flatMap(({ payments }) => payments);
  const [one, ...others] = new Map(seen.map((shown) => [shown.providerPaymentId, shown])).values();
  const shown = others.length === 0 ? one : undefined;
  const providerPaymentId = manualOutcome.providerPaymentId ?? row.providerPaymentId ?? shown?.providerPaymentId;
  const to = stateOfManualOutcome(outcome);
  await transitionRow(transaction, confirming, to, 'resolved', {
    ...(providerPaymentId === undefined ? {} : { provider_payment_id: providerPaymentId }),
    ...(shown === undefined ? {} : { provider_status: shown.status }),
    error_code: outcome === 'paid' ? null : `resolved_${outcome}`,
    error_message: outcome === 'paid' ? null : `two people resolved it as ${outcome.replaceAll('_', ' ')}`,
  });
  await auditConfirming(transaction, confirming, 'manual_outcome_confirmed', { as: outcome, state: to });
}

/** The provider contradicts the proposal: what it shows is recorded instead, as far as it says how the payment ended. */
export async function recordContradicted(
  transaction: Queryable,
  confirming: Confirming,
  { says, shown, state }: Contradiction,
): Promise<void> {
  const { manualOutcome, confirmedBy } = confirming;
  const { manualOutcomeId, outcome } = manualOutcome;
  await closeManualOutcome(transaction, {
    manualOutcomeId,
    state: 'contradicted',
    closedBy: confirmedBy,
    reason: says,
  });
  await auditConfirming(transaction, confirming, 'manual_outcome_contradicted', {
    as: outcome,
    providerPaymentId: shown?.providerPaymentId ?? null,
    providerStatus: shown?.status ?? null,
  });
  if (shown === null) return;
  const update = {
    provider_payment_id: shown.providerPaymentId,
    provider_status: shown.status,
    ...reasonFields(state),
  };
  await transitionRow(transaction, confirming, state ?? 'unknown', 'provider_state_recorded', update);
}

function reasonFields(state: Contradiction['state']): PaymentUpdate {
  if (state === null) return {};
  return hasFailed(state)
    ? { error_code: `provider_${state}`, error_message: `the provider shows it as ${state}` }
    : { error_code: null, error_message: null };
}

/** The outcome of a confirmation. The confirmation itself and the transition of the row have their own audit entries. */
export async function auditConfirming(
  transaction: Queryable,
  { row: { runId, paymentId }, manualOutcome, confirmedBy }: Confirming,
  kind: ManualOutcomeAuditKind,
  detail: Record<string, unknown>,
): Promise<void> {
  const entry = { manualOutcome: manualOutcome.manualOutcomeId, confirmedBy, ...detail };
  await appendAudit(transaction, { actor: 'worker', kind, runId, paymentId, detail: entry });
}

async function transitionRow(
  transaction: Queryable,
  { row: { paymentId }, at }: Confirming,
  to: PaymentState,
  kind: TransitionKind,
  update: PaymentUpdate,
): Promise<void> {
  const end = to === 'unknown' ? {} : { ended_at: at };
  const state = await transitionPayment(transaction, { paymentId, to, kind, update: { ...update, ...end } });
  if (state === null) throw new Error(`payment ${paymentId} cannot become ${to}`);
}
