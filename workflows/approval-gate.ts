import { condition, setHandler } from '@temporalio/workflow';
import type { RunState } from '../domain/runs/run-state.ts';
import { mainActivities } from './activity-options.ts';
import { contentChanged, decisionRecorded, type PaymentRunInput } from './messages.ts';

export type DecisionOutcome = { kind: 'approved' | 'rejected' | 'withdrawn' | 'expired' };

/** Waits for the decision on a run. The decision itself is in the database. */
export interface ApprovalGate {
  /** Opens the run for decisions, then waits for one or for the time limit. `onOpen` is told for what the run waits. */
  untilDecided(onOpen: (state: RunState) => void): Promise<DecisionOutcome>;
}

/**
 * A signal only tells the workflow to read the database. Decisions are written there by the server alone, in the request of
 * the person who decides.
 */
export function openApprovalGate(input: PaymentRunInput): ApprovalGate {
  const { runId } = input;
  let outcome: DecisionOutcome | null = null;
  let running = 0;
  const readDecision = async (): Promise<void> => {
    running += 1;
    try {
      const recorded = await mainActivities.readDecision({ runId });
      if (recorded.outcome !== 'pending') outcome ??= { kind: recorded.outcome };
    } finally {
      running -= 1;
    }
  };
  setHandler(decisionRecorded, readDecision);
  setHandler(contentChanged, async () => {
    running += 1;
    try {
      await mainActivities.reviseProposal({ runId });
    } finally {
      running -= 1;
    }
  });

  return {
    untilDecided: async (onOpen) => {
      // From here on the run can be decided, and somebody may do so at once.
      const { state } = await mainActivities.openForDecision({ runId });
      onOpen(state);
      const isDecided = (): boolean => outcome !== null;
      for (let leftMs = input.decisionWithinMs; !isDecided(); ) {
        const inTime = await condition(isDecided, leftMs);
        if (!inTime) await condition(() => running === 0);
        if (!isDecided()) leftMs = await expire();
      }
      await condition(() => running === 0);
      return outcome ?? { kind: 'expired' };
    },
  };

  /** Ends the run if its time is over. Returns for how long people may still decide: its maker may have sent it late. */
  async function expire(): Promise<number> {
    const { isExpired, leftMs } = await mainActivities.expireRun({ runId });
    if (leftMs > 0) return leftMs;
    // Somebody decided at the last moment.
    if (!isExpired) await readDecision();
    outcome ??= { kind: 'expired' };
    return 0;
  }
}
