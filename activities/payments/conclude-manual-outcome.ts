import { contradictionOf, type LookUp } from '../../domain/payments/look-up.ts';
import {
  type ConfirmOutcome,
  objectionToConfirming,
  type ResolutionRefusal,
} from '../../domain/payments/resolution.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { readFreshLookUps } from '../../store/payments/look-ups.ts';
import {
  closeResolution,
  readIdToLookUp,
  readResolutionToConclude,
  type ResolutionToConclude,
} from '../../store/payments/resolutions.ts';
import { evidenceHashOf, readEvidence } from '../../store/payments/row-evidence.ts';
import { updateOutcome, lockRun } from '../../store/runs/run-outcome.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { auditConfirming, type Confirming, recordContradicted, recordResolved } from './record-resolution.ts';

/**
 * Applies a confirmed resolution, unless the row has changed since or the provider shows another outcome. Both the
 * confirmation and the provider's answers are read from the record: anyone who reaches Temporal could put anything into this
 * activity's input. Runs in one transaction, and is idempotent.
 */
export function concludeManualOutcomeActivity({ database, settings, now }: ActivityDependencies) {
  return async function concludeManualOutcome({ resolutionId }: { resolutionId: string }): Promise<ConfirmOutcome> {
    const { paymentId } = required(await readResolutionToConclude(database, resolutionId));
    const { runId } = required(await readEvidence(database, paymentId));
    return inTransaction(database, async (transaction) => {
      await lockRun(transaction, runId);
      const row = required(await readEvidence(transaction, paymentId, { lock: true }));
      const resolution = required(await readResolutionToConclude(transaction, resolutionId, { lock: true }));
      const { confirmedBy } = resolution;
      // Only a confirmation made at the server counts.
      // guard: confirmed-in-the-record
      if (confirmedBy === null) return { kind: 'refused', refusal: NOT_CONFIRMED };
      const confirming = { row, resolution, confirmedBy, at: new Date(now()) };
      const earlier = outcomeOfEarlierAttempt(resolution, confirmedBy);
      if (earlier !== null) return earlier;
      const refusal = await refuseIfNotAllowed(transaction, confirming);
      if (refusal !== null) return { kind: 'refused', refusal };
      const lookUps = await readFreshLookUps(transaction, { paymentId, resolutionId });
      const providerId = await readIdToLookUp(transaction, paymentId);
      // guard: looked-up-at-all
      if (!isLookedUp(lookUps, providerId)) return { kind: 'refused', refusal: NOT_ASKED };
      const contradiction = contradictionOf(resolution, lookUps, settings.stateOf);
      if (contradiction === null) await recordResolved(transaction, confirming, lookUps);
      else await recordContradicted(transaction, confirming, contradiction);
      await updateOutcome(transaction, runId);
      return contradiction === null ? { kind: 'confirmed' } : { kind: 'contradicted', says: contradiction.says };
    });
  };
}

const NOT_CONFIRMED: ResolutionRefusal = { why: 'not_open', message: 'nobody has confirmed the proposal' };

const NOT_ASKED: ResolutionRefusal = {
  why: 'provider_not_asked',
  message: 'the provider was not asked since the proposal was confirmed: confirm it again',
};

function isLookedUp(lookUps: readonly LookUp[], providerId: string | null): boolean {
  const wasAsked = (how: LookUp['asked']): boolean => lookUps.some(({ asked }) => asked === how);
  return wasAsked('find') && (providerId === null || wasAsked('read'));
}

/** An earlier attempt of this activity may have committed, and its result been lost. */
function outcomeOfEarlierAttempt(resolution: ResolutionToConclude, confirmedBy: string): ConfirmOutcome | null {
  if (resolution.closedBy !== confirmedBy) return null;
  if (resolution.state === 'confirmed') return { kind: 'confirmed' };
  return resolution.state === 'contradicted' ? { kind: 'contradicted', says: resolution.closingReason ?? '' } : null;
}

async function refuseIfNotAllowed(transaction: Queryable, confirming: Confirming): Promise<ResolutionRefusal | null> {
  const { row, resolution, confirmedBy } = confirming;
  const refusal = objectionToConfirming(resolution, {
    confirmedBy,
    maker: resolution.maker,
    evidenceHash: evidenceHashOf(row),
  });
  if (refusal === null) return null;
  const { resolutionId } = resolution;
  if (refusal.why === 'row_has_changed') {
    await closeResolution(transaction, { resolutionId, state: 'voided', closedBy: null, reason: refusal.message });
  }
  await auditConfirming(transaction, confirming, 'resolution_refused', { why: refusal.why });
  return refusal;
}

function required<T>(found: T | null): T {
  if (found === null) throw new Error('a resolution, its row or its run does not exist');
  return found;
}
