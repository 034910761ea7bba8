import type { DoneOrChange } from '../../api/approvals/change.ts';
import type { AuditEntrySummary, AuditReport, GlobalAuditQuery } from '../../api/audit/audit.ts';
import type { DecidedRun } from '../../api/approvals/decision.ts';
import type { RowKey, RowSummary } from '../../api/runs/row.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import type { FileSummary } from '../../api/runs/supporting-file.ts';
import type { Application } from '../../application/create-application.ts';
import type { Decision } from '../../application/approvals/decide-run.ts';
import type { IncomingWebhook, WebhookResult } from '../../application/webhooks/receive-webhook.ts';
import type { Submission, SubmitOutcome } from '../../application/runs/submission.ts';
import { mayUse, type SignedIn } from '../../application/users/signed-in.ts';
import { aManualOutcome } from './a-row-detail.ts';
import { inState, NO_DIFFERENCES } from './application-records.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { maskedRow } from '../../application/runs/row-summary.ts';
import { bytesOf } from '../../application/payment-file/file-content.ts';
import type { ManualOutcomeProposal, RowManualOutcome } from '../../api/payments/manual-outcome.ts';
import type { ReleaseRequest, ReleasedRows } from '../../api/runs/release.ts';
import type { RowDetail } from '../../api/runs/row-detail.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { RunReview } from '../../domain/runs/run-finding.ts';
import type { AccountHolding } from '../../store/accounts/account-of.ts';
import { FakeInbox } from './fake-inbox.ts';

/** A submission with everything that was spooled. */
type ReceivedSubmission = Omit<Submission, 'file' | 'files'> & {
  file: Uint8Array;
  files: { name: string; bytes: Uint8Array }[];
};

/** The application's interface over plain memory. Tests set what it answers and look at what it was asked. */
export class FakeApplication extends FakeInbox implements Application {
  readonly runs = new Map<string, RunSummary>();
  rows: RowSummary[] = [];
  review: RunReview = { contentHash: 'a'.repeat(64), findings: [], unlistedCounts: {} };
  /** Of the policy: each approval is the first of them. */
  steps = 1;
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
  readonly submissions: { user: SignedIn; submission: ReceivedSubmission }[] = [];
  /** What goes on while a submission is taken. */
  whileSubmitting: (submission: Submission) => Promise<void> = () => Promise.resolve();
  readonly decisions: { user: SignedIn; runId: string; decision: Decision; approved: boolean }[] = [];
  readonly webhooks: IncomingWebhook[] = [];
  auditEntries: AuditEntrySummary[] = [];
  auditReport: AuditReport = {
    broken: null,
    chained: 2,
    head: { position: 2, hash: 'b'.repeat(64) },
    ...{ unchained: 0, unchainedSince: null, afterNotedSince: null },
  };
  readonly notedHeads: ({ position: number; hash: string } | null)[] = [];
  pieces: string[] = ['row_ref,status\r\n', 'INV-1,paid\r\n'];
  /** After how many pieces a file breaks off; null: never. */
  breaksAfterPieces: number | null = null;
  troubles: Record<'postgres' | 'temporal', string | null> = { postgres: null, temporal: null };
  findCalls = 0;
  /** Runs whose account was asked for. */
  readonly runsAsked: string[] = [];

  async submit(user: SignedIn, submission: Submission): Promise<SubmitOutcome> {
    await this.meet('submit');
    await this.whileSubmitting(submission);
    // What was spooled is gone once this is answered.
    const file = await bytesOf(submission.file);
    const files = await Promise.all(submission.files.map(async (one) => ({ ...one, bytes: await bytesOf(one.bytes) })));
    this.submissions.push({ user, submission: { ...submission, file, files } });
    return this.outcome;
  }

  async listRuns(user: SignedIn, { limit }: { limit: number; before: string | null }): Promise<RunSummary[]> {
    await this.meet('listRuns');
    return [...this.runs.values()].filter(({ account }) => mayUse(user, account)).slice(0, limit);
  }

  async accountOf(kind: AccountHolding, id: string): Promise<{ account: string | null } | null> {
    await this.meet('accountOf');
    if (kind === 'run' || kind === 'case') (kind === 'run' ? this.runsAsked : this.casesAsked).push(id);
    switch (kind) {
      case 'run':
        return this.runs.get(id) ?? null;
      case 'case':
        return this.cases.get(id) ?? null;
      case 'order':
        return this.orders.get(id) ?? null;
      case 'schedule':
        return this.schedules.find(({ scheduleId }) => scheduleId === id) ?? null;
      default:
        return { account: 'default' };
    }
  }

  async findRun(runId: string): Promise<RunSummary | null> {
    this.findCalls += 1;
    await this.meet('findRun');
    return this.runs.get(runId) ?? null;
  }

  async listRows(
    _runId: string,
    page: { limit: number; afterLine: number; state: PaymentState | null; withInstructions?: boolean },
  ): Promise<RowSummary[]> {
    await this.meet('listRows');
    const fitting = this.rows.filter(
      (row) => row.line > page.afterLine && (page.state === null || row.state === page.state),
    );
    const rows = fitting.slice(0, page.limit);
    return page.withInstructions === true ? rows : rows.map(maskedRow);
  }

  async countRows(_runId: string, page: { state: PaymentState | null }): Promise<{ count: number; hasMore: boolean }> {
    await this.meet('countRows');
    const fitting = this.rows.filter(({ state }) => page.state === null || state === page.state);
    return { count: fitting.length, hasMore: false };
  }

  async findRow(
    _runId: string,
    rowRef: string,
    may: { withInstructions: boolean } = { withInstructions: false },
  ): Promise<RowDetail | null> {
    await this.meet('findRow');
    const row = this.rowDetails.get(rowRef) ?? null;
    return row === null || may.withInstructions ? row : { ...maskedRow(row), instruction: null, asSubmitted: null };
  }

  async findReview(runId: string): Promise<RunReview | null> {
    await this.meet('findReview');
    return this.runs.has(runId) ? this.review : null;
  }

  async listFiles(): Promise<FileSummary[]> {
    await this.meet('listFiles');
    return this.files.map(({ name, contentType, sizeBytes, sha256 }) => ({ name, contentType, sizeBytes, sha256 }));
  }

  async findFile(_runId: string, name: string): Promise<(FileSummary & { bytes: Uint8Array }) | null> {
    await this.meet('findFile');
    return this.files.find((file) => file.name === name) ?? null;
  }

  async releaseRows(user: SignedIn, { runId }: { runId: string }, asked: ReleaseRequest): Promise<ReleasedRows> {
    await this.meet('releaseRows');
    this.resolved.push({ user, rowRef: runId, asked });
    return { rowCount: this.suspects.rowCount, approvals: 1 };
  }

  async proposeManualOutcome(user: SignedIn, { rowRef }: RowKey, proposal: ManualOutcomeProposal): Promise<RowDetail> {
    await this.meet('proposeManualOutcome');
    this.resolved.push({ user, rowRef, asked: proposal });
    return this.#resolve(rowRef, aManualOutcome(proposal));
  }

  async confirmManualOutcome(
    user: SignedIn,
    { rowRef }: RowKey,
    asked: { manualOutcomeId: string },
  ): Promise<RowDetail> {
    await this.meet('confirmManualOutcome');
    this.resolved.push({ user, rowRef, asked });
    return { ...this.#resolve(rowRef, aManualOutcome({ state: 'confirmed' })), state: 'paid' };
  }

  async rejectManualOutcome(
    user: SignedIn,
    { rowRef }: RowKey,
    asked: { manualOutcomeId: string; reason: string | null },
  ): Promise<RowDetail> {
    await this.meet('rejectManualOutcome');
    this.resolved.push({ user, rowRef, asked });
    return this.#resolve(rowRef, aManualOutcome({ state: 'rejected' }));
  }

  async listAudit(
    _runId: string,
    page: { limit: number; afterEntry: number; rowRef: string | null; by: 'people' | null },
  ): Promise<AuditEntrySummary[]> {
    await this.meet('listAudit');
    const fitting = this.auditEntries.filter(
      ({ entryId, rowRef, person }) =>
        entryId > page.afterEntry &&
        (page.rowRef === null || rowRef === page.rowRef) &&
        (page.by === null || person !== null),
    );
    return fitting.slice(0, page.limit);
  }

  async verifyAudit(noted: { position: number; hash: string } | null): Promise<AuditReport> {
    await this.meet('verifyAudit');
    this.notedHeads.push(noted);
    return this.auditReport;
  }

  async approveRun(user: SignedIn, runId: string, decision: Decision): Promise<DecidedRun> {
    await this.meet('approveRun');
    return this.#decide(user, runId, decision, true);
  }

  async rejectRun(user: SignedIn, runId: string, decision: Decision): Promise<DecidedRun> {
    await this.meet('rejectRun');
    return this.#decide(user, runId, decision, false);
  }

  readonly runDifferences = () => Promise.resolve(NO_DIFFERENCES);
  readonly proposal = () => this.results();
  readonly sheet = () => this.results();
  async *results(): AsyncGenerator<string> {
    await this.meet('results');
    yield* this.#file();
  }
  async *exceptions(): AsyncGenerator<string> {
    await this.meet('exceptions');
    yield* this.#file();
  }

  sendRun(user: SignedIn, runId: string, contentHash: string): Promise<RunSummary> {
    return this.asked('sendRun', user, { runId, contentHash }).then(() => this.#run(runId));
  }

  withdrawRun(user: SignedIn, runId: string, reason: string | null): Promise<RunSummary> {
    return this.asked('withdrawRun', user, { runId, reason }).then(() => this.#run(runId));
  }

  async listGlobalAudit({ limit, afterEntry, kind, userId, order }: GlobalAuditQuery): Promise<AuditEntrySummary[]> {
    await this.meet('listGlobalAudit');
    const isNewestFirst = order === 'newest';
    const fitting = (isNewestFirst ? this.auditEntries.toReversed() : this.auditEntries).filter(
      (entry) =>
        (isNewestFirst ? afterEntry === 0 || entry.entryId < afterEntry : entry.entryId > afterEntry) &&
        (kind === null || entry.kind === kind) &&
        (userId === null || entry.actor === userId),
    );
    return fitting.slice(0, limit);
  }

  async eraseRun(user: SignedIn, runId: string): Promise<DoneOrChange> {
    return this.asked('eraseRun', user, { runId }).then(() => ({ change: null }));
  }

  async eraseRemark(user: SignedIn, remarkId: string): Promise<DoneOrChange> {
    return this.asked('eraseRemark', user, { remarkId }).then(() => ({ change: null }));
  }

  webhooksAreOverQuota = false;

  async receiveWebhook(webhook: IncomingWebhook): Promise<WebhookResult> {
    await this.meet('receiveWebhook');
    if (this.webhooksAreOverQuota) return 'over_quota';
    const known = this.webhooks.some(({ rawBody }) => rawBody === webhook.rawBody);
    this.webhooks.push(webhook);
    return known ? 'duplicate' : 'accepted';
  }

  async health(): Promise<Record<'postgres' | 'temporal', string | null>> {
    await this.meet('health');
    return this.troubles;
  }

  #decide(user: SignedIn, runId: string, decision: Decision, approved: boolean): DecidedRun {
    const waits = approved && this.steps > 1 ? ('in_approval' as const) : ('running' as const);
    const run = inState(this.#run(runId), approved ? waits : 'rejected');
    this.decisions.push({ user, runId, decision, approved });
    this.runs.set(runId, run);
    const { userId, name } = user;
    const recorded = { decidedBy: { userId, name }, decidedAt: '2026-04-01T09:00:00.000Z' };
    return { run, stepsTaken: approved ? 1 : null, steps: approved ? this.steps : null, ...recorded };
  }

  #run(runId: string): RunSummary {
    const run = this.runs.get(runId);
    if (run === undefined) throw new ApplicationError('not_found', `there is no run ${runId}`);
    return run;
  }

  #resolve(rowRef: string, manualOutcome: RowManualOutcome): RowDetail {
    const row = this.rowDetails.get(rowRef);
    if (row === undefined) throw new ApplicationError('not_found', 'there is no such row in this run');
    const resolved = { ...row, manualOutcomes: [manualOutcome] };
    this.rowDetails.set(rowRef, resolved);
    return resolved;
  }

  *#file(): Generator<string> {
    for (const [index, piece] of this.pieces.entries()) {
      if (this.breaksAfterPieces === index) throw new Error('the database went away');
      yield piece;
    }
  }
}

export { TOKENS } from './fake-authority.ts';
