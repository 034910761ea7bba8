import type { Role } from '../../domain/users/role.ts';

/** What the application says of users, tokens and changes. Times are ISO-8601 UTC strings. */

export interface UserSummary {
  userId: string;
  /** Null: added by the version before, and nameless for signing in until an administrator sets it. */
  login: string | null;
  name: string;
  roles: Role[];
  /** Roles that wait for a second administrator. */
  pendingRoles: Role[];
  disabledAt: string | null;
  createdAt: string;
  lastUsedAt: string | null;
}

export interface TokenSummary {
  tokenId: string;
  userId: string;
  login: string | null;
  name: string;
  label: string;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

/** What became of a change that takes two administrators, unless payrun is being set up. */
export interface ChangeState {
  changeId: string;
  state: 'pending' | 'effective' | 'rejected';
  /** When a pending one takes effect if nobody objects. */
  takesEffectAt: string | null;
}

export interface ChangeSummary extends ChangeState {
  kind: string;
  user: { userId: string; name: string } | null;
  detail: Record<string, unknown>;
  proposedBy: { userId: string; name: string } | null;
  proposedAt: string;
  decidedBy: { userId: string; name: string } | null;
  decidedAt: string | null;
}

/** A code works once, and only until it expires. */
export interface Invitation {
  code: string;
  expiresAt: string;
}

export interface AddedUser {
  userId: string;
  /** Null: everything took effect at once. */
  change: ChangeState | null;
  /** Null: they shall decide on something. Invite them once both changes are effective. */
  invitation: Invitation | null;
  invitationChange: ChangeState | null;
}

/** Either a code, or the change that a second administrator must confirm before there is one. */
export type InvitedUser = { invitation: Invitation } | { change: ChangeState };

export interface IssuedToken {
  token: string;
  tokenId: string;
  expiresAt: string;
}

/** The provider that the record belongs to from now on. Of the access key's id only a hash is kept. */
export interface ChangedProvider {
  account: string;
  apiUrl: string;
  accessKeyId: string;
}
