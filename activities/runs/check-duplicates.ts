import { addLookAlikesOfRun } from '../../store/beneficiaries/look-alikes-of-run.ts';
import { markDuplicates } from '../../store/runs/duplicates.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { payeesOf } from '../payments/payee-data.ts';

/** Holds rows that may have been paid before, or appear twice in the file. None is dropped: a person decides. */
export function checkDuplicatesActivity(dependencies: Pick<ActivityDependencies, 'database' | 'dataKeys'>) {
  const { database } = dependencies;
  return async function checkDuplicates({ runId }: { runId: string }): Promise<{ suspects: number }> {
    const payees = await payeesOf(dependencies);
    const [suspects] = await Promise.all([
      markDuplicates(database, runId),
      // guard: look-alikes-before-proposal
      addLookAlikesOfRun(database, payees, runId),
    ]);
    return { suspects };
  };
}
