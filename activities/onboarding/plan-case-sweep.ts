import { MAIN_TASK_QUEUE, onboardingSweepWorkflowId, onboardingWorkflowId } from '../../domain/identifiers.ts';
import { listCandidates, listDueCases, listChanged, markTold } from '../../store/onboarding/case-sweep.ts';
import { remindOfPauseIfDue } from '../../store/onboarding/sign-up-pauses.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** How many workflows one call starts. */
const MAX_STARTED = 100;

export interface CaseSweepPlan {
  /** Users to read now, those first that a webhook named. */
  due: { caseId: string; isHinted: boolean }[];
  /** Users that webhooks named and that no case has. */
  candidates: string[];
  /** When to plan again if no signal arrives. */
  waitMs: number;
  /** More cases are to be started at once. */
  hasMore: boolean;
  /** No case of the account is open. */
  finished: boolean;
}

/** Starts the workflows of new cases, tells others what people have changed, and says which users to read. */
export function planCaseSweepActivity({ database, temporal, settings }: ActivityDependencies) {
  return async function planCaseSweep({ account }: { account: string }): Promise<CaseSweepPlan> {
    await remindOfPauseIfDue(database, account, settings.onboarding.reminderMs);
    const changed = await listChanged(database, account, MAX_STARTED);
    for (const one of changed) {
      const { caseId } = one;
      await temporal.workflow.signalWithStart('onboarding', {
        workflowId: onboardingWorkflowId(caseId),
        taskQueue: MAIN_TASK_QUEUE,
        args: [{ caseId, account }],
        signal: 'caseChanged',
        signalArgs: [],
      });
      await markTold(database, one);
    }
    const { due, nextInMs, open } = await listDueCases(database, account, settings.onboarding.sweep);
    const candidates = await listCandidates(database, account);
    return {
      due,
      candidates,
      waitMs: Math.ceil(Math.min(nextInMs ?? settings.onboarding.sweep.firstMs, settings.onboarding.sweep.firstMs)),
      hasMore: changed.length === MAX_STARTED,
      finished: open === 0 && changed.length === 0,
    };
  };
}

/** Starts the account's sweep of open cases. If it runs already, it plans at once. */
export function startCaseSweepActivity({ temporal }: ActivityDependencies) {
  return async function startCaseSweep({ account }: { account: string }): Promise<void> {
    await temporal.workflow.signalWithStart('onboardingSweep', {
      workflowId: onboardingSweepWorkflowId(account),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ account }],
      signal: 'userHinted',
      signalArgs: [],
      staticSummary: `Reads open onboarding cases on ${account}`,
    });
  };
}

/** Has the workflow of a case look at the record again; one that was lost is started. */
export function notifyCaseActivity({ temporal }: ActivityDependencies) {
  return async function notifyCase({ caseId, account }: { caseId: string; account: string }): Promise<void> {
    await temporal.workflow.signalWithStart('onboarding', {
      workflowId: onboardingWorkflowId(caseId),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ caseId, account }],
      signal: 'caseChanged',
      signalArgs: [],
    });
  };
}
