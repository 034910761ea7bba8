import { condition, setHandler } from '@temporalio/workflow';
import { mainActivities } from './activity-options.ts';
import { contentChanged, decisionRecorded, type PaymentRunInput } from './messages.ts';

export type DecisionOutcome = { kind: 'approved' | 'rejected' | 'withdrawn' | 'expired' };

/** Waits for the decision on a run. The decision itself is in the database. */
export interface ApprovalGate {
  /** Opens the run for decisions, then waits for one or for the time limit. */
  untilDecided(): Promise<DecisionOutcome>;
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
    untilDecided: async () => {
      // From here on the run can be decided, and somebody may do so at once.
      await mainActivities.openForDecision({ runId });
      const inTime = await condition(() => outcome !== null, input.decisionWithinMs);
      if (!inTime) await condition(() => running === 0);
      if (outcome === null) await expire();
      await condition(() => running === 0);
      return outcome ?? { kind: 'expired' };
    },
  };

  async function expire(): Promise<void> {
    const { isExpired } = await mainActivities.expireRun({ runId });
    // Somebody decided at the last moment.
    if (!isExpired) await readDecision();
    outcome ??= { kind: 'expired' };
  }
}
