import type { AuditEntrySummary, AuditReport } from './audit-api.ts';
import type { PaymentState } from '../../domain/payment-state.ts';
import type { Actor, Role } from '../../domain/role.ts';
import type { RowProblem } from '../../domain/row-problem.ts';
import type { RunProposal } from '../../domain/run-proposal.ts';
import type { RunState } from '../../domain/run-state.ts';
import type { FileContent } from './file-content.ts';
import type { ResolutionProposal, RowDetail } from './row-detail.ts';

/** What payrun can be asked to do, as the server calls it. Times are ISO-8601 UTC strings, amounts decimal strings. */
export interface Engine {
  /** Checks a file and, when it is accepted, stores it and starts its run. A refused file leaves only an audit entry. */
  submit(actor: Actor, submission: Submission): Promise<SubmitOutcome>;
  listRuns(page: { limit: number; before: string | null }): Promise<RunSummary[]>;
  /** Null when there is no such run. */
  findRun(runId: string): Promise<RunSummary | null>;
  /** Rows in input order, after the given input line. */
  listRows(
    runId: string,
    page: { limit: number; afterLine: number; state: PaymentState | null },
  ): Promise<RowSummary[]>;
  /** One row with the evidence of what became of it; null when there is no such row. */
  findRow(runId: string, rowRef: string): Promise<RowDetail | null>;
  /** Proposes how an unknown row ended. `conflict` when it is not unknown, or has an open proposal. */
  proposeResolution(actor: Actor, row: RowPlace, proposal: ResolutionProposal): Promise<RowDetail>;
  /** `not_allowed` for the proposer and the run's maker, `conflict` when the provider says otherwise. */
  confirmResolution(actor: Actor, row: RowPlace, seen: { resolutionId: string }): Promise<RowDetail>;
  /** For checkers, and for the proposer. */
  denyResolution(
    actor: Actor,
    row: RowPlace,
    denial: { resolutionId: string; reason: string | null },
  ): Promise<RowDetail>;
  /** Refused with `not_allowed` for the run's own maker, with `conflict` when the run waits for no decision. */
  approveRun(actor: Actor, runId: string, decision: Decision): Promise<RunSummary>;
  rejectRun(actor: Actor, runId: string, decision: Decision): Promise<RunSummary>;
  /** `results.csv`, piece by piece: a line for every input row, in input order. */
  results(runId: string): AsyncIterable<string>;
  /** `exceptions.csv`, piece by piece: the rows not paid, in input format with two more columns. */
  exceptions(runId: string): AsyncIterable<string>;
  /** What happened to a run, in the order of the facts, after the given entry; of the rows of one reference alone. */
  listAudit(
    runId: string,
    page: { limit: number; afterEntry: number; rowRef: string | null },
  ): Promise<AuditEntrySummary[]>;
  /**
   * Recomputes the chain over the whole audit trail; `noted` is a head that must still be in it. Refused with
   * `unavailable` while another verification is under way.
   */
  verifyAudit(noted: { position: number; hash: string } | null): Promise<AuditReport>;
  /** The person behind a bearer token, or null when the token is unknown, expired or revoked. */
  authenticate(bearerToken: string): Promise<Person | null>;
  listTokens(): Promise<TokenSummary[]>;
  /** The token is shown this once; only its hash is kept. A person is made on first mention. */
  issueToken(
    actor: Actor,
    request: { name: string; role: Role; label: string; validDays: number | null },
  ): Promise<{
    token: string;
    summary: TokenSummary;
  }>;
  /** False when there is no such token, or it is revoked already. */
  revokeToken(actor: Actor, tokenId: string): Promise<boolean>;
  /** Puts a webhook into the inbox, then wakes the confirmation sweep. The same body again is only counted. */
  receiveWebhook(webhook: IncomingWebhook): Promise<'accepted' | 'duplicate'>;
  /** Each service by name: null when it answers, else what is wrong. */
  health(): Promise<Record<'postgres' | 'temporal', string | null>>;
}

export interface Submission {
  /** Null: the only configured account, or the one called `default`. */
  account: string | null;
  fileName: string;
  csv: FileContent;
  /** Columns that are the same for all rows. */
  defaults: Record<string, string>;
  /** Other people's headers, each with our column. */
  mapping: Record<string, string>;
  files: SubmittedFile[];
  /** What becomes of a file with invalid rows: all of it is refused, or those rows are left out and listed. */
  onInvalid: 'reject' | 'skip';
}

export interface SubmittedFile {
  /** By which rows mention it. */
  name: string;
  bytes: FileContent;
}

/** Lists of problems and warnings hold the first 1,000 in the order of the file; the counts are of all. */
export type SubmitOutcome =
  | ({ kind: 'accepted' } & SubmitReceipt)
  | { kind: 'refused'; problems: RowProblem[]; problemCount: number };

export interface SubmitReceipt {
  runId: string;
  /** What is wrong with rows that were left out. */
  skipped: RowProblem[];
  skippedCount: number;
  warnings: RowProblem[];
  warningCount: number;
}

export interface RunSummary {
  runId: string;
  account: string;
  fileName: string;
  state: RunState;
  /** Why the run is in this state, where there is more to say than its name. */
  stateReason: string | null;
  rowCount: number;
  rows: Partial<Record<PaymentState, number>>;
  proposal: RunProposal | null;
  submittedBy: { userId: string; name: string };
  submittedAt: string;
  decidedBy: { userId: string; name: string } | null;
  decidedAt: string | null;
  startedAt: string | null;
  finishedAt: string | null;
  /** Payments that were funded or ended in the last half minute, by the second. */
  ratePerSecond: number;
  /** Seconds until every row is sent, by the provider's limit; null before it runs and after it ended. */
  secondsLeft: number | null;
}

export interface RowSummary {
  paymentId: string;
  line: number;
  rowRef: string;
  state: PaymentState;
  attempt: number;
  payee: string | null;
  sellCurrency: string | null;
  sellAmount: string | null;
  buyCurrency: string | null;
  buyAmount: string | null;
  errorCode: string | null;
  errorMessage: string | null;
}

/** Where a row is: its run, and its `row_ref` there. */
export interface RowPlace {
  runId: string;
  rowRef: string;
}

export interface Decision {
  comment: string | null;
  /** The content hash that the decider saw; a run that has changed since is refused with `conflict`. */
  contentHash: string | null;
}

export interface Person extends Actor {
  name: string;
}

export interface TokenSummary {
  tokenId: string;
  userId: string;
  name: string;
  role: Role;
  label: string;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

export interface IncomingWebhook {
  account: string;
  rawBody: string;
  /** What the webhook parser made of it, or `unknown`. */
  kind: string;
  resourceId: string | null;
  /** Whether it claims that the payment `resourceId` has ended. */
  claimsEnd: boolean;
}
