import { markDuplicates } from '../../store/runs/duplicates.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Holds rows that may have been paid before, or appear twice in the file. None is dropped: a person decides. */
export function checkDuplicatesActivity({ database }: ActivityDependencies) {
  return async function checkDuplicates({ runId }: { runId: string }): Promise<{ suspects: number }> {
    return { suspects: await markDuplicates(database, runId) };
  };
}
