import type { AuditEntrySummary, AuditReport } from '../../client/engine/audit-api.ts';
import type {
  DecidedRun,
  Decision,
  Engine,
  FileSummary,
  IncomingWebhook,
  RowPlace,
  RowSummary,
  RunSummary,
  Submission,
  SubmitOutcome,
} from '../../client/engine/engine-api.ts';
import type { RefusedAccess, SignIn } from '../../client/engine/sign-in.ts';
import type { SignedIn } from '../../client/engine/signed-in.ts';
import type { CancelledRun, LiftedStop, MadeStop, StopSummary } from '../../client/engine/stop-api.ts';
import type {
  AddedUser,
  ChangeState,
  ChangeSummary,
  InvitedUser,
  IssuedToken,
  TokenSummary,
  UserSummary,
} from '../../client/engine/user-api.ts';
import { aResolution } from './a-row-detail.ts';
import { EngineError } from '../../client/engine/engine-error.ts';
import { maskedRow } from '../../client/engine/row-summary.ts';
import { bytesOf } from '../../client/engine/file-content.ts';
import type { ResolutionProposal, RowDetail, RowResolution } from '../../client/engine/row-detail.ts';
import type { PaymentState } from '../../domain/payment-state.ts';
import type { ApprovalPolicy } from '../../domain/approval-policy.ts';
import type { RunReview } from '../../domain/run-finding.ts';
import type { Role } from '../../domain/role.ts';
import type { StopScope } from '../../store/authority.ts';
import { TokenProof } from '../../store/token-proof.ts';

/** A submission with everything that was spooled. */
type ReceivedSubmission = Omit<Submission, 'csv' | 'files'> & {
  csv: Uint8Array;
  files: { name: string; bytes: Uint8Array }[];
};

/** A token of each role, in the order in which people appear in most tests. */
export const TOKENS: Record<Role, string> = {
  maker: 'maker-token-1',
  checker: 'checker-token-1',
  treasurer: 'treasurer-token-1',
  onboarder: 'onboarder-token-1',
  viewer: 'viewer-token-1',
  administrator: 'administrator-token-1',
};

const A_STOP = '018f2a00-0000-7000-8000-0000000000c1';
const A_USER = '018f2a00-0000-7000-8000-0000000000c2';
const NO_ROWS = { sent: 0, created: 0, notSent: 3 };
const NEW_USER = { userId: A_USER, login: 'new', name: 'A new user' };
const AN_INVITATION = { code: 'a-code-that-works-once', expiresAt: '2026-01-06T09:00:00.000Z' };
const A_CHANGE: ChangeState = {
  changeId: '018f2a00-0000-7000-8000-0000000000c3',
  state: 'pending',
  takesEffectAt: '2026-01-08T09:00:00.000Z',
};

/** The engine's interface over plain memory. Tests set what it answers and look at what it was asked. */
export class FakeEngine implements Engine {
  readonly users = new Map<string, SignedIn>();
  readonly runs = new Map<string, RunSummary>();
  rows: RowSummary[] = [];
  review: RunReview = { contentHash: 'a'.repeat(64), findings: [], more: {} };
  files: (FileSummary & { bytes: Uint8Array })[] = [];
  readonly rowDetails = new Map<string, RowDetail>();
  readonly resolved: { user: SignedIn; rowRef: string; asked: object }[] = [];
  outcome: SubmitOutcome = {
    kind: 'accepted',
    runId: '018f2a00-0000-7000-8000-000000000001',
    skipped: [],
    skippedCount: 0,
    warnings: [],
    warningCount: 0,
  };
  /** What the next calls throw, by method; kept until it is taken away. */
  readonly failures = new Map<keyof Engine, Error>();
  readonly submissions: { user: SignedIn; submission: ReceivedSubmission }[] = [];
  /** What goes on while a submission is taken. */
  whileSubmitting: (submission: Submission) => Promise<void> = () => Promise.resolve();
  readonly decisions: { user: SignedIn; runId: string; decision: Decision; approved: boolean }[] = [];
  /** What was asked of users, tokens, changes and stops, in order. */
  readonly calls: { method: keyof Engine; login: string | null; asked: object }[] = [];
  readonly refusedAccess: RefusedAccess[] = [];
  stops: StopSummary[] = [];
  listedUsers: UserSummary[] = [];
  changes: ChangeSummary[] = [];
  policy: ApprovalPolicy = {
    rules: [{ name: 'one checker', when: {}, steps: [{ role: 'checker' }] }],
    changes: { delayHours: 72 },
  };
  readonly webhooks: IncomingWebhook[] = [];
  auditEntries: AuditEntrySummary[] = [];
  auditReport: AuditReport = {
    broken: null,
    sealed: 2,
    head: { position: 2, hash: 'b'.repeat(64) },
    unsealed: 0,
    unsealedSince: null,
  };
  readonly notedHeads: ({ position: number; hash: string } | null)[] = [];
  tokens: TokenSummary[] = [];
  pieces: string[] = ['row_ref,status\r\n', 'INV-1,paid\r\n'];
  /** After how many pieces a file breaks off; null: never. */
  breaksAfterPieces: number | null = null;
  troubles: Record<'postgres' | 'temporal', string | null> = { postgres: null, temporal: null };
  findCalls = 0;

  constructor() {
    for (const [role, token] of Object.entries(TOKENS) as [Role, string][]) {
      this.users.set(token, {
        userId: `user-${role}`,
        login: role,
        name: `A ${role}`,
        roles: [role],
        tokenId: `018f2a00-0000-7000-8000-0000000000b${this.users.size}`,
        proof: TokenProof.of(token),
      });
    }
  }

  async submit(user: SignedIn, submission: Submission): Promise<SubmitOutcome> {
    await this.#meet('submit');
    await this.whileSubmitting(submission);
    // What was spooled is gone once this is answered.
    const files = await Promise.all(
      submission.files.map(async ({ name, bytes }) => ({ name, bytes: await bytesOf(bytes) })),
    );
    this.submissions.push({ user, submission: { ...submission, csv: await bytesOf(submission.csv), files } });
    return this.outcome;
  }

  async listRuns({ limit }: { limit: number; before: string | null }): Promise<RunSummary[]> {
    await this.#meet('listRuns');
    return [...this.runs.values()].slice(0, limit);
  }

  async findRun(runId: string): Promise<RunSummary | null> {
    this.findCalls += 1;
    await this.#meet('findRun');
    return this.runs.get(runId) ?? null;
  }

  async listRows(
    _runId: string,
    page: { limit: number; afterLine: number; state: PaymentState | null; withInstructions?: boolean },
  ): Promise<RowSummary[]> {
    await this.#meet('listRows');
    const fitting = this.rows.filter(
      (row) => row.line > page.afterLine && (page.state === null || row.state === page.state),
    );
    const rows = fitting.slice(0, page.limit);
    return page.withInstructions === true ? rows : rows.map(maskedRow);
  }

  async findRow(
    _runId: string,
    rowRef: string,
    may: { withInstructions: boolean } = { withInstructions: false },
  ): Promise<RowDetail | null> {
    await this.#meet('findRow');
    const row = this.rowDetails.get(rowRef) ?? null;
    return row === null || may.withInstructions ? row : { ...maskedRow(row), instruction: null };
  }

  async findReview(runId: string): Promise<RunReview | null> {
    await this.#meet('findReview');
    return this.runs.has(runId) ? this.review : null;
  }

  async listFiles(): Promise<FileSummary[]> {
    await this.#meet('listFiles');
    return this.files.map(({ name, contentType, sizeBytes, sha256 }) => ({ name, contentType, sizeBytes, sha256 }));
  }

  async findFile(_runId: string, name: string): Promise<(FileSummary & { bytes: Uint8Array }) | null> {
    await this.#meet('findFile');
    return this.files.find((file) => file.name === name) ?? null;
  }

  async proposeResolution(user: SignedIn, { rowRef }: RowPlace, proposal: ResolutionProposal): Promise<RowDetail> {
    await this.#meet('proposeResolution');
    this.resolved.push({ user, rowRef, asked: proposal });
    return this.#resolve(rowRef, aResolution(proposal));
  }

  async confirmResolution(user: SignedIn, { rowRef }: RowPlace, asked: { resolutionId: string }): Promise<RowDetail> {
    await this.#meet('confirmResolution');
    this.resolved.push({ user, rowRef, asked });
    return { ...this.#resolve(rowRef, aResolution({ state: 'confirmed' })), state: 'paid' };
  }

  async denyResolution(
    user: SignedIn,
    { rowRef }: RowPlace,
    asked: { resolutionId: string; reason: string | null },
  ): Promise<RowDetail> {
    await this.#meet('denyResolution');
    this.resolved.push({ user, rowRef, asked });
    return this.#resolve(rowRef, aResolution({ state: 'denied' }));
  }

  async listAudit(
    _runId: string,
    page: { limit: number; afterEntry: number; rowRef: string | null },
  ): Promise<AuditEntrySummary[]> {
    await this.#meet('listAudit');
    const fitting = this.auditEntries.filter(
      ({ entryId, rowRef }) => entryId > page.afterEntry && (page.rowRef === null || rowRef === page.rowRef),
    );
    return fitting.slice(0, page.limit);
  }

  async verifyAudit(noted: { position: number; hash: string } | null): Promise<AuditReport> {
    await this.#meet('verifyAudit');
    this.notedHeads.push(noted);
    return this.auditReport;
  }

  async approveRun(user: SignedIn, runId: string, decision: Decision): Promise<DecidedRun> {
    await this.#meet('approveRun');
    return this.#decide(user, runId, decision, true);
  }

  async rejectRun(user: SignedIn, runId: string, decision: Decision): Promise<DecidedRun> {
    await this.#meet('rejectRun');
    return this.#decide(user, runId, decision, false);
  }

  async *results(): AsyncGenerator<string> {
    await this.#meet('results');
    yield* this.#file();
  }

  async *exceptions(): AsyncGenerator<string> {
    await this.#meet('exceptions');
    yield* this.#file();
  }

  async signIn(bearerToken: string): Promise<SignIn> {
    await this.#meet('signIn');
    const user = this.users.get(bearerToken);
    return user === undefined ? { kind: 'refused', known: null } : { kind: 'signed_in', user };
  }

  async isSignedIn({ userId }: SignedIn): Promise<boolean> {
    await this.#meet('isSignedIn');
    return [...this.users.values()].some((user) => user.userId === userId);
  }

  async noteRefusedAccess(refused: RefusedAccess): Promise<void> {
    await this.#meet('noteRefusedAccess');
    this.refusedAccess.push(refused);
  }

  async withdrawRun(user: SignedIn, runId: string, reason: string | null): Promise<RunSummary> {
    await this.#asked('withdrawRun', user, { runId, reason });
    return this.#run(runId);
  }

  async stopPayments(user: SignedIn, of: StopScope, reason: string | null): Promise<MadeStop> {
    await this.#asked('stopPayments', user, { ...of, reason });
    return { stopId: A_STOP, counts: of.scope === 'run' ? NO_ROWS : null };
  }

  async liftStop(user: SignedIn, stopId: string): Promise<LiftedStop> {
    await this.#asked('liftStop', user, { stopId });
    return { stopId, state: 'asked' };
  }

  async cancelRun(user: SignedIn, runId: string, reason: string | null): Promise<CancelledRun> {
    await this.#asked('cancelRun', user, { runId, reason });
    return { cancelled: 2, counts: NO_ROWS };
  }

  async listStops(): Promise<StopSummary[]> {
    await this.#meet('listStops');
    return this.stops;
  }

  async listGlobalAudit(page: { limit: number; afterEntry: number }): Promise<AuditEntrySummary[]> {
    await this.#meet('listGlobalAudit');
    return this.auditEntries.filter(({ entryId }) => entryId > page.afterEntry).slice(0, page.limit);
  }

  async eraseRemark(user: SignedIn, remarkId: string): Promise<void> {
    await this.#asked('eraseRemark', user, { remarkId });
  }

  async listUsers(): Promise<UserSummary[]> {
    await this.#meet('listUsers');
    return this.listedUsers;
  }

  async addUser(user: SignedIn, added: { login: string; name: string; roles: readonly Role[] }): Promise<AddedUser> {
    await this.#asked('addUser', user, added);
    return { userId: A_USER, change: null, invitation: AN_INVITATION };
  }

  async inviteUser(user: SignedIn, userId: string): Promise<InvitedUser> {
    await this.#asked('inviteUser', user, { userId });
    return { change: A_CHANGE };
  }

  async acceptInvitation(accepted: { code: string; label: string; validDays: number }): Promise<IssuedToken> {
    await this.#asked('acceptInvitation', null, accepted);
    return this.#newToken(accepted.label);
  }

  async grantRoles(user: SignedIn, userId: string, roles: readonly Role[]): Promise<ChangeState> {
    await this.#asked('grantRoles', user, { userId, roles });
    return A_CHANGE;
  }

  async removeRole(user: SignedIn, userId: string, role: Role): Promise<void> {
    await this.#asked('removeRole', user, { userId, role });
  }

  async disableUser(user: SignedIn, userId: string): Promise<void> {
    await this.#asked('disableUser', user, { userId });
  }

  async enableUser(user: SignedIn, userId: string): Promise<ChangeState> {
    await this.#asked('enableUser', user, { userId });
    return A_CHANGE;
  }

  async listChanges(): Promise<ChangeSummary[]> {
    await this.#meet('listChanges');
    return this.changes;
  }

  async decideChange(user: SignedIn, changeId: string, isConfirmed: boolean): Promise<ChangeState> {
    await this.#asked('decideChange', user, { changeId, isConfirmed });
    return { ...A_CHANGE, state: isConfirmed ? 'effective' : 'rejected' };
  }

  async readPolicy(): Promise<ApprovalPolicy> {
    await this.#meet('readPolicy');
    return this.policy;
  }

  async setPolicy(user: SignedIn, policy: ApprovalPolicy): Promise<ChangeState> {
    await this.#asked('setPolicy', user, policy);
    return A_CHANGE;
  }

  async listTokens(userId: string | null): Promise<TokenSummary[]> {
    await this.#meet('listTokens');
    return this.tokens.filter((token) => userId === null || token.userId === userId);
  }

  async issueToken(user: SignedIn, request: { label: string; validDays: number }): Promise<IssuedToken> {
    await this.#asked('issueToken', user, request);
    return this.#newToken(request.label, user);
  }

  async revokeToken(user: SignedIn, tokenId: string): Promise<void> {
    await this.#asked('revokeToken', user, { tokenId });
    if (!this.tokens.some((token) => token.tokenId === tokenId)) {
      throw new EngineError('not_found', 'there is no such token, or it is revoked already');
    }
    this.tokens = this.tokens.filter((token) => token.tokenId !== tokenId);
  }

  async receiveWebhook(webhook: IncomingWebhook): Promise<'accepted' | 'duplicate'> {
    await this.#meet('receiveWebhook');
    const known = this.webhooks.some(({ rawBody }) => rawBody === webhook.rawBody);
    this.webhooks.push(webhook);
    return known ? 'duplicate' : 'accepted';
  }

  async health(): Promise<Record<'postgres' | 'temporal', string | null>> {
    await this.#meet('health');
    return this.troubles;
  }

  #decide(user: SignedIn, runId: string, decision: Decision, approved: boolean): DecidedRun {
    const run = { ...this.#run(runId), state: approved ? ('running' as const) : ('rejected' as const) };
    this.decisions.push({ user, runId, decision, approved });
    this.runs.set(runId, run);
    return { run, step: approved ? 1 : null, steps: approved ? 1 : null };
  }

  #run(runId: string): RunSummary {
    const run = this.runs.get(runId);
    if (run === undefined) throw new EngineError('not_found', `there is no run ${runId}`);
    return run;
  }

  #newToken(
    label: string,
    { userId, login, name }: Pick<SignedIn, 'userId' | 'login' | 'name'> = NEW_USER,
  ): IssuedToken {
    const number = this.tokens.length + 1;
    const tokenId = `018f2a00-0000-7000-8000-0000000000a${number}`;
    const expiresAt = '2026-04-05T09:00:00.000Z';
    const times = { createdAt: '2026-01-05T09:00:00.000Z', expiresAt, revokedAt: null, lastUsedAt: null };
    this.tokens.push({ tokenId, userId, login, name, label, ...times });
    return { token: `secret-${number}`, tokenId, expiresAt };
  }

  async #asked(method: keyof Engine, user: SignedIn | null, asked: object): Promise<void> {
    await this.#meet(method);
    this.calls.push({ method, login: user?.login ?? null, asked });
  }

  #resolve(rowRef: string, resolution: RowResolution): RowDetail {
    const row = this.rowDetails.get(rowRef);
    if (row === undefined) throw new EngineError('not_found', 'there is no such row in this run');
    const resolved = { ...row, resolutions: [resolution] };
    this.rowDetails.set(rowRef, resolved);
    return resolved;
  }

  *#file(): Generator<string> {
    for (const [index, piece] of this.pieces.entries()) {
      if (this.breaksAfterPieces === index) throw new Error('the database went away');
      yield piece;
    }
  }

  /** Answers a turn later, as everything real does, and fails when it was told to. */
  async #meet(method: keyof Engine): Promise<void> {
    await Promise.resolve();
    const failure = this.failures.get(method);
    if (failure !== undefined) throw failure;
  }
}
