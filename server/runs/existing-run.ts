import type { RunSummary } from '../../api/runs/run.ts';
import type { Application } from '../../application/create-application.ts';
import { orNotFound } from '../../application/application-error.ts';

/** The run, or `not_found`. */
export async function existingRun(application: Pick<Application, 'findRun'>, runId: string): Promise<RunSummary> {
  return orNotFound(await application.findRun(runId), `there is no run ${runId}`);
}
