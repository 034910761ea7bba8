import type { ProviderAccount } from '../../api/accounts/provider-account.ts';
import { type ApprovalPolicy, approvalPolicySchema } from '../../domain/approvals/approval-policy.ts';
import { proposeChangeAs } from '../../store/approvals/changes.ts';
import { listProviders, providerIdentityOf, type RecordedProvider } from '../../store/accounts/provider-accounts.ts';
import { readPolicy as readStored } from '../../store/approvals/policy.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';
import type { ChangeState } from '../../api/approvals/change.ts';
import type { ChangedProvider } from '../../api/approvals/policy.ts';

export async function readPolicy({ database }: ApplicationDependencies): Promise<ApprovalPolicy> {
  return approvalPolicySchema.parse(await readStored(database));
}

/** Takes two administrators, like every change of who decides on what. */
export function setPolicy(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { version: basis, ...policy }: ApprovalPolicy,
): Promise<ChangeState> {
  return asApplicationError(
    proposeChangeAs(database, user.tokenHash, { kind: 'set_policy', userId: null, detail: { policy }, basis }),
  );
}

/**
 * Proposes that the data belongs to another address or access key of a provider: workers refuse every other one.
 * Takes two administrators.
 */
export function changeProvider(
  { database }: ApplicationDependencies,
  user: SignedIn,
  provider: ChangedProvider,
): Promise<ChangeState> {
  const detail = { ...providerIdentityOf(provider) };
  return asApplicationError(
    proposeChangeAs(database, user.tokenHash, { kind: 'change_provider', userId: null, detail }),
  );
}

/** The accounts that are configured or recorded and that the user may use: the configured ones first. */
export async function listProviderAccounts(
  { database, accounts }: ApplicationDependencies,
  user: SignedIn,
): Promise<ProviderAccount[]> {
  const recorded = new Map((await listProviders(database)).map((provider) => [provider.account, provider]));
  const configured = new Map(accounts.map((account) => [account.name, account]));
  const names = [...new Set([...configured.keys(), ...recorded.keys()])].filter((name) => mayUse(user, name));
  return names.map((name) => ({
    account: name,
    provider: providerOf(recorded.get(name)),
    limits: limitsOf(configured.get(name)),
  }));
}

function providerOf(recorded: RecordedProvider | undefined): ProviderAccount['provider'] {
  if (recorded === undefined) return null;
  const { apiAddress, accessKey, isSandbox, recordedAt } = recorded;
  return { apiAddress, accessKey, isSandbox, recordedAt: recordedAt.toISOString() };
}

function limitsOf(configured: ApplicationDependencies['accounts'][number] | undefined): ProviderAccount['limits'] {
  if (configured === undefined) return null;
  const { requestsPerSecond, requestsPerDay, requestsReservedPerDay } = configured;
  return { perSecond: requestsPerSecond, perDay: requestsPerDay, reservedPerDay: requestsReservedPerDay };
}
