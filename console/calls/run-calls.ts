import type { AuditPage } from '../../api/audit/audit.ts';
import type { CostReport, RunCosts } from '../../api/treasury/costs.ts';
import { call, type ConsoleCall } from './call.ts';

type Query = NonNullable<ConsoleCall['query']>;

export function listRunAudit(runId: string, query: Query, signal: AbortSignal): Promise<AuditPage> {
  return call<AuditPage>({ path: `/runs/${runId}/audit`, query, signal });
}

/** Null: no payment of it was funded yet. */
export async function readRunCosts(runId: string, signal: AbortSignal): Promise<CostReport | null> {
  return (await call<RunCosts>({ path: `/runs/${runId}/costs`, signal })).costs;
}
