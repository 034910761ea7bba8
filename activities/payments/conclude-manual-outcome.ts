import { contradictionOf, type PaymentLookup } from '../../domain/payments/payment-lookup.ts';
import {
  type ConfirmOutcome,
  objectionToConfirming,
  type ManualOutcomeRefusal,
} from '../../domain/payments/manual-outcome.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { readFreshLookups } from '../../store/payments/payment-lookups.ts';
import {
  closeManualOutcome,
  readLookupId,
  readManualOutcomeToConclude,
  type ManualOutcomeToConclude,
} from '../../store/payments/manual-outcomes.ts';
import { evidenceHashOf, readEvidence } from '../../store/payments/row-evidence.ts';
import { updateOutcome, lockRun } from '../../store/runs/run-outcome.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { auditConfirming, type Confirming, recordContradicted, recordResolved } from './record-manual-outcome.ts';

/**
 * Applies a confirmed manual outcome, unless the row has changed since or the provider shows another outcome. Both the
 * confirmation and the provider's answers are read from the database: anyone who reaches Temporal could put anything into this
 * activity's input. Runs in one transaction, and is idempotent.
 */
export function concludeManualOutcomeActivity({ database, settings, now }: ActivityDependencies) {
  return async function concludeManualOutcome({
    manualOutcomeId,
  }: {
    manualOutcomeId: string;
  }): Promise<ConfirmOutcome> {
    const { paymentId } = required(await readManualOutcomeToConclude(database, manualOutcomeId));
    const { runId } = required(await readEvidence(database, paymentId));
    return inTransaction(database, async (transaction) => {
      await lockRun(transaction, runId);
      const row = required(await readEvidence(transaction, paymentId, { lock: true }));
      const manualOutcome = required(await readManualOutcomeToConclude(transaction, manualOutcomeId, { lock: true }));
      const { confirmedBy } = manualOutcome;
      // Only a confirmation made at the server counts.
      // guard: confirmed-in-the-record
      if (confirmedBy === null) return { kind: 'refused', refusal: NOT_CONFIRMED };
      const confirming = { row, manualOutcome, confirmedBy, at: new Date(now()) };
      const earlier = outcomeOfEarlierAttempt(manualOutcome, confirmedBy);
      if (earlier !== null) return earlier;
      const refusal = await refuseIfNotAllowed(transaction, confirming);
      if (refusal !== null) return { kind: 'refused', refusal };
      const lookups = await readFreshLookups(transaction, { paymentId, manualOutcomeId });
      const providerId = await readLookupId(transaction, paymentId);
      // guard: looked-up-at-all
      if (!wasAskedSince(lookups, providerId)) return { kind: 'refused', refusal: NOT_ASKED };
      const contradiction = contradictionOf(manualOutcome, lookups, {
        stateOf: settings.stateOf,
        isPastCutoff: row.fundingCutoffAt !== null && row.fundingCutoffAt.getTime() < now(),
      });
      if (contradiction === null) await recordResolved(transaction, confirming, lookups);
      else await recordContradicted(transaction, confirming, contradiction);
      await updateOutcome(transaction, runId);
      return contradiction === null ? { kind: 'confirmed' } : { kind: 'contradicted', says: contradiction.says };
    });
  };
}

const NOT_CONFIRMED: ManualOutcomeRefusal = { why: 'not_open', message: 'nobody has confirmed the proposal' };

const NOT_ASKED: ManualOutcomeRefusal = {
  why: 'provider_not_asked',
  message: 'the provider was not asked since the proposal was confirmed: confirm it again',
};

function wasAskedSince(lookups: readonly PaymentLookup[], providerId: string | null): boolean {
  const wasAsked = (how: PaymentLookup['asked']): boolean => lookups.some(({ asked }) => asked === how);
  return wasAsked('by_reference') && (providerId === null || wasAsked('by_id'));
}

/** An earlier attempt of this activity may have committed, and its result been lost. */
function outcomeOfEarlierAttempt(manualOutcome: ManualOutcomeToConclude, confirmedBy: string): ConfirmOutcome | null {
  if (manualOutcome.closedBy !== confirmedBy) return null;
  if (manualOutcome.state === 'confirmed') return { kind: 'confirmed' };
  return manualOutcome.state === 'contradicted'
    ? { kind: 'contradicted', says: manualOutcome.closingReason ?? '' }
    : null;
}

async function refuseIfNotAllowed(
  transaction: Queryable,
  confirming: Confirming,
): Promise<ManualOutcomeRefusal | null> {
  const { row, manualOutcome, confirmedBy } = confirming;
  const refusal = objectionToConfirming(manualOutcome, {
    confirmedBy,
    maker: manualOutcome.maker,
    evidenceHash: evidenceHashOf(row),
  });
  if (refusal === null) return null;
  const { manualOutcomeId } = manualOutcome;
  if (refusal.why === 'row_has_changed') {
    await closeManualOutcome(transaction, {
      manualOutcomeId,
      state: 'voided',
      closedBy: null,
      reason: refusal.message,
    });
  }
  await auditConfirming(transaction, confirming, 'manual_outcome_refused', { why: refusal.why });
  return refusal;
}

function required<T>(found: T | null): T {
  if (found === null) throw new Error('a manual outcome, its row or its run does not exist');
  return found;
}
