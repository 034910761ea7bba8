import type { PolicyCheck, PolicyCheckRequest, ThoughtOfRun } from '../../api/approvals/policy-check.ts';
import type { PolicyExplanation, PolicyQuestion, RunUnderPolicy } from '../../api/approvals/policy-explanation.ts';
import { type ApprovalPolicy, policyRemarks } from '../../domain/approvals/approval-policy.ts';
import { readLimits } from '../../store/approvals/limits.ts';
import {
  type ExplainedSteps,
  explainRule,
  explainRun,
  findUserIdByLogin,
} from '../../store/approvals/policy-explanation.ts';
import { readSecondFactorNeed } from '../../store/approvals/policy.ts';
import { readRun } from '../../store/runs/runs.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError, orNotFound } from '../application-error.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';

/** What the policy in force would ask of a run that is thought of. */
export function explainPolicy(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  question: PolicyQuestion,
): Promise<PolicyExplanation> {
  return explain(dependencies, user, question, null);
}

/** What a policy would mean: what is easily overlooked in it, and what it would ask of a run. Nothing is recorded. */
export async function checkPolicy(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { policy, run, runId }: PolicyCheckRequest,
): Promise<PolicyCheck> {
  const explanation = run === null ? null : await explain(dependencies, user, run, policy);
  const ofRun = runId === null ? null : await applyToRun(dependencies, user, runId, policy);
  return { policy, remarks: policyRemarks(policy), explanation, ofRun };
}

async function applyToRun(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  runId: string,
  policy: ApprovalPolicy,
): Promise<RunUnderPolicy> {
  const { database } = dependencies;
  const run = orNotFound(await readRun(database, runId), 'there is no such run');
  if (!mayUse(user, run.account)) throw new ApplicationError('not_found', 'there is no such run');
  const found = orNotFound(await explainRun(database, runId, policy), 'there is no such run');
  return {
    currencies: found.currencies,
    steps: found.steps.map(stepOf),
    limits: await readLimits(database, runId, policy),
    needsSecondFactor: (await readSecondFactorNeed(database, policy)).approvals,
  };
}

function stepOf({ step, given, people }: ExplainedSteps['steps'][number]): PolicyExplanation['steps'][number] {
  return { step, people, role: given.role ?? null, logins: given.logins ?? null };
}

/** `proposed` null: by the policy in force. */
async function explain(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { account, currency, total, largest = total, newBeneficiary, countries, at, maker }: ThoughtOfRun,
  proposed: ApprovalPolicy | null,
): Promise<PolicyExplanation> {
  const { database } = dependencies;
  if (!mayUse(user, account)) throw new ApplicationError('not_allowed', `you may not use the account ${account}`);
  const makerId = maker === undefined ? null : await findUserIdByLogin(database, maker);
  if (maker !== undefined && makerId === null) {
    throw new ApplicationError('not_found', `maker: there is no user with the login ${maker}`);
  }
  const run = {
    ...{ account, currency, total, largest, hasNewBeneficiary: newBeneficiary, makerId },
    countries: countries?.split(',') ?? [''],
    ...(at === undefined ? {} : { at }),
  };
  const { rule, skippedRules, steps } = await explainRule(database, run, proposed);
  const { approvals: needsSecondFactor } = await readSecondFactorNeed(database, proposed);
  return {
    ...{ rule, skippedRules, needsSecondFactor },
    steps: steps.map(stepOf),
  };
}
