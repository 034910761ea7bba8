import { markDuplicates } from '../../store/runs/duplicates.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Sets rows aside that may have been paid before, or stand twice in the file. None is dropped: a person decides. */
export function checkDuplicatesActivity({ database }: ActivityDependencies) {
  return async function checkDuplicates({ runId }: { runId: string }): Promise<{ suspects: number }> {
    return { suspects: await markDuplicates(database, runId) };
  };
}
