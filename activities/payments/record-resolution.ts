import type { Contradiction, LookUp } from '../../domain/payments/look-up.ts';
import { hasFailed, type PaymentState } from '../../domain/payments/payment-state.ts';
import { stateOfResolution } from '../../domain/payments/resolution.ts';
import type { TransitionKind, ResolutionKind } from '../../store/audit/audit-kinds.ts';
import { appendAudit } from '../../store/audit/audit.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { closeResolution, type ResolutionToConclude } from '../../store/payments/resolutions.ts';
import type { RowEvidence } from '../../store/payments/row-evidence.ts';

/** An open proposal that is being confirmed, inside the transaction that locks its row. */
export interface Confirming {
  row: RowEvidence;
  resolution: ResolutionToConclude;
  confirmedBy: string;
  at: Date;
}

/** Two people agree: the row ends as they say. */
export async function recordResolved(
  transaction: Queryable,
  confirming: Confirming,
  lookUps: readonly LookUp[],
): Promise<void> {
  const { row, resolution, confirmedBy } = confirming;
  const { resolutionId, outcome } = resolution;
  await closeResolution(transaction, { resolutionId, state: 'confirmed', closedBy: confirmedBy, reason: null });
  const seen = lookUps.flatMap(({ payments }) => payments);
  const [one, ...others] = new Map(seen.map((shown) => [shown.providerPaymentId, shown])).values();
  const shown = others.length === 0 ? one : undefined;
  const providerPaymentId = resolution.providerPaymentId ?? row.providerPaymentId ?? shown?.providerPaymentId;
  const to = stateOfResolution(outcome);
  await transitionRow(transaction, confirming, to, 'resolved', {
    ...(providerPaymentId === undefined ? {} : { provider_payment_id: providerPaymentId }),
    ...(shown === undefined ? {} : { provider_status: shown.status }),
    error_code: outcome === 'paid' ? null : `resolved_${outcome}`,
    error_message: outcome === 'paid' ? null : `two people resolved it as ${outcome.replaceAll('_', ' ')}`,
  });
  await auditConfirming(transaction, confirming, 'resolution_confirmed', { as: outcome, state: to });
}

/** The provider contradicts the proposal: what it shows is recorded instead, as far as it says how the payment ended. */
export async function recordContradicted(
  transaction: Queryable,
  confirming: Confirming,
  { says, shown, state }: Contradiction,
): Promise<void> {
  const { resolution, confirmedBy } = confirming;
  const { resolutionId, outcome } = resolution;
  await closeResolution(transaction, { resolutionId, state: 'contradicted', closedBy: confirmedBy, reason: says });
  await auditConfirming(transaction, confirming, 'resolution_contradicted', {
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
  { row: { runId, paymentId }, resolution, confirmedBy }: Confirming,
  kind: ResolutionKind,
  detail: Record<string, unknown>,
): Promise<void> {
  const entry = { resolution: resolution.resolutionId, confirmedBy, ...detail };
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
  const isDone = await transitionPayment(transaction, { paymentId, to, kind, update: { ...update, ...end } });
  if (!isDone) throw new Error(`payment ${paymentId} cannot become ${to}`);
}
