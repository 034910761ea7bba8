import { type PolicySteps, readPolicySteps, readStepsScope } from '../../store/approvals/approval-steps.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';

/** Which steps the policy asks of runs that wait for a decision, for showing them. A decision always computes them itself. */
export interface ApprovalSteps {
  /** Without steps: no rule covers the run. Null: it is not waiting for a decision. */
  of(runId: string): Promise<PolicySteps | null>;
}

/** Whether a beneficiary is new may change with other runs. */
const CACHED_FOR_MS = 60_000;
/** More than an inbox asks about at once. */
const MAX_CACHED_RUNS = 250;

interface CacheEntry {
  scope: string;
  foundAtMs: number;
  steps: Promise<PolicySteps>;
}

/** Finding the steps reads every row of a run: they are cached in memory while its content and the policy are the same. */
export function createApprovalSteps({ database, now }: ApplicationDependencies): ApprovalSteps {
  const cache = new Map<string, CacheEntry>();
  return {
    of: async (runId) => {
      const scope = await readStepsScope(database, runId);
      if (scope === null) return null;
      const known = cache.get(runId);
      if (known?.scope === scope && now() - known.foundAtMs < CACHED_FOR_MS) return known.steps;
      const steps = readPolicySteps(database, runId).then((found) => found ?? { rules: [], steps: [] });
      cache.delete(runId);
      cache.set(runId, { scope, foundAtMs: now(), steps });
      for (const oldest of [...cache.keys()].slice(0, -MAX_CACHED_RUNS)) cache.delete(oldest);
      steps.catch(() => {
        if (cache.get(runId)?.steps === steps) cache.delete(runId);
      });
      return steps;
    },
  };
}
