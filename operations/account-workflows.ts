import { startAccountWorkflowsActivity } from '../activities/runs/start-account-workflows.ts';
import type { ApplicationDependencies } from '../application/application-dependencies.ts';
import { atMostEvery } from '../application/at-most-every.ts';
import { listPayingAccounts } from '../store/runs/run-workflows.ts';

const EVERY_MS = 3_600_000;

/**
 * Starts what reads an account, of each one that has ever paid a run: anyone with access to Temporal can terminate it, and a restored Temporal
 * has none of it, while the database has payments whose end is not known. Where nothing is to be read, it ends at once.
 */
export function startingAccountWorkflows(): (dependencies: ApplicationDependencies) => Promise<void> {
  return atMostEvery(EVERY_MS, async ({ database, temporal }) => {
    const start = startAccountWorkflowsActivity({ temporal });
    for (const account of await listPayingAccounts(database)) await start({ account });
  });
}
