import type { Application, RunSummary } from '../../application/application-api.ts';
import { ApplicationError } from '../../application/application-error.ts';

/** The run, or `not_found`. */
export async function existingRun(application: Pick<Application, 'findRun'>, runId: string): Promise<RunSummary> {
  const run = await application.findRun(runId);
  if (run === null) throw new ApplicationError('not_found', `there is no run ${runId}`);
  return run;
}
