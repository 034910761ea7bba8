import type { ReviewingDependencies } from '../application-dependencies.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { type Decision, decideRun, sendRun, withdrawRun } from './decide-run.ts';
import { checkPolicy, explainPolicy } from './explain-policy.ts';
import { goLive, readGoingLive } from './going-live.ts';
import { changeProvider, listProviderAccounts, readPolicy, setPolicy } from './policy.ts';
import { cancelRun, liftStop, listStops, stopPayments } from './stop-payments.ts';

export function approvalUseCases(dependencies: ReviewingDependencies) {
  return {
    approveRun: (user: SignedIn, runId: string, decision: Decision) =>
      decideRun(dependencies, user, runId, 'approved', decision),
    rejectRun: (user: SignedIn, runId: string, decision: Decision) =>
      decideRun(dependencies, user, runId, 'rejected', decision),
    ...bindUseCases(dependencies, {
      sendRun,
      withdrawRun,
      stopPayments,
      liftStop,
      cancelRun,
      listStops,
      readPolicy,
      setPolicy,
      explainPolicy,
      checkPolicy,
      changeProvider,
      listProviderAccounts,
      goLive,
      readGoingLive,
    }),
  };
}
