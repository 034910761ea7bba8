import { MAIN_TASK_QUEUE, casePollerWorkflowId, onboardingWorkflowId } from '../../domain/identifiers.ts';
import { listCandidates, listDueCases, listChanged, markNotified } from '../../store/onboarding/case-poll.ts';
import { readCase } from '../../store/onboarding/cases.ts';
import { remindOfPauseIfDue } from '../../store/onboarding/sign-up-pauses.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** How many workflows one call starts. */
const MAX_STARTED = 100;

export interface CasePollPlan {
  /** Users to read now, those first that a webhook named. */
  due: { caseId: string; hasWebhook: boolean }[];
  /** Users that webhooks named and that no case has. */
  candidates: string[];
  /** When to plan again if no signal arrives. */
  waitMs: number;
  /** More cases are to be started at once. */
  hasMore: boolean;
  /** No case of the account is open. */
  isFinished: boolean;
}

/** Starts the workflows of new cases, notifies others of what people have changed, and says which users to read. */
export function planCasePollActivity({ database, temporal, settings }: ActivityDependencies) {
  return async function planCasePoll({ account }: { account: string }): Promise<CasePollPlan> {
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
      await markNotified(database, one);
    }
    const { due, nextInMs, open } = await listDueCases(database, account, settings.onboarding.poll);
    const candidates = await listCandidates(database, account);
    return {
      due,
      candidates,
      waitMs: Math.ceil(Math.min(nextInMs ?? settings.onboarding.poll.firstMs, settings.onboarding.poll.firstMs)),
      hasMore: changed.length === MAX_STARTED,
      isFinished: open === 0 && changed.length === 0,
    };
  };
}

/** Starts the poller of the account's open cases. If it runs already, it plans at once. */
export function startCasePollerActivity({ temporal }: ActivityDependencies) {
  return async function startCasePoller({ account }: { account: string }): Promise<void> {
    await temporal.workflow.signalWithStart('casePoller', {
      workflowId: casePollerWorkflowId(account),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ account }],
      signal: 'pollRequested',
      signalArgs: [],
      staticSummary: `Reads open onboarding cases on ${account}`,
    });
  };
}

/** Has the workflow of a case look at the database again; one that was lost is started. */
export function notifyCaseActivity({ database, temporal }: ActivityDependencies) {
  return async function notifyCase({ caseId }: { caseId: string }): Promise<void> {
    const { account } = await readCase(database, caseId);
    await temporal.workflow.signalWithStart('onboarding', {
      workflowId: onboardingWorkflowId(caseId),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ caseId, account }],
      signal: 'caseChanged',
      signalArgs: [],
    });
  };
}
