import { type ProviderAccount, providerAccountListSchema } from '../../api/accounts/provider-account.ts';
import {
  changeListSchema,
  type ChangeState,
  changeStateSchema,
  type ChangeSummary,
} from '../../api/approvals/change.ts';
import { type PolicyCheck, type PolicyCheckQuestion, policyCheckSchema } from '../../api/approvals/policy-check.ts';
import { type ApprovalPolicy, approvalPolicySchema, type ChangedProvider } from '../../api/approvals/policy.ts';
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

/** Users, their roles and tokens, changes that take two administrators, and the approval policy. */
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
  readonly changes: {
    list(filter?: { pendingOnly?: boolean }): Promise<ChangeSummary[]>;
    confirm(changeId: string): Promise<ChangeState>;
    reject(changeId: string): Promise<ChangeState>;
  };
  readonly policy: {
    get(): Promise<ApprovalPolicy>;
    set(policy: ApprovalPolicy): Promise<ChangeState>;
    /** What a policy would mean, and what a run would need by it. Nothing is proposed. */
    check(request: PolicyCheckQuestion): Promise<PolicyCheck>;
  };
  /** The accounts with a provider that one may use, without their secrets. */
  readonly providerAccounts: { list(): Promise<ProviderAccount[]> };
  /** Proposes that the record belongs to another provider. Workers of any other provider are refused. */
  changeProvider(provider: ChangedProvider): Promise<ChangeState>;
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
    changes: callsOfChanges(call),
    policy: {
      get: () => call(approvalPolicySchema, { path: '/policy' }),
      set: (body) => call(changeStateSchema, { method: 'PUT', path: '/policy', body }),
      check: (body) => call(policyCheckSchema, { method: 'POST', path: '/policy/check', body }),
    },
    providerAccounts: {
      list: async () => (await call(providerAccountListSchema, { path: '/provider-accounts' })).accounts,
    },
    changeProvider: ({ account, ...body }) =>
      call(changeStateSchema, { method: 'PUT', path: `/provider-accounts/${encodeURIComponent(account)}`, body }),
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

function callsOfChanges(call: JsonCaller): UserCalls['changes'] {
  const decide = (changeId: string, verb: string): Promise<ChangeState> =>
    call(changeStateSchema, { method: 'POST', path: `/changes/${encodeURIComponent(changeId)}/${verb}` });
  return {
    list: async ({ pendingOnly = false } = {}) =>
      (await call(changeListSchema, { path: '/changes', query: { pending: String(pendingOnly) } })).changes,
    confirm: (changeId) => decide(changeId, 'confirm'),
    reject: (changeId) => decide(changeId, 'reject'),
  };
}
