import { addLookAlikesOfRun } from '../../store/beneficiaries/look-alikes-of-run.ts';
import { markDuplicates } from '../../store/runs/duplicates.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { payeesOf } from '../payments/payee-data.ts';

/** Holds rows that may have been paid before, or appear twice in the file. None is dropped: a person decides. */
export function checkDuplicatesActivity(dependencies: Pick<ActivityDependencies, 'database' | 'dataKeys'>) {
  const { database } = dependencies;
  return async function checkDuplicates({ runId }: { runId: string }): Promise<{ suspects: number }> {
    // guard: look-alikes-before-proposal
    await addLookAlikesOfRun(database, await payeesOf(dependencies), runId);
    return { suspects: await markDuplicates(database, runId) };
  };
}
