import type { ProviderAccount } from '../../api/accounts/provider-account.ts';
import type { ActionsAnswer, AllowedAction } from '../../api/approvals/allowed-actions.ts';
import type { ChangeState, ChangeSummary } from '../../api/approvals/change.ts';
import type { PolicyCheck, PolicyCheckQuestion } from '../../api/approvals/policy-check.ts';
import type { PolicyExplanation } from '../../api/approvals/policy-explanation.ts';
import type { ApprovalPolicy, ChangedProvider } from '../../api/approvals/policy.ts';
import type { CreatedStop, LiftedStop, StopRequest, StopSummary } from '../../api/approvals/stop.ts';
import { call, type ConsoleCall } from './call.ts';

/** Of one request: names may be long, and Node.js takes 16 KB for an address and all headers. */
const MOST_TARGETS = 50;

/** What names a thing that has no id: its parts, of which any may have any characters. */
export function nameOf(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

/** What one may do with things of a kind, by their ids or names. */
export async function readActions(
  kind: 'break' | 'stop' | 'change' | 'order' | 'case' | 'receipt' | 'day',
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly AllowedAction[]>> {
  const allowedOf = new Map<string, readonly AllowedAction[]>();
  for (let first = 0; first < ids.length; first += MOST_TARGETS) {
    const of = ids.slice(first, first + MOST_TARGETS).map((id) => `${kind}:${id}`);
    const { actions } = await call<ActionsAnswer>({ path: '/actions', query: { of: of.join(',') }, signal });
    for (const [target, allowed] of Object.entries(actions)) allowedOf.set(target.slice(kind.length + 1), allowed);
  }
  return allowedOf;
}

export async function listStops(signal: AbortSignal): Promise<StopSummary[]> {
  return (await call<{ stops: StopSummary[] }>({ path: '/stops', signal })).stops;
}

export function createStop(body: StopRequest): Promise<CreatedStop> {
  return call<CreatedStop>({ method: 'POST', path: '/stops', body });
}

/** As the stop was shown: after another request to lift it, it is refused. */
export function liftStop({ stopId, liftRequestedBy }: StopSummary): Promise<LiftedStop> {
  const body = { liftRequestedBy: liftRequestedBy?.userId ?? null };
  return call<LiftedStop>({ method: 'POST', path: `/stops/${stopId}/lift`, body });
}

/** As many as the server sends at once. */
export const MOST_CHANGES = 200;

/** The newest first: of all, or of those that wait alone. */
export async function listChanges(which: 'all' | 'pending', signal: AbortSignal): Promise<ChangeSummary[]> {
  const query = { pending: String(which === 'pending'), limit: MOST_CHANGES };
  return (await call<{ changes: ChangeSummary[] }>({ path: '/changes', query, signal })).changes;
}

export function decideChange(changeId: string, verb: 'confirm' | 'reject'): Promise<ChangeState> {
  return call<ChangeState>({ method: 'POST', path: `/changes/${changeId}/${verb}` });
}

export function readPolicy(signal: AbortSignal): Promise<ApprovalPolicy> {
  return call<ApprovalPolicy>({ path: '/policy', signal });
}

export function setPolicy(policy: ApprovalPolicy): Promise<ChangeState> {
  return call<ChangeState>({ method: 'PUT', path: '/policy', body: policy });
}

export function explainPolicy(query: NonNullable<ConsoleCall['query']>): Promise<PolicyExplanation> {
  return call<PolicyExplanation>({ path: '/policy/explanation', query });
}

/** What a policy would mean: nothing is proposed. */
export function checkPolicy(body: PolicyCheckQuestion, signal?: AbortSignal): Promise<PolicyCheck> {
  return call<PolicyCheck>({ method: 'POST', path: '/policy/check', body, signal });
}

export async function listProviderAccounts(signal: AbortSignal): Promise<ProviderAccount[]> {
  return (await call<{ accounts: ProviderAccount[] }>({ path: '/provider-accounts', signal })).accounts;
}

export function changeProvider({ account, ...body }: ChangedProvider): Promise<ChangeState> {
  return call<ChangeState>({ method: 'PUT', path: `/provider-accounts/${encodeURIComponent(account)}`, body });
}
