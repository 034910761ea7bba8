import type { ApplicationDependencies } from './application-dependencies.ts';

const HEALTH_TIMEOUT_MS = 2_000;

/** Each service by name: null when it answers, else what is wrong, in words without addresses or credentials. */
export async function serviceHealth({
  database,
  temporal,
}: ApplicationDependencies): Promise<Record<'postgres' | 'temporal', string | null>> {
  const [postgres, temporalHealth] = await Promise.all([
    problemOf(database.query('select 1'), 'Postgres does not answer'),
    problemOf(
      temporal.withDeadline(Date.now() + HEALTH_TIMEOUT_MS, () => temporal.workflowService.getSystemInfo({})),
      'Temporal does not answer',
    ),
  ]);
  return { postgres, temporal: temporalHealth };
}

async function problemOf(answer: Promise<unknown>, problem: string): Promise<string | null> {
  const timeout = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
  const late = new Promise<string>((resolve) => timeout.addEventListener('abort', () => resolve(problem)));
  return Promise.race([answer.then(() => null).catch(() => problem), late]);
}
