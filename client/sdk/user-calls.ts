import { type ChangeState, changeStateSchema } from '../../api/approvals/change.ts';
import { type InvitationAcceptance, type InvitedUser, invitedUserSchema } from '../../api/users/invitation.ts';
import {
  type IssuedToken,
  issuedTokenSchema,
  tokenListSchema,
  type TokenRequest,
  type TokenSummary,
} from '../../api/users/token.ts';
import {
  type AddedUser,
  addedUserSchema,
  type LimitedUser,
  limitedUserSchema,
  type Role,
  type Self,
  selfSchema,
  userListSchema,
  type UserSummary,
} from '../../api/users/user.ts';
import { type JsonCaller, NO_CONTENT } from './json-caller.ts';

/** Users, their roles and tokens. */
export interface UserCalls {
  /** The user or program behind the token. */
  me(): Promise<Self>;
  /** Exchanges the code of an invitation for a token: the only time that it is shown. */
  acceptInvitation(acceptance: InvitationAcceptance): Promise<IssuedToken>;
  readonly users: {
    list(): Promise<UserSummary[]>;
    add(user: { login: string; name: string; roles: readonly Role[] }): Promise<AddedUser>;
    invite(userId: string): Promise<InvitedUser>;
    grantRoles(userId: string, roles: readonly Role[]): Promise<ChangeState>;
    removeRole(userId: string, role: Role): Promise<void>;
    disable(userId: string): Promise<void>;
    enable(userId: string): Promise<ChangeState>;
    /** Limits a user to these accounts with the provider; null: gives them all. */
    limit(userId: string, accounts: readonly string[] | null): Promise<LimitedUser>;
  };
  readonly tokens: {
    /** One's own, or all for an administrator who does not ask for their own alone. */
    list(filter?: { own?: boolean }): Promise<TokenSummary[]>;
    /** A further token for oneself: the only time that it is shown. */
    create(request: TokenRequest): Promise<IssuedToken>;
    revoke(tokenId: string): Promise<void>;
  };
}

export function userCalls(call: JsonCaller): UserCalls {
  return {
    me: () => call(selfSchema, { path: '/me' }),
    acceptInvitation: (body) => call(issuedTokenSchema, { method: 'POST', path: '/invitations/accept', body }),
    users: callsOfUsers(call),
    tokens: {
      list: async ({ own = false } = {}) =>
        (await call(tokenListSchema, { path: '/tokens', query: { own: String(own) } })).tokens,
      create: (body) => call(issuedTokenSchema, { method: 'POST', path: '/tokens', body }),
      revoke: async (tokenId) => {
        await call(NO_CONTENT, { method: 'DELETE', path: `/tokens/${encodeURIComponent(tokenId)}` });
      },
    },
  };
}

function callsOfUsers(call: JsonCaller): UserCalls['users'] {
  const userPath = (userId: string): string => `/users/${encodeURIComponent(userId)}`;
  return {
    list: async () => (await call(userListSchema, { path: '/users' })).users,
    add: (body) => call(addedUserSchema, { method: 'POST', path: '/users', body }),
    invite: (userId) => call(invitedUserSchema, { method: 'POST', path: `${userPath(userId)}/invitation` }),
    grantRoles: (userId, roles) =>
      call(changeStateSchema, { method: 'POST', path: `${userPath(userId)}/roles`, body: { roles } }),
    removeRole: async (userId, role) => {
      await call(NO_CONTENT, { method: 'DELETE', path: `${userPath(userId)}/roles/${role}` });
    },
    disable: async (userId) => {
      await call(NO_CONTENT, { method: 'POST', path: `${userPath(userId)}/disable` });
    },
    enable: (userId) => call(changeStateSchema, { method: 'POST', path: `${userPath(userId)}/enable` }),
    limit: (userId, accounts) =>
      call(limitedUserSchema, { method: 'PUT', path: `${userPath(userId)}/accounts`, body: { accounts } }),
  };
}
