import { MAIN_TASK_QUEUE, casePollerWorkflowId, onboardingWorkflowId } from '../../domain/identifiers.ts';
import { listOnboardingAccounts } from '../../store/onboarding/case-poll.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';

/** Has the workflow of a case look at its record. It looks within the day also without, so a failure is not the user's concern. */
export async function notifyCase(
  { temporal }: ApplicationDependencies,
  { caseId, account }: { caseId: string; account: string },
): Promise<void> {
  await temporal.workflow
    .signalWithStart('onboarding', {
      workflowId: onboardingWorkflowId(caseId),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ caseId, account }],
      signal: 'caseChanged',
      signalArgs: [],
    })
    .catch(() => undefined);
}

/** Has the account's poller plan at once: it starts new cases, and reads users that a webhook named. */
export async function notifyCasePoller({ temporal }: ApplicationDependencies, account: string): Promise<void> {
  await temporal.workflow
    .signalWithStart('casePoller', {
      workflowId: casePollerWorkflowId(account),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ account }],
      signal: 'pollRequested',
      signalArgs: [],
      staticSummary: `Reads open onboarding cases on ${account}`,
    })
    .catch(() => undefined);
}

/** Starts pollers that were lost, or could not be started when a case was added. */
export async function startCasePollers(dependencies: ApplicationDependencies): Promise<void> {
  for (const account of await listOnboardingAccounts(dependencies.database))
    await notifyCasePoller(dependencies, account);
}
