import {
  type AuditEntry,
  listAuditEntries,
  listCaseAuditEntries,
  listGlobalAuditEntries,
} from '../../store/audit/audit-trail.ts';
import { type ChainHead, verifyAudit } from '../../store/audit/audit-verification.ts';
import type { AuditEntrySummary, AuditReport, GlobalAuditQuery } from '../../api/audit/audit.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { endOf, iso } from '../iso-time.ts';

export async function listAudit(
  { database }: ApplicationDependencies,
  runId: string,
  { by, ...page }: { limit: number; afterEntry: number; rowRef: string | null; by: 'people' | null },
): Promise<AuditEntrySummary[]> {
  return (await listAuditEntries(database, runId, { ...page, byPeople: by === 'people' })).map(summaryOf);
}

/** Entries that belong to no run. @throws ApplicationError `invalid_input` for an invalid time */
export async function listGlobalAudit(
  { database }: ApplicationDependencies,
  { order, userId, ...page }: GlobalAuditQuery,
): Promise<AuditEntrySummary[]> {
  const from = page.from === null ? null : new Date(page.from);
  if (from !== null && Number.isNaN(from.getTime())) {
    throw new ApplicationError('invalid_input', 'from: give a day or a time, as 2026-03-31 or 2026-03-31T08:00:00Z');
  }
  const filter = { ...page, from, to: endOf(page.to), actor: userId, newestFirst: order === 'newest' };
  return (await listGlobalAuditEntries(database, filter)).map(summaryOf);
}

export async function listCaseAudit(
  { database }: ApplicationDependencies,
  caseId: string,
  page: { limit: number; afterEntry: number },
): Promise<AuditEntrySummary[]> {
  return (await listCaseAuditEntries(database, caseId, page)).map(summaryOf);
}

function summaryOf({ at, ...entry }: AuditEntry): AuditEntrySummary {
  return { ...entry, at: at.toISOString() };
}

/** Verifies the chain, one request at a time: each reads the whole trail. */
export function createAuditVerifier({
  database,
}: ApplicationDependencies): (noted: ChainHead | null) => Promise<AuditReport> {
  let busy = false;
  return async (noted) => {
    if (busy)
      throw new ApplicationError('unavailable', 'the audit trail is being verified already; try again in a moment');
    busy = true;
    try {
      const { unchainedSince, afterNotedSince, ...found } = await verifyAudit(database, noted);
      return { ...found, unchainedSince: iso(unchainedSince), afterNotedSince: iso(afterNotedSince) };
    } finally {
      busy = false;
    }
  };
}
