import type { ChangeState } from '../../api/approvals/change.ts';
import type { AuditPage, AuditReport } from '../../api/audit/audit.ts';
import type { InvitedUser } from '../../api/users/invitation.ts';
import type { IssuedToken, TokenRequest, TokenSummary } from '../../api/users/token.ts';
import type { AddedUser, LimitedUser, Role, Self, UserRequest, UserSummary } from '../../api/users/user.ts';
import { call, type ConsoleCall } from './call.ts';

/** Whose page it is, and which changes everyone with a role is told of. */
export function readSelf(signal: AbortSignal): Promise<Self> {
  return call<Self>({ path: '/me', signal });
}

export async function listUsers(signal: AbortSignal): Promise<UserSummary[]> {
  return (await call<{ users: UserSummary[] }>({ path: '/users', signal })).users;
}

export function addUser(body: UserRequest): Promise<AddedUser> {
  return call<AddedUser>({ method: 'POST', path: '/users', body });
}

export function inviteUser(userId: string): Promise<InvitedUser> {
  return call<InvitedUser>({ method: 'POST', path: `/users/${userId}/invitation` });
}

export function grantRole(userId: string, role: Role): Promise<ChangeState> {
  return call<ChangeState>({ method: 'POST', path: `/users/${userId}/roles`, body: { roles: [role] } });
}

export function removeRole(userId: string, role: Role): Promise<unknown> {
  return call({ method: 'DELETE', path: `/users/${userId}/roles/${role}` });
}

export function switchUser(userId: string, verb: 'disable' | 'enable'): Promise<unknown> {
  return call({ method: 'POST', path: `/users/${userId}/${verb}` });
}

export function limitUser(userId: string, accounts: string[] | null): Promise<LimitedUser> {
  return call<LimitedUser>({ method: 'PUT', path: `/users/${userId}/accounts`, body: { accounts } });
}

/** One's own, or those of all users that the server shows. */
export async function listTokens(whose: 'own' | 'all', signal: AbortSignal): Promise<TokenSummary[]> {
  const query = { own: String(whose === 'own') };
  return (await call<{ tokens: TokenSummary[] }>({ path: '/tokens', query, signal })).tokens;
}

export function issueToken(body: TokenRequest): Promise<IssuedToken> {
  return call<IssuedToken>({ method: 'POST', path: '/tokens', body });
}

export function revokeToken(tokenId: string): Promise<unknown> {
  return call({ method: 'DELETE', path: `/tokens/${tokenId}` });
}

export function listAudit(query: NonNullable<ConsoleCall['query']>, signal: AbortSignal): Promise<AuditPage> {
  return call<AuditPage>({ path: '/audit', query, signal });
}

/** `head`: `POSITION:HASH`, as it was noted earlier; null: none was. */
export function verifyAudit(head: string | null): Promise<AuditReport> {
  return call<AuditReport>({ path: '/audit/verification', query: { head } });
}

/** What a person wrote with a decision or stop: the trail keeps a hash of it. */
export function eraseRemark(remarkId: string): Promise<unknown> {
  return call({ method: 'DELETE', path: `/remarks/${encodeURIComponent(remarkId)}` });
}
