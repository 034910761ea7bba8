import type { Role } from '../../domain/users/role.ts';
import type { TokenScope } from '../../domain/users/token-scope.ts';
import { disableUserAs, limitUserAs, listUsers as listStoredUsers, removeRoleAs } from '../../store/users/users.ts';
import {
  type ChangeRecord,
  decideChangeAs,
  listChanges as listStoredChanges,
  proposeChangeAs,
} from '../../store/approvals/changes.ts';
import { eraseRemarkAs } from '../../store/audit/remarks.ts';
import {
  issueTokenAs,
  listTokens as listStoredTokens,
  redeemInvitation,
  revokeTokenAs,
} from '../../store/users/tokens.ts';
import { newToken, TokenHash } from '../../store/users/token-hash.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import { iso } from '../iso-time.ts';
import type { SignedIn } from './signed-in.ts';
import type { ChangeState, ChangeSummary, DoneOrChange } from '../../api/approvals/change.ts';
import type { IssuedToken, TokenSummary } from '../../api/users/token.ts';
import type { UserSummary } from '../../api/users/user.ts';

const DAY_MS = 24 * 3_600_000;

export async function listUsers({ database }: ApplicationDependencies): Promise<UserSummary[]> {
  return (await listStoredUsers(database)).map(({ disabledAt, createdAt, lastUsedAt, ...user }) => ({
    ...user,
    disabledAt: iso(disabledAt),
    createdAt: createdAt.toISOString(),
    lastUsedAt: iso(lastUsedAt),
  }));
}

/** Exchanges a code for a token of the invited user's own. */
export async function acceptInvitation(
  { database, now }: ApplicationDependencies,
  { code, label, validDays }: { code: string; label: string; validDays: number },
): Promise<IssuedToken> {
  const token = newToken();
  const expiresAt = new Date(now() + validDays * DAY_MS);
  const request = { newTokenHash: TokenHash.of(token), label, expiresAt };
  const stored = await asApplicationError(redeemInvitation(database, TokenHash.of(code), request));
  return { token, tokenId: stored.tokenId, expiresAt: stored.expiresAt.toISOString(), scopes: stored.scopes };
}

export function grantRoles(
  { database }: ApplicationDependencies,
  user: SignedIn,
  userId: string,
  roles: readonly Role[],
): Promise<ChangeState> {
  return asApplicationError(
    proposeChangeAs(database, user.tokenHash, { kind: 'grant_roles', userId, detail: { roles } }),
  );
}

export function removeRole(
  { database }: ApplicationDependencies,
  user: SignedIn,
  userId: string,
  role: Role,
): Promise<DoneOrChange> {
  return asApplicationError(removeRoleAs(database, user.tokenHash, userId, role));
}

/** Once it takes effect, their tokens are no longer valid. */
export function disableUser(
  { database }: ApplicationDependencies,
  user: SignedIn,
  userId: string,
): Promise<DoneOrChange> {
  return asApplicationError(disableUserAs(database, user.tokenHash, userId));
}

export function enableUser(
  { database }: ApplicationDependencies,
  user: SignedIn,
  userId: string,
): Promise<ChangeState> {
  return asApplicationError(proposeChangeAs(database, user.tokenHash, { kind: 'enable_user', userId, detail: {} }));
}

/** Another address for the codes of a user. What is given to whom is confirmed by a second administrator. */
export function setMail(
  { database }: ApplicationDependencies,
  user: SignedIn,
  userId: string,
  mail: string,
): Promise<ChangeState> {
  return asApplicationError(proposeChangeAs(database, user.tokenHash, { kind: 'set_mail', userId, detail: { mail } }));
}

export function limitUser(
  { database }: ApplicationDependencies,
  user: SignedIn,
  userId: string,
  accounts: readonly string[] | null,
): Promise<DoneOrChange> {
  return asApplicationError(limitUserAs(database, user.tokenHash, userId, accounts));
}

export async function listChanges(
  { database }: ApplicationDependencies,
  { accounts }: SignedIn,
  filter: { pendingOnly: boolean; limit: number },
): Promise<ChangeSummary[]> {
  return (await listStoredChanges(database, { ...filter, accounts })).map(changeSummaryOf);
}

function changeSummaryOf({ proposedAt, takesEffectAt, decidedAt, ...change }: ChangeRecord): ChangeSummary {
  return {
    ...change,
    proposedAt: proposedAt.toISOString(),
    takesEffectAt: iso(takesEffectAt),
    decidedAt: iso(decidedAt),
  };
}

/** Confirmed by a second administrator, or rejected by anyone who may object. */
export function decideChange(
  { database }: ApplicationDependencies,
  user: SignedIn,
  changeId: string,
  isConfirmed: boolean,
): Promise<ChangeState> {
  return asApplicationError(decideChangeAs(database, user.tokenHash, changeId, isConfirmed));
}

/** All tokens for an administrator; one's own for anyone else. */
export async function listTokens(
  { database }: ApplicationDependencies,
  userId: string | null,
): Promise<TokenSummary[]> {
  return (await listStoredTokens(database, userId)).map(
    ({ createdAt, expiresAt, revokedAt, lastUsedAt, ...token }) => ({
      ...token,
      createdAt: createdAt.toISOString(),
      expiresAt: iso(expiresAt),
      revokedAt: iso(revokedAt),
      lastUsedAt: iso(lastUsedAt),
    }),
  );
}

/** A further token for oneself; it is shown only this once. */
export async function issueToken(
  { database, now }: ApplicationDependencies,
  user: SignedIn,
  { label, validDays, scopes }: { label: string; validDays: number; scopes: readonly TokenScope[] },
): Promise<IssuedToken> {
  const token = newToken();
  const request = { newTokenHash: TokenHash.of(token), label, expiresAt: new Date(now() + validDays * DAY_MS), scopes };
  const {
    tokenId,
    expiresAt,
    scopes: given,
  } = await asApplicationError(issueTokenAs(database, user.tokenHash, request));
  return { token, tokenId, expiresAt: expiresAt.toISOString(), scopes: given };
}

export function revokeToken({ database }: ApplicationDependencies, user: SignedIn, tokenId: string): Promise<void> {
  return asApplicationError(revokeTokenAs(database, user.tokenHash, tokenId));
}

/** Proposes to erase what people wrote with a decision, a stop or a manual outcome; its hash stays in the audit trail. */
export function eraseRemark(
  { database }: ApplicationDependencies,
  user: SignedIn,
  remarkId: string,
): Promise<DoneOrChange> {
  return asApplicationError(eraseRemarkAs(database, user.tokenHash, remarkId));
}
