import { type ApprovalPolicy, approvalPolicySchema } from '../../domain/approvals/approval-policy.ts';
import { proposeChangeAs } from '../../store/approvals/changes.ts';
import { providerIdentityOf } from '../../store/accounts/provider-accounts.ts';
import { readPolicy as readStored } from '../../store/approvals/policy.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SignedIn } from '../users/signed-in.ts';
import type { ChangeState } from '../../api/approvals/change.ts';
import type { ChangedProvider } from '../../api/approvals/policy.ts';

export async function readPolicy({ database }: ApplicationDependencies): Promise<ApprovalPolicy> {
  return approvalPolicySchema.parse(await readStored(database));
}

/** Takes two administrators, like every change of who decides on what. */
export function setPolicy(
  { database }: ApplicationDependencies,
  user: SignedIn,
  policy: ApprovalPolicy,
): Promise<ChangeState> {
  return asApplicationError(
    proposeChangeAs(database, user.proof, { kind: 'set_policy', userId: null, detail: { policy } }),
  );
}

/**
 * Proposes that the record belongs to another address or access key of a provider: workers refuse every other one.
 * Takes two administrators.
 */
export function changeProvider(
  { database }: ApplicationDependencies,
  user: SignedIn,
  provider: ChangedProvider,
): Promise<ChangeState> {
  const detail = { ...providerIdentityOf(provider) };
  return asApplicationError(proposeChangeAs(database, user.proof, { kind: 'change_provider', userId: null, detail }));
}
