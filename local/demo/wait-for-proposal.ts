import { runIsBeingPrepared } from '../../domain/runs/run-state.ts';
import type { PayrunClient, RunSummary } from '../../client/sdk/index.ts';

/** The run once people can decide on it: its proposal is written a moment before that. */
export async function waitForProposal(maker: PayrunClient, runId: string): Promise<RunSummary> {
  for await (const run of maker.watchRun(runId)) if (!runIsBeingPrepared(run.state)) return run;
  throw new Error('the run ended before it was proposed');
}
