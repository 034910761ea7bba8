import type { AuditPage, AuditReport } from '../../api/audit/audit.ts';
import { call, type ConsoleCall } from './call.ts';

export function listAudit(query: NonNullable<ConsoleCall['query']>, signal: AbortSignal): Promise<AuditPage> {
  return call<AuditPage>({ path: '/audit', query, signal });
}

/** `head`: `POSITION:HASH`, as it was noted earlier; null: none was. */
export function verifyAudit(head: string | null): Promise<AuditReport> {
  return call<AuditReport>({ path: '/audit/verification', query: { head } });
}

/** What a person wrote with a decision or stop: the trail keeps a hash of it. */
export function eraseRemark(remarkId: string): Promise<unknown> {
  return call({ method: 'DELETE', path: `/remarks/${encodeURIComponent(remarkId)}` });
}
