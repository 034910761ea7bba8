import { ApplicationFailure, condition, setHandler } from '@temporalio/workflow';
import { engineActivities } from './activity-options.ts';
import { approveRun, contentChanged, decisionRecorded, type PaymentRunInput, rejectRun } from './messages.ts';

export type DecisionOutcome = { kind: 'approved' | 'rejected' | 'withdrawn' | 'expired' };

/** Waits for the decision on a run, which is made in the record alone. */
export interface ApprovalGate {
  /** Opens the run for decisions, and waits for one, or for the time to run out. */
  untilDecided(): Promise<DecisionOutcome>;
}

/**
 * Whoever signals this workflow tells it to look, and nothing else: what was decided is read from the record, where only
 * the server writes it, in the request of who decides.
 */
export function openApprovalGate(input: PaymentRunInput): ApprovalGate {
  const { runId } = input;
  let outcome: DecisionOutcome | null = null;
  let looking = 0;
  const look = async (): Promise<void> => {
    looking += 1;
    try {
      const recorded = await engineActivities.readDecision({ runId });
      if (recorded.outcome !== 'pending') outcome ??= { kind: recorded.outcome };
    } finally {
      looking -= 1;
    }
  };
  setHandler(decisionRecorded, look);
  setHandler(contentChanged, async () => {
    looking += 1;
    try {
      await engineActivities.reviseProposal({ runId });
    } finally {
      looking -= 1;
    }
  });
  refuseFormerDecisions(runId, (kind) => {
    outcome ??= { kind };
  });

  return {
    untilDecided: async () => {
      // Only now does the record say that it waits: whoever reads it may decide at once.
      await engineActivities.openForDecision({ runId });
      const inTime = await condition(() => outcome !== null, input.decisionWithinMs);
      if (!inTime) await condition(() => looking === 0);
      if (outcome === null) await expire();
      await condition(() => looking === 0);
      return outcome ?? { kind: 'expired' };
    },
  };

  async function expire(): Promise<void> {
    const expired = (await engineActivities.expireRun({ runId })) as { isExpired: boolean } | undefined;
    // Somebody has decided at the last moment.
    if (expired?.isExpired === false) await look();
    outcome ??= { kind: 'expired' };
  }
}

/** Servers of the version before put decisions to the workflow. They count no more; what was decided so replays. */
function refuseFormerDecisions(runId: string, onDecided: (kind: 'approved' | 'rejected') => void): void {
  const validator = (...[]: [{ userId: string }]): void => {
    throw ApplicationFailure.nonRetryable(
      'decisions are made at a server of the version of the workers',
      'not_deciding',
    );
  };
  const handler =
    (kind: 'approved' | 'rejected') =>
    async (decision: { userId: string }): Promise<undefined> => {
      await engineActivities.recordDecision({ runId, kind, userId: decision.userId });
      onDecided(kind);
      return undefined;
    };
  setHandler(approveRun, handler('approved'), { validator });
  setHandler(rejectRun, handler('rejected'), { validator });
}
