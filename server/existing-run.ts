import type { Engine, RunSummary } from '../client/engine/engine-api.ts';
import { EngineError } from '../client/engine/engine-error.ts';

/** The run, or `not_found`. */
export async function existingRun(engine: Pick<Engine, 'findRun'>, runId: string): Promise<RunSummary> {
  const run = await engine.findRun(runId);
  if (run === null) throw new EngineError('not_found', `there is no run ${runId}`);
  return run;
}
