import { type ApprovalPolicy, approvalPolicySchema } from '../../domain/approvals/approval-policy.ts';
import { proposeChangeAs } from '../../store/approvals/authority.ts';
import { providerIdentityOf } from '../../store/accounts/provider-accounts.ts';
import { readPolicy as readStored } from '../../store/users/users.ts';
import type { EngineDependencies } from '../application-dependencies.ts';
import { asEngineError } from '../audit/record-refusal.ts';
import type { SignedIn } from '../users/signed-in.ts';
import type { ChangedProvider, ChangeState } from '../users/user-api.ts';

export async function readPolicy({ database }: EngineDependencies): Promise<ApprovalPolicy> {
  return approvalPolicySchema.parse(await readStored(database));
}

/** Takes two administrators, as any change of who decides on what. */
export function setPolicy(
  { database }: EngineDependencies,
  user: SignedIn,
  policy: ApprovalPolicy,
): Promise<ChangeState> {
  return asEngineError(proposeChangeAs(database, user.proof, { kind: 'set_policy', userId: null, detail: { policy } }));
}

/**
 * Says that the record belongs to another address or access key of a provider from now on: workers refuse every other.
 * Takes two administrators.
 */
export function changeProvider(
  { database }: EngineDependencies,
  user: SignedIn,
  provider: ChangedProvider,
): Promise<ChangeState> {
  const detail = { ...providerIdentityOf(provider) };
  return asEngineError(proposeChangeAs(database, user.proof, { kind: 'change_provider', userId: null, detail }));
}
