import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import { readStepStates, type StepState } from '../../store/approvals/approval-steps.ts';
import type { RunRecord } from '../../store/runs/runs.ts';
import { iso } from '../iso-time.ts';
import type { ActionDependencies } from './allowed-actions.ts';

const MAX_PEOPLE = 20;

type RunApproval = Pick<DecisionFacts, 'steps' | 'rules' | 'isCovered' | 'canBeApproved'>;

/** The steps that the policy asks of a run which waits for a decision, how far they are, and whether people can take them. */
export async function runApproval(
  { database, steps }: Pick<ActionDependencies, 'database' | 'steps'>,
  run: Pick<RunRecord, 'runId' | 'proposal'>,
): Promise<RunApproval> {
  const policy = await steps.of(run.runId);
  const contentHash = run.proposal?.contentHash;
  // Only of a run that waits: the audit trail says who was asked before.
  if (policy === null || contentHash === undefined) {
    return { steps: [], rules: [], isCovered: true, canBeApproved: false };
  }
  const states = await readStepStates(database, { runId: run.runId, contentHash, steps: policy.steps });
  const open = states.filter(({ takenBy }) => takenBy === null);
  return {
    steps: states.map((state, index) => {
      const { role = null, logins = null } = policy.steps[index] ?? {};
      return {
        step: state.step,
        role,
        logins,
        takenBy: state.takenBy,
        actsFor: state.actsFor,
        takenAt: iso(state.takenAt),
        eligibleApprovers: state.people.slice(0, MAX_PEOPLE),
        eligibleApproverCount: state.people.length,
      };
    }),
    rules: policy.rules,
    isCovered: policy.steps.length > 0,
    canBeApproved: policy.steps.length > 0 && canAllBeTaken(open),
  };
}

/** Whether each open step could be taken by another person: steps take people in turn, those with fewest first choose again. */
function canAllBeTaken(open: readonly StepState[]): boolean {
  const takenBy = new Map<string, number>();
  const assign = (step: number, tried: Set<string>): boolean =>
    (open[step]?.people ?? []).some(({ userId }) => {
      if (tried.has(userId)) return false;
      tried.add(userId);
      const other = takenBy.get(userId);
      if (other !== undefined && !assign(other, tried)) return false;
      takenBy.set(userId, step);
      return true;
    });
  return open.every((_state, step) => assign(step, new Set()));
}
