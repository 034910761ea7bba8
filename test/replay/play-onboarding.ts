import { casePollerWorkflowId, DEFAULT_ACCOUNT, onboardingWorkflowId } from '../../domain/identifiers.ts';
import type { PayrunClient } from '../../client/sdk/index.ts';
import { demoApplicants, demoSupply } from '../../local/demo/onboarding-files.ts';
import { ONBOARDING_SANDBOX } from '../../local/demo/play-onboarding.ts';
import { type StackUnderTest } from '../helpers/stack-under-test.ts';
import { until } from '../helpers/until.ts';
import type { Recording } from './recording.ts';

/** A person who gives a document twice, and a company whose sign-up is refused once for the limit. */
export const ONBOARDING: Recording = { sandboxArguments: ONBOARDING_SANDBOX, play: playOnboarding };

async function playOnboarding(stack: StackUnderTest): Promise<Record<string, string>> {
  const { onboarder } = stack;
  const { person, company } = await demoApplicants();
  const individual = (await onboarder.submitApplicants(person)).cases[0]?.caseId ?? '';
  await untilCaseIs(onboarder, individual, 'resubmission');
  const { revision } = await onboarder.getCase({ caseId: individual, values: false });
  await onboarder.supplyCase({ ...(await demoSupply()), caseId: individual, revision });
  await untilCaseIs(onboarder, individual, 'approved');
  await stack.control('faults', [{ operation: 'user-signup-v2', kind: 'rate_limited' }]);
  const legal = (await onboarder.submitApplicants(company)).cases[0]?.caseId ?? '';
  await untilCaseIs(onboarder, legal, 'approved');
  return {
    'onboarding-resubmitted': onboardingWorkflowId(individual),
    'onboarding-company': onboardingWorkflowId(legal),
    'case-poller': casePollerWorkflowId(DEFAULT_ACCOUNT),
  };
}

function untilCaseIs(onboarder: PayrunClient, caseId: string, state: string): Promise<true> {
  return until(async () => (await onboarder.getCase({ caseId, values: false })).state === state);
}
