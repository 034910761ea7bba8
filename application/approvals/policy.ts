import { type ApprovalPolicy, approvalPolicySchema } from '../../domain/approvals/approval-policy.ts';
import { proposeChangeAs } from '../../store/approvals/authority.ts';
import { providerIdentityOf } from '../../store/accounts/provider-accounts.ts';
import { readPolicy as readStored } from '../../store/users/users.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../audit/record-refusal.ts';
import type { SignedIn } from '../users/signed-in.ts';
import type { ChangedProvider, ChangeState } from '../users/user-api.ts';

export async function readPolicy({ database }: ApplicationDependencies): Promise<ApprovalPolicy> {
  return approvalPolicySchema.parse(await readStored(database));
}

/** Takes two administrators, as any change of who decides on what. */
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
 * Says that the record belongs to another address or access key of a provider from now on: workers refuse every other.
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
