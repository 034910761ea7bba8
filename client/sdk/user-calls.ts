import type { ApprovalPolicy } from '../../domain/approvals/approval-policy.ts';
import type { Role } from '../../domain/users/role.ts';
import type {
  AddedUser,
  ChangedProvider,
  ChangeState,
  ChangeSummary,
  InvitedUser,
  IssuedToken,
  TokenSummary,
  UserSummary,
} from '../../application/users/user-api.ts';
import type { Call } from './http-caller.ts';

/** Sends a call and reads its JSON. */
export type Ask = (call: Call, timeoutMs?: number) => Promise<unknown>;

/** The user or program behind the token. */
export interface Self {
  userId: string;
  login: string | null;
  name: string;
  roles: Role[];
  tokenId: string;
  /** Changes of users, policy and provider that take effect unless somebody objects. */
  pendingChanges: ChangeSummary[];
}

/** Users, their roles and tokens, and the approval policy. */
export interface UserCalls {
  me(): Promise<Self>;
  /** Exchanges the code of an invitation for a token: the only time that it is shown. */
  acceptInvitation(accepted: { code: string; label?: string; validDays?: number }): Promise<IssuedToken>;
  readonly users: {
    list(): Promise<UserSummary[]>;
    add(user: { login: string; name: string; roles: readonly Role[] }): Promise<AddedUser>;
    invite(userId: string): Promise<InvitedUser>;
    grantRoles(userId: string, roles: readonly Role[]): Promise<ChangeState>;
    removeRole(userId: string, role: Role): Promise<void>;
    disable(userId: string): Promise<void>;
    enable(userId: string): Promise<ChangeState>;
  };
  readonly changes: {
    list(filter?: { pendingOnly?: boolean }): Promise<ChangeSummary[]>;
    confirm(changeId: string): Promise<ChangeState>;
    reject(changeId: string): Promise<ChangeState>;
  };
  readonly policy: {
    get(): Promise<ApprovalPolicy>;
    set(policy: ApprovalPolicy): Promise<ChangeState>;
  };
  /** Workers of any other provider are refused. */
  changeProvider(provider: ChangedProvider): Promise<ChangeState>;
  readonly tokens: {
    /** One's own, or all for an administrator. */
    list(): Promise<TokenSummary[]>;
    /** A further token for oneself: the only time that it is shown. */
    create(request: { label: string; validDays?: number }): Promise<IssuedToken>;
    revoke(tokenId: string): Promise<void>;
  };
}

export function userCalls(ask: Ask): UserCalls {
  const post = (path: string, body?: object): Promise<unknown> =>
    ask({ method: 'POST', path, ...(body === undefined ? {} : { body }) });
  const remove = async (path: string): Promise<void> => {
    await ask({ method: 'DELETE', path });
  };
  const userPath = (userId: string): string => `/users/${encodeURIComponent(userId)}`;
  const changePath = (changeId: string): string => `/changes/${encodeURIComponent(changeId)}`;
  return {
    me: async () => (await ask({ path: '/me' })) as Self,
    acceptInvitation: async (body) => (await post('/invitations/accept', body)) as IssuedToken,
    users: {
      list: async () => ((await ask({ path: '/users' })) as { users: UserSummary[] }).users,
      add: async (body) => (await post('/users', body)) as AddedUser,
      invite: async (userId) => (await post(`${userPath(userId)}/invitation`)) as InvitedUser,
      grantRoles: async (userId, roles) => (await post(`${userPath(userId)}/roles`, { roles })) as ChangeState,
      removeRole: (userId, role) => remove(`${userPath(userId)}/roles/${role}`),
      disable: async (userId) => {
        await post(`${userPath(userId)}/disable`);
      },
      enable: async (userId) => (await post(`${userPath(userId)}/enable`)) as ChangeState,
    },
    changes: {
      list: async ({ pendingOnly = false } = {}) => {
        const query = { pending: String(pendingOnly) };
        return ((await ask({ path: '/changes', query })) as { changes: ChangeSummary[] }).changes;
      },
      confirm: async (changeId) => (await post(`${changePath(changeId)}/confirm`)) as ChangeState,
      reject: async (changeId) => (await post(`${changePath(changeId)}/reject`)) as ChangeState,
    },
    policy: {
      get: async () => (await ask({ path: '/policy' })) as ApprovalPolicy,
      set: async (body) => (await ask({ method: 'PUT', path: '/policy', body })) as ChangeState,
    },
    changeProvider: async ({ account, ...body }) => {
      const path = `/provider-accounts/${encodeURIComponent(account)}`;
      return (await ask({ method: 'PUT', path, body })) as ChangeState;
    },
    tokens: {
      list: async () => ((await ask({ path: '/tokens' })) as { tokens: TokenSummary[] }).tokens,
      create: async (body) => (await post('/tokens', body)) as IssuedToken,
      revoke: (tokenId) => remove(`/tokens/${encodeURIComponent(tokenId)}`),
    },
  };
}
