import type { PolicyCheck, PolicyCheckRequest, ThoughtOfRun } from '../../api/approvals/policy-check.ts';
import type { PolicyExplanation, PolicyQuestion } from '../../api/approvals/policy-explanation.ts';
import { type ApprovalPolicy, policyRemarks } from '../../domain/approvals/approval-policy.ts';
import { explainRule, findUserIdByLogin } from '../../store/approvals/policy.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';
import { readPolicy } from './policy.ts';

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
  { policy, run }: PolicyCheckRequest,
): Promise<PolicyCheck> {
  const explanation = run === null ? null : await explain(dependencies, user, run, policy);
  return { policy, remarks: policyRemarks(policy), explanation };
}

/** `proposed` null: by the policy in force. */
async function explain(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { account, currency, total, largest = total, newBeneficiary, maker }: ThoughtOfRun,
  proposed: ApprovalPolicy | null,
): Promise<PolicyExplanation> {
  const { database } = dependencies;
  if (!mayUse(user, account)) throw new ApplicationError('not_allowed', `you may not use the account ${account}`);
  const makerId = maker === undefined ? null : await findUserIdByLogin(database, maker);
  if (maker !== undefined && makerId === null) {
    throw new ApplicationError('not_found', `maker: there is no user with the login ${maker}`);
  }
  const run = { account, currency, total, largest, hasNewBeneficiary: newBeneficiary, makerId };
  const { rule, skippedRules, steps } = await explainRule(database, run, proposed);
  const { secondFactor } = proposed ?? (await readPolicy(dependencies));
  return {
    ...{ rule, skippedRules, needsSecondFactor: secondFactor?.approvals === true },
    steps: steps.map(({ step, given, people }) => ({
      ...{ step, people, role: given.role ?? null, logins: given.logins ?? null },
    })),
  };
}
