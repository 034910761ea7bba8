import type { PolicyExplanation, PolicyQuestion } from '../../api/approvals/policy-explanation.ts';
import { explainRule, findUserIdByLogin } from '../../store/approvals/policy-explanation.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';
import { readPolicy } from './policy.ts';

/** What the policy in force would ask of a run that is thought of. */
export async function explainPolicy(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { account, currency, total, largest = total, newBeneficiary, maker }: PolicyQuestion,
): Promise<PolicyExplanation> {
  const { database } = dependencies;
  if (!mayUse(user, account)) throw new ApplicationError('not_allowed', `you may not use the account ${account}`);
  const makerId = maker === undefined ? null : await findUserIdByLogin(database, maker);
  if (maker !== undefined && makerId === null) {
    throw new ApplicationError('not_found', `maker: there is no user with the login ${maker}`);
  }
  const hasNewBeneficiary = newBeneficiary === 'true';
  const { rule, skippedRules, steps } = await explainRule(database, {
    ...{ account, currency, total, largest, hasNewBeneficiary, makerId },
  });
  const { secondFactor } = await readPolicy(dependencies);
  return {
    ...{ rule, skippedRules, needsSecondFactor: secondFactor?.approvals === true },
    steps: steps.map(({ step, given, people }) => ({
      ...{ step, people, role: given.role ?? null, logins: given.logins ?? null },
    })),
  };
}
