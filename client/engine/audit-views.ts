import { listAuditEntries } from '../../store/audit-trail.ts';
import { type ChainHead, verifyAudit } from '../../store/audit-verification.ts';
import type { AuditEntrySummary, AuditReport } from './audit-api.ts';
import type { EngineDependencies } from './engine-dependencies.ts';
import { EngineError } from './engine-error.ts';
import { iso } from './run-views.ts';

export async function listAudit(
  { database }: EngineDependencies,
  runId: string,
  page: { limit: number; afterEntry: number; rowRef: string | null },
): Promise<AuditEntrySummary[]> {
  const entries = await listAuditEntries(database, runId, page);
  return entries.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() }));
}

/** Verifies the chain, one at a time: each reads the whole trail. */
export function createAuditVerifier({
  database,
}: EngineDependencies): (noted: ChainHead | null) => Promise<AuditReport> {
  let busy = false;
  return async (noted) => {
    if (busy) throw new EngineError('unavailable', 'the audit trail is being verified already; try again in a moment');
    busy = true;
    try {
      const { unsealedSince, ...found } = await verifyAudit(database, noted);
      return { ...found, unsealedSince: iso(unsealedSince) };
    } finally {
      busy = false;
    }
  };
}
