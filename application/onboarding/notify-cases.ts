import { MAIN_TASK_QUEUE, onboardingSweepWorkflowId, onboardingWorkflowId } from '../../domain/identifiers.ts';
import { listOnboardingAccounts } from '../../store/onboarding/case-sweep.ts';
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

/** Has the account's sweep plan at once: it starts new cases, and reads users that a webhook named. */
export async function notifyCaseSweep({ temporal }: ApplicationDependencies, account: string): Promise<void> {
  await temporal.workflow
    .signalWithStart('onboardingSweep', {
      workflowId: onboardingSweepWorkflowId(account),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ account }],
      signal: 'userHinted',
      signalArgs: [],
      staticSummary: `Reads open onboarding cases on ${account}`,
    })
    .catch(() => undefined);
}

/** Starts sweeps that were lost, or could not be started when a case was added. */
export async function startCaseSweeps(dependencies: ApplicationDependencies): Promise<void> {
  for (const account of await listOnboardingAccounts(dependencies.database))
    await notifyCaseSweep(dependencies, account);
}
