import type { Application } from '../../application/create-application.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { PersonalDataRead, RefusedAccess, SignIn } from '../../application/users/sign-in.ts';
import { mayUse, type SignedIn } from '../../application/users/signed-in.ts';
import type { ProviderAccount } from '../../api/accounts/provider-account.ts';
import type { CancelledRun, CreatedStop, LiftedStop, StopLift, StopSummary } from '../../api/approvals/stop.ts';
import type { ChangeState, ChangeSummary, DoneOrChange } from '../../api/approvals/change.ts';
import type { ChangedProvider } from '../../api/approvals/policy.ts';
import type { InvitedUser, MailedCode } from '../../api/users/invitation.ts';
import type { IssuedToken, TokenSummary } from '../../api/users/token.ts';
import type { AddedUser, UserSummary } from '../../api/users/user.ts';
import type { ApprovalPolicy } from '../../domain/approvals/approval-policy.ts';
import type { GoingLive } from '../../domain/approvals/going-live.ts';
import { isDecidingRole, isGrantedByTwo, type Role } from '../../domain/users/role.ts';
import { TOKEN_SCOPES, type TokenScope } from '../../domain/users/token-scope.ts';
import type { StopScope } from '../../store/approvals/stops.ts';
import { TokenHash } from '../../store/users/token-hash.ts';
import { FakeSessions } from './fake-sessions.ts';

/** A token of each role, in the order in which people appear in most tests. */
export const TOKENS: Record<Role, string> = {
  maker: 'maker-token-1',
  checker: 'checker-token-1',
  treasurer: 'treasurer-token-1',
  onboarder: 'onboarder-token-1',
  viewer: 'viewer-token-1',
  auditor: 'auditor-token-1',
  administrator: 'administrator-token-1',
};

const A_STOP = '018f2a00-0000-7000-8000-0000000000c1';
const A_USER = '018f2a00-0000-7000-8000-0000000000c2';
const NO_ROWS = { sent: 0, created: 0, notSent: 3, underWay: 0 };
const NEW_USER = { userId: A_USER, login: 'new', name: 'A new user' };
const AN_INVITATION = { code: 'a-code-that-works-once', expiresAt: '2026-01-06T09:00:00.000Z' };
const A_CHANGE: ChangeState = {
  changeId: '018f2a00-0000-7000-8000-0000000000c3',
  state: 'pending',
  takesEffectAt: '2026-01-08T09:00:00.000Z',
};

/** Users, tokens, changes, policy and stops over plain memory. */
export class FakeAuthority extends FakeSessions {
  readonly users = new Map<string, SignedIn>();
  /** What the next calls throw, by method; kept until it is taken away. */
  readonly failures = new Map<keyof Application, Error>();
  /** What was asked of users, tokens, changes and stops, in order. */
  readonly calls: { method: keyof Application; login: string | null; asked: object }[] = [];
  readonly refusedAccess: RefusedAccess[] = [];
  readonly admitted: { userId: string; bytes: number }[] = [];
  readonly reports: string[] = [];
  readonly personalDataReads: ({ userId: string; tokenId: string } & PersonalDataRead)[] = [];
  /** Tokens that work no longer, and whose they were. */
  readonly signInsRefused = new Map<string, { tokenId: string; userId: string; why: string }>();
  stops: StopSummary[] = [];
  stopCounts: CreatedStop['counts'] = NO_ROWS;
  listedUsers: UserSummary[] = [];
  changes: ChangeSummary[] = [];
  policy: ApprovalPolicy = {
    rules: [{ name: 'one checker', when: {}, steps: [{ role: 'checker' }] }],
    changes: { delayHours: 72 },
  };
  tokens: TokenSummary[] = [];
  providerAccounts: ProviderAccount[] = [];
  goingLive: GoingLive = { state: 'sandbox', changeId: null, proposedBy: null, confirmedBy: null, since: null };

  constructor() {
    super();
    for (const [role, token] of Object.entries(TOKENS) as [Role, string][]) {
      this.users.set(token, {
        userId: `user-${role}`,
        login: role,
        name: `A ${role}`,
        roles: [role],
        accounts: null,
        tokenId: `018f2a00-0000-7000-8000-0000000000b${this.users.size}`,
        tokenHash: TokenHash.of(token),
        scopes: TOKEN_SCOPES,
      });
    }
  }

  async signIn(bearerToken: string): Promise<SignIn> {
    await this.meet('signIn');
    const user = this.users.get(bearerToken);
    if (user !== undefined) return { kind: 'signed_in', user };
    return { kind: 'refused', known: this.signInsRefused.get(bearerToken) ?? null };
  }

  async isSignedIn({ userId }: SignedIn, account: string | null): Promise<boolean> {
    await this.meet('isSignedIn');
    return [...this.users.values()].some(
      (user) => user.userId === userId && (account === null || mayUse(user, account)),
    );
  }

  async admitUpload({ userId }: SignedIn, bytes: number): Promise<void> {
    await this.meet('admitUpload');
    this.admitted.push({ userId, bytes });
  }

  async useReport({ userId }: SignedIn): Promise<void> {
    await this.meet('useReport');
    this.reports.push(userId);
  }

  async noteRead({ userId, tokenId }: SignedIn, read: PersonalDataRead): Promise<void> {
    await this.meet('noteRead');
    this.personalDataReads.push({ userId, tokenId, ...read });
  }

  async noteRefusedAccess(refused: RefusedAccess): Promise<void> {
    await this.meet('noteRefusedAccess');
    this.refusedAccess.push(refused);
  }

  async stopPayments(user: SignedIn, of: StopScope, reason: string | null): Promise<CreatedStop> {
    await this.asked('stopPayments', user, { ...of, reason });
    return { stopId: A_STOP, counts: of.scope === 'run' ? this.stopCounts : null };
  }

  async liftStop(user: SignedIn, stopId: string, { liftRequestedBy }: StopLift): Promise<LiftedStop> {
    await this.asked('liftStop', user, { stopId, liftRequestedBy });
    return { stopId, state: 'lift_requested' };
  }

  async cancelRun(user: SignedIn, runId: string, reason: string | null): Promise<CancelledRun> {
    await this.asked('cancelRun', user, { runId, reason });
    return { cancelled: 2, counts: NO_ROWS };
  }

  async listStops(user: SignedIn): Promise<StopSummary[]> {
    await this.meet('listStops');
    return this.stops.filter(({ account }) => account === null || mayUse(user, account));
  }

  async listUsers(): Promise<UserSummary[]> {
    await this.meet('listUsers');
    return this.listedUsers;
  }

  /** A code that goes by mail; null: it is shown. */
  mailed: MailedCode | null = null;

  async addUser(
    user: SignedIn,
    added: { login: string; name: string; roles: readonly Role[]; mail: string | null },
  ): Promise<AddedUser> {
    await this.asked('addUser', user, added);
    return added.roles.some(isGrantedByTwo)
      ? { userId: A_USER, change: A_CHANGE, invitation: null, mailed: null, invitationChange: A_CHANGE }
      : {
          ...{ userId: A_USER, change: null, invitationChange: null },
          ...{ invitation: this.mailed === null ? AN_INVITATION : null, mailed: this.mailed },
        };
  }

  async inviteUser(user: SignedIn, userId: string): Promise<InvitedUser> {
    await this.asked('inviteUser', user, { userId });
    return this.mailed === null ? { change: A_CHANGE } : { mailed: this.mailed };
  }

  async setMail(user: SignedIn, userId: string, mail: string): Promise<ChangeState> {
    await this.asked('setMail', user, { userId, mail });
    return A_CHANGE;
  }

  async acceptInvitation(accepted: { code: string; label: string; validDays: number }): Promise<IssuedToken> {
    await this.asked('acceptInvitation', null, accepted);
    return this.#newToken(accepted.label);
  }

  async grantRoles(user: SignedIn, userId: string, roles: readonly Role[]): Promise<ChangeState> {
    await this.asked('grantRoles', user, { userId, roles });
    return A_CHANGE;
  }

  async removeRole(user: SignedIn, userId: string, role: Role): Promise<DoneOrChange> {
    await this.asked('removeRole', user, { userId, role });
    return { change: isDecidingRole(role) ? A_CHANGE : null };
  }

  async disableUser(user: SignedIn, userId: string): Promise<DoneOrChange> {
    await this.asked('disableUser', user, { userId });
    return { change: null };
  }

  async enableUser(user: SignedIn, userId: string): Promise<ChangeState> {
    await this.asked('enableUser', user, { userId });
    return A_CHANGE;
  }

  async limitUser(user: SignedIn, userId: string, accounts: readonly string[] | null): Promise<DoneOrChange> {
    await this.asked('limitUser', user, { userId, accounts });
    return { change: accounts === null ? A_CHANGE : null };
  }

  async listChanges(): Promise<ChangeSummary[]> {
    await this.meet('listChanges');
    return this.changes;
  }

  async decideChange(user: SignedIn, changeId: string, isConfirmed: boolean): Promise<ChangeState> {
    await this.asked('decideChange', user, { changeId, isConfirmed });
    return { ...A_CHANGE, state: isConfirmed ? 'effective' : 'rejected' };
  }

  async readPolicy(): Promise<ApprovalPolicy> {
    await this.meet('readPolicy');
    return this.policy;
  }

  async setPolicy(user: SignedIn, policy: ApprovalPolicy): Promise<ChangeState> {
    await this.asked('setPolicy', user, policy);
    return A_CHANGE;
  }

  async changeProvider(user: SignedIn, provider: ChangedProvider): Promise<ChangeState> {
    await this.asked('changeProvider', user, provider);
    return A_CHANGE;
  }

  async readGoingLive(): Promise<GoingLive> {
    await this.meet('readGoingLive');
    return this.goingLive;
  }

  async goLive(user: SignedIn): Promise<ChangeState> {
    await this.asked('goLive', user, {});
    return A_CHANGE;
  }

  async listProviderAccounts(user: SignedIn): Promise<ProviderAccount[]> {
    await this.meet('listProviderAccounts');
    return this.providerAccounts.filter(({ account }) => mayUse(user, account));
  }

  async listTokens(userId: string | null): Promise<TokenSummary[]> {
    await this.meet('listTokens');
    return this.tokens.filter((token) => userId === null || token.userId === userId);
  }

  async issueToken(
    user: SignedIn,
    request: { label: string; validDays: number; scopes: readonly TokenScope[] },
  ): Promise<IssuedToken> {
    await this.asked('issueToken', user, request);
    return this.#newToken(request.label, user, request.scopes);
  }

  async revokeToken(user: SignedIn, tokenId: string): Promise<void> {
    await this.asked('revokeToken', user, { tokenId });
    if (!this.tokens.some((token) => token.tokenId === tokenId)) {
      throw new ApplicationError('not_found', 'there is no such token, or it is revoked already');
    }
    this.tokens = this.tokens.filter((token) => token.tokenId !== tokenId);
  }

  #newToken(
    label: string,
    { userId, login, name }: Pick<SignedIn, 'userId' | 'login' | 'name'> = NEW_USER,
    scopes: readonly TokenScope[] = TOKEN_SCOPES,
  ): IssuedToken {
    const number = this.tokens.length + 1;
    const tokenId = `018f2a00-0000-7000-8000-0000000000a${number}`;
    const expiresAt = '2026-04-05T09:00:00.000Z';
    const times = { createdAt: '2026-01-05T09:00:00.000Z', expiresAt, revokedAt: null, lastUsedAt: null };
    this.tokens.push({ tokenId, userId, login, name, label, scopes: [...scopes], ...times });
    return { token: `secret-${number}`, tokenId, expiresAt, scopes: [...scopes] };
  }

  protected async asked(method: keyof Application, user: SignedIn | null, asked: object): Promise<void> {
    await this.meet(method);
    this.calls.push({ method, login: user?.login ?? null, asked });
  }

  /** Answers a turn later, as everything real does, and fails when it was told to. */
  protected async meet(method: keyof Application): Promise<void> {
    await Promise.resolve();
    const failure = this.failures.get(method);
    if (failure !== undefined) throw failure;
  }
}
