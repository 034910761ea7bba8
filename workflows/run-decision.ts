import { ApplicationFailure, condition, setHandler } from '@temporalio/workflow';
import { engineActivities } from './activity-options.ts';
import { approveRun, type PaymentRunInput, type RunDecision, rejectRun } from './messages.ts';

export type DecisionOutcome = { kind: 'approved'; userId: string } | { kind: 'rejected' } | { kind: 'expired' };

/** Where the decision on a run stands. A decision is recorded before the one who made it is told that it counts. */
export interface DecisionDesk {
  /** Opens the desk for what is proposed, and waits for one decision, or for the time to run out. */
  decide(contentHash: string): Promise<DecisionOutcome>;
}

/** Takes decisions from the first moment on: one that comes too early, too late or from the maker is refused. */
export function openDecisionDesk(input: PaymentRunInput): DecisionDesk {
  let proposed: string | null = null;
  let deciding = false;
  let outcome: DecisionOutcome | null = null;

  const validator = (decision: RunDecision): void => {
    if (decision.userId === input.submittedBy) throw refusal('maker_decides', 'the maker of a run cannot decide on it');
    if (proposed === null || deciding || outcome !== null) {
      throw refusal('not_deciding', 'the run is not waiting for a decision');
    }
    if (decision.contentHash !== null && decision.contentHash !== proposed) {
      throw refusal('content_changed', 'the run has changed since it was looked at');
    }
  };
  const taker =
    (kind: 'approved' | 'rejected') =>
    async (decision: RunDecision): Promise<undefined> => {
      deciding = true;
      try {
        await engineActivities.recordDecision({
          runId: input.runId,
          kind,
          userId: decision.userId,
          contentHash: proposed ?? '',
        });
        outcome = kind === 'approved' ? { kind, userId: decision.userId } : { kind };
        return undefined;
      } finally {
        deciding = false;
      }
    };
  setHandler(approveRun, taker('approved'), { validator });
  setHandler(rejectRun, taker('rejected'), { validator });

  return {
    decide: async (contentHash) => {
      proposed = contentHash;
      // Only once decisions are taken does the record say so: whoever reads it may decide at once.
      await engineActivities.openForDecision({ runId: input.runId });
      const inTime = await condition(() => outcome !== null, input.decisionWithinMs);
      if (!inTime) await condition(() => !deciding);
      if (outcome !== null) return outcome;
      outcome = { kind: 'expired' };
      await engineActivities.expireRun({ runId: input.runId });
      return outcome;
    },
  };
}

function refusal(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, type);
}
