import type { Engine, RunSummary } from '../../application/application-api.ts';
import { EngineError } from '../../application/application-error.ts';

/** The run, or `not_found`. */
export async function existingRun(engine: Pick<Engine, 'findRun'>, runId: string): Promise<RunSummary> {
  const run = await engine.findRun(runId);
  if (run === null) throw new EngineError('not_found', `there is no run ${runId}`);
  return run;
}
