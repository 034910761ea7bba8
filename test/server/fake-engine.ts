import type { AuditEntrySummary, AuditReport } from '../../client/engine/audit-api.ts';
import type {
  Decision,
  Engine,
  IncomingWebhook,
  Person,
  RowPlace,
  RowSummary,
  RunSummary,
  Submission,
  SubmitOutcome,
  TokenSummary,
} from '../../client/engine/engine-api.ts';
import { aResolution } from './a-row-detail.ts';
import { EngineError } from '../../client/engine/engine-error.ts';
import { bytesOf } from '../../client/engine/file-content.ts';
import type { ResolutionProposal, RowDetail, RowResolution } from '../../client/engine/row-detail.ts';
import type { PaymentState } from '../../domain/payment-state.ts';
import type { Actor, Role } from '../../domain/role.ts';

/** A submission with everything that was spooled. */
type ReceivedSubmission = Omit<Submission, 'csv' | 'files'> & {
  csv: Uint8Array;
  files: { name: string; bytes: Uint8Array }[];
};

/** A token of each role, in the order in which people appear in most tests. */
export const TOKENS: Record<Role, string> = {
  maker: 'maker-token-1',
  checker: 'checker-token-1',
  viewer: 'viewer-token-1',
  administrator: 'administrator-token-1',
};

/** The engine's interface over plain memory. Tests set what it answers and look at what it was asked. */
export class FakeEngine implements Engine {
  readonly people = new Map<string, Person>();
  readonly runs = new Map<string, RunSummary>();
  rows: RowSummary[] = [];
  readonly rowDetails = new Map<string, RowDetail>();
  readonly resolved: { actor: Actor; rowRef: string; asked: object }[] = [];
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
  readonly submissions: { actor: Actor; submission: ReceivedSubmission }[] = [];
  /** What goes on while a submission is taken. */
  whileSubmitting: (submission: Submission) => Promise<void> = () => Promise.resolve();
  readonly decisions: { actor: Actor; runId: string; decision: Decision; approved: boolean }[] = [];
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
      this.people.set(token, { userId: `user-${role}`, role, name: `A ${role}` });
    }
  }

  async submit(actor: Actor, submission: Submission): Promise<SubmitOutcome> {
    await this.#meet('submit');
    await this.whileSubmitting(submission);
    // What was spooled is gone once this is answered.
    const files = await Promise.all(
      submission.files.map(async ({ name, bytes }) => ({ name, bytes: await bytesOf(bytes) })),
    );
    this.submissions.push({ actor, submission: { ...submission, csv: await bytesOf(submission.csv), files } });
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
    page: { limit: number; afterLine: number; state: PaymentState | null },
  ): Promise<RowSummary[]> {
    await this.#meet('listRows');
    const fitting = this.rows.filter(
      (row) => row.line > page.afterLine && (page.state === null || row.state === page.state),
    );
    return fitting.slice(0, page.limit);
  }

  async findRow(_runId: string, rowRef: string): Promise<RowDetail | null> {
    await this.#meet('findRow');
    return this.rowDetails.get(rowRef) ?? null;
  }

  async proposeResolution(actor: Actor, { rowRef }: RowPlace, proposal: ResolutionProposal): Promise<RowDetail> {
    await this.#meet('proposeResolution');
    this.resolved.push({ actor, rowRef, asked: proposal });
    return this.#resolve(rowRef, aResolution(proposal));
  }

  async confirmResolution(actor: Actor, { rowRef }: RowPlace, asked: { resolutionId: string }): Promise<RowDetail> {
    await this.#meet('confirmResolution');
    this.resolved.push({ actor, rowRef, asked });
    return { ...this.#resolve(rowRef, aResolution({ state: 'confirmed' })), state: 'paid' };
  }

  async denyResolution(
    actor: Actor,
    { rowRef }: RowPlace,
    asked: { resolutionId: string; reason: string | null },
  ): Promise<RowDetail> {
    await this.#meet('denyResolution');
    this.resolved.push({ actor, rowRef, asked });
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

  async approveRun(actor: Actor, runId: string, decision: Decision): Promise<RunSummary> {
    await this.#meet('approveRun');
    return this.#decide(actor, runId, decision, true);
  }

  async rejectRun(actor: Actor, runId: string, decision: Decision): Promise<RunSummary> {
    await this.#meet('rejectRun');
    return this.#decide(actor, runId, decision, false);
  }

  async *results(): AsyncGenerator<string> {
    await this.#meet('results');
    yield* this.#file();
  }

  async *exceptions(): AsyncGenerator<string> {
    await this.#meet('exceptions');
    yield* this.#file();
  }

  async authenticate(bearerToken: string): Promise<Person | null> {
    await this.#meet('authenticate');
    return this.people.get(bearerToken) ?? null;
  }

  async listTokens(): Promise<TokenSummary[]> {
    await this.#meet('listTokens');
    return this.tokens;
  }

  async issueToken(
    _actor: Actor,
    request: { name: string; role: Role; label: string; validDays: number | null },
  ): Promise<{ token: string; summary: TokenSummary }> {
    await this.#meet('issueToken');
    const { name, role, label } = request;
    const times = { createdAt: '2026-01-05T09:00:00.000Z', expiresAt: null, revokedAt: null, lastUsedAt: null };
    const summary = {
      tokenId: `018f2a00-0000-7000-8000-0000000000a${this.tokens.length + 1}`,
      userId: `user-${name}`,
      name,
      role,
      label,
      ...times,
    };
    this.tokens.push(summary);
    return { token: `secret-${this.tokens.length}`, summary };
  }

  async revokeToken(_actor: Actor, tokenId: string): Promise<boolean> {
    await this.#meet('revokeToken');
    const before = this.tokens.length;
    this.tokens = this.tokens.filter((token) => token.tokenId !== tokenId);
    return this.tokens.length < before;
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

  #decide(actor: Actor, runId: string, decision: Decision, approved: boolean): RunSummary {
    const run = this.runs.get(runId);
    if (run === undefined) throw new EngineError('not_found', `there is no run ${runId}`);
    this.decisions.push({ actor, runId, decision, approved });
    const decided: RunSummary = { ...run, state: approved ? 'running' : 'rejected' };
    this.runs.set(runId, decided);
    return decided;
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
