import type { CostReport, RunCosts } from '../../api/treasury/costs.ts';
import { call, type ConsoleCall } from './call.ts';

type Query = NonNullable<ConsoleCall['query']>;

/** Null: no payment of it was funded yet. */
export async function readRunCosts(runId: string, signal: AbortSignal): Promise<CostReport | null> {
  return (await call<RunCosts>({ path: `/runs/${runId}/costs`, signal })).costs;
}
