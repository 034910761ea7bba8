import { contradictionOf, type LookUp } from '../../domain/payments/look-up.ts';
import { objectionToConfirming, type ResolutionRefusal } from '../../domain/payments/resolution.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { readFreshLookUps } from '../../store/payments/look-ups.ts';
import {
  closeResolution,
  readIdToLookUp,
  readResolutionToConclude,
  type ResolutionToConclude,
} from '../../store/payments/resolutions.ts';
import { evidenceHashOf, readEvidence } from '../../store/payments/row-evidence.ts';
import { followRows, lockRun } from '../../store/runs/run-outcome.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { auditConfirming, type Confirming, recordContradicted, recordResolved } from './record-resolution.ts';

export type ConfirmOutcome =
  | { kind: 'confirmed' }
  /** The provider says otherwise: what it says was recorded instead. */
  | { kind: 'contradicted'; says: string }
  | { kind: 'refused'; refusal: ResolutionRefusal };

/**
 * Lets a proposal take effect that somebody has confirmed in a request of their own, unless the row has changed since or
 * the provider says otherwise. What it says is read from the record, where the worker that asked has written it just
 * before: whoever reaches Temporal could tell this activity anything. All of it in one transaction; done twice it answers
 * the same.
 */
export function concludeResolutionActivity({ database, settings, now }: ActivityDependencies) {
  return async function concludeResolution({ resolutionId }: { resolutionId: string }): Promise<ConfirmOutcome> {
    const { paymentId } = known(await readResolutionToConclude(database, resolutionId));
    const { runId } = known(await readEvidence(database, paymentId));
    return inTransaction(database, async (transaction) => {
      await lockRun(transaction, runId);
      const row = known(await readEvidence(transaction, paymentId, { lock: true }));
      const resolution = known(await readResolutionToConclude(transaction, resolutionId, { lock: true }));
      const { confirmedBy } = resolution;
      // Only who confirmed it at the server counts, whatever a workflow was told.
      if (confirmedBy === null) return { kind: 'refused', refusal: NOT_CONFIRMED };
      const confirming = { row, resolution, confirmedBy, at: new Date(now()) };
      const earlier = outcomeOfEarlier(resolution, confirmedBy);
      if (earlier !== null) return earlier;
      const refusal = await refuse(transaction, confirming);
      if (refusal !== null) return { kind: 'refused', refusal };
      const lookUps = await readFreshLookUps(transaction, { paymentId, resolutionId });
      const providerId = await readIdToLookUp(transaction, paymentId);
      if (!isLookedUp(lookUps, providerId)) return { kind: 'refused', refusal: NOT_ASKED };
      const contradiction = contradictionOf(resolution, lookUps, settings.stateOf);
      if (contradiction === null) await recordResolved(transaction, confirming, lookUps);
      else await recordContradicted(transaction, confirming, contradiction);
      await followRows(transaction, runId);
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

/** An attempt of this activity may have committed and its answer been lost. */
function outcomeOfEarlier(resolution: ResolutionToConclude, confirmedBy: string): ConfirmOutcome | null {
  if (resolution.closedBy !== confirmedBy) return null;
  if (resolution.state === 'confirmed') return { kind: 'confirmed' };
  return resolution.state === 'contradicted' ? { kind: 'contradicted', says: resolution.closingReason ?? '' } : null;
}

async function refuse(transaction: Queryable, confirming: Confirming): Promise<ResolutionRefusal | null> {
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

function known<T>(found: T | null): T {
  if (found === null) throw new Error('a resolution, its row or its run is gone');
  return found;
}
