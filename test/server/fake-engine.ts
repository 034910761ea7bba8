import type {
  Decision,
  Engine,
  IncomingWebhook,
  Person,
  RowSummary,
  RunSummary,
  Submission,
  SubmitOutcome,
  TokenSummary,
} from '../../client/engine/engine-api.ts';
import { EngineError } from '../../client/engine/engine-error.ts';
import type { PaymentState } from '../../domain/payment-state.ts';
import type { Actor, Role } from '../../domain/role.ts';
import type { RowProblem } from '../../domain/row-problem.ts';

/** A token of each role, in the order in which people appear in most tests. */
export const TOKENS: Record<Role, string> = {
  maker: 'maker-token-1',
  checker: 'checker-token-1',
  viewer: 'viewer-token-1',
  administrator: 'administrator-token-1',
};

export function aRun(fields: Partial<RunSummary> = {}): RunSummary {
  return {
    runId: '018f2a00-0000-7000-8000-000000000001',
    account: 'default',
    fileName: 'payroll.csv',
    state: 'in_approval',
    stateReason: null,
    rowCount: 3,
    rows: { ready: 3 },
    proposal: {
      rows: 3,
      payable: 3,
      setAside: 0,
      totalsByBuyCurrency: [{ currency: 'IDR', rows: 3, amount: '45000000' }],
      totalsBySellCurrency: [{ currency: 'SGD', rows: 3, amount: '3750.25' }],
      funds: [{ currency: 'SGD', needed: '3750.25', held: '10000.00', claimed: '0.00' }],
      requests: 13,
      durationSeconds: 3,
      warnings: ['first payment to 2 new bank accounts'],
      contentHash: 'a'.repeat(64),
    },
    submittedBy: { userId: 'user-maker', name: 'Mei' },
    submittedAt: '2026-01-05T09:00:00.000Z',
    decidedBy: null,
    decidedAt: null,
    startedAt: null,
    finishedAt: null,
    ratePerSecond: 0,
    secondsLeft: null,
    ...fields,
  };
}

export function aRow(fields: Partial<RowSummary> = {}): RowSummary {
  return {
    paymentId: 'payment-1',
    line: 2,
    rowRef: 'INV-1',
    state: 'paid',
    attempt: 1,
    payee: 'Budi',
    sellCurrency: 'SGD',
    sellAmount: '10.00',
    buyCurrency: 'IDR',
    buyAmount: '120000',
    errorCode: null,
    errorMessage: null,
    ...fields,
  };
}

export function aProblem(fields: Partial<RowProblem> = {}): RowProblem {
  return {
    line: 2,
    rowRef: 'INV-1',
    column: 'amount',
    value: '1,000.00',
    problem: 'has a thousands separator',
    mend: 'write 1000.00',
    code: 'thousands_separator',
    ...fields,
  };
}

/** The engine's interface over plain memory. Tests set what it answers and look at what it was asked. */
export class FakeEngine implements Engine {
  readonly people = new Map<string, Person>();
  readonly runs = new Map<string, RunSummary>();
  rows: RowSummary[] = [];
  outcome: SubmitOutcome = {
    kind: 'accepted',
    runId: '018f2a00-0000-7000-8000-000000000001',
    skipped: [],
    warnings: [],
  };
  /** What the next calls throw, by method; kept until it is taken away. */
  readonly failures = new Map<keyof Engine, Error>();
  readonly submissions: { actor: Actor; submission: Submission }[] = [];
  readonly decisions: { actor: Actor; runId: string; decision: Decision; approved: boolean }[] = [];
  readonly webhooks: IncomingWebhook[] = [];
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
    this.submissions.push({ actor, submission });
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
