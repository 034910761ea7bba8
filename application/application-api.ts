import type { ApprovalPolicy } from '../domain/approvals/approval-policy.ts';
import type { ShownAccount } from '../domain/beneficiaries/known-beneficiary.ts';
import type { PaymentState } from '../domain/payments/payment-state.ts';
import type { Role } from '../domain/users/role.ts';
import type { RowProblem } from '../domain/payment-file/row-problem.ts';
import type { RowMark, RunReview } from '../domain/runs/run-finding.ts';
import type { RunProposal } from '../domain/runs/run-proposal.ts';
import type { RunState } from '../domain/runs/run-state.ts';
import type { StopScope } from '../store/approvals/authority.ts';
import type { AuditEntrySummary, AuditReport } from './audit/audit-api.ts';
import type { FileContent } from './payment-file/file-content.ts';
import type { ReleaseRequest, ReleasedRow, ResolutionProposal, RowDetail } from './runs/row-detail.ts';
import type { RefusedAccess, SignIn } from './users/sign-in.ts';
import type { SignedIn } from './users/signed-in.ts';
import type { CancelledRun, LiftedStop, MadeStop, StopSummary } from './approvals/stop-api.ts';
import type {
  AddedUser,
  ChangedProvider,
  ChangeState,
  ChangeSummary,
  InvitedUser,
  IssuedToken,
  TokenSummary,
  UserSummary,
} from './users/user-api.ts';

/**
 * What payrun can be asked to do, as the server calls it. Whatever changes something takes the user who asks, and is
 * refused by the record itself where their roles do not allow it. Times are ISO-8601 UTC strings, amounts decimal
 * strings.
 */
export interface Application {
  /** Checks a file and, when it is accepted, stores it and starts its run. A refused file leaves only an audit entry. */
  submit(user: SignedIn, submission: Submission): Promise<SubmitOutcome>;
  listRuns(page: { limit: number; before: string | null }): Promise<RunSummary[]>;
  /** Null when there is no such run. */
  findRun(runId: string): Promise<RunSummary | null>;
  /** Rows in input order, after the given input line. */
  listRows(runId: string, page: RowPage): Promise<RowSummary[]>;
  /** One row with the evidence of what became of it; null when there is no such row. */
  findRow(runId: string, rowRef: string, may?: { withInstructions: boolean }): Promise<RowDetail | null>;
  /**
   * What stands out in the rows that a run would pay, or was approved to pay: names and bank accounts, for those who may
   * read instructions. Null when there is no such run, `conflict` while it is still being checked.
   */
  findReview(runId: string): Promise<RunReview | null>;
  /** The supporting files of a run, by name. */
  listFiles(runId: string): Promise<FileSummary[]>;
  /** One of them with its content; null when there is no such file. */
  findFile(runId: string, name: string): Promise<(FileSummary & { bytes: Uint8Array }) | null>;
  /** Lets a suspected duplicate be paid with its run, which is proposed again. `conflict` when others have come since. */
  releaseRow(user: SignedIn, row: RowPlace, release: ReleaseRequest): Promise<ReleasedRow>;
  /** Proposes how an unknown row ended. `conflict` when it is not unknown, or has an open proposal. */
  proposeResolution(user: SignedIn, row: RowPlace, proposal: ResolutionProposal): Promise<RowDetail>;
  /** `not_allowed` for the proposer and the run's maker, `conflict` when the provider says otherwise. */
  confirmResolution(user: SignedIn, row: RowPlace, seen: { resolutionId: string }): Promise<RowDetail>;
  /** For checkers, and for the proposer. */
  denyResolution(
    user: SignedIn,
    row: RowPlace,
    denial: { resolutionId: string; reason: string | null },
  ): Promise<RowDetail>;
  /** Refused with `not_allowed` for the run's own maker, with `conflict` when the run waits for no decision. */
  approveRun(user: SignedIn, runId: string, decision: Decision): Promise<DecidedRun>;
  rejectRun(user: SignedIn, runId: string, decision: Decision): Promise<DecidedRun>;
  /** For its maker, while nobody has decided on it. */
  withdrawRun(user: SignedIn, runId: string, reason: string | null): Promise<RunSummary>;
  /** From then on nothing is sent of it, until two people lift the stop. */
  stopPayments(user: SignedIn, of: StopScope, reason: string | null): Promise<MadeStop>;
  liftStop(user: SignedIn, stopId: string): Promise<LiftedStop>;
  /** Ends a stopped run for good. */
  cancelRun(user: SignedIn, runId: string, reason: string | null): Promise<CancelledRun>;
  /** Stops that hold: all of them, or those that concern a run. */
  listStops(runId: string | null): Promise<StopSummary[]>;
  /** `results.csv`, piece by piece: a line for every input row, in input order. */
  results(runId: string): AsyncIterable<string>;
  /** `exceptions.csv`, piece by piece: the rows not paid, in input format with two more columns. */
  exceptions(runId: string): AsyncIterable<string>;
  /** What happened to a run, in the order of the facts, after the given entry; of the rows of one reference alone. */
  listAudit(
    runId: string,
    page: { limit: number; afterEntry: number; rowRef: string | null },
  ): Promise<AuditEntrySummary[]>;
  /** What belongs to no run: users, tokens, policy, sign-ins, stops; of one kind, or since a time. */
  listGlobalAudit(page: {
    limit: number;
    afterEntry: number;
    kind: string | null;
    from: string | null;
  }): Promise<AuditEntrySummary[]>;
  /**
   * Recomputes the chain over the whole audit trail; `noted` is a head that must still be in it. Refused with
   * `unavailable` while another verification is under way.
   */
  verifyAudit(noted: { position: number; hash: string } | null): Promise<AuditReport>;
  /** Takes away what a person wrote; its hash stays in the audit trail. */
  eraseRemark(user: SignedIn, remarkId: string): Promise<void>;
  signIn(bearerToken: string): Promise<SignIn>;
  /** Whether the token by which somebody signed in still works. */
  isSignedIn(user: SignedIn): Promise<boolean>;
  /** Writes down attempts that were refused. */
  noteRefusedAccess(refused: RefusedAccess): Promise<void>;
  listUsers(): Promise<UserSummary[]>;
  addUser(user: SignedIn, added: { login: string; name: string; roles: readonly Role[] }): Promise<AddedUser>;
  inviteUser(user: SignedIn, userId: string): Promise<InvitedUser>;
  /** For whoever holds the code: it works once. */
  acceptInvitation(accepted: { code: string; label: string; validDays: number }): Promise<IssuedToken>;
  grantRoles(user: SignedIn, userId: string, roles: readonly Role[]): Promise<ChangeState>;
  removeRole(user: SignedIn, userId: string, role: Role): Promise<void>;
  disableUser(user: SignedIn, userId: string): Promise<void>;
  enableUser(user: SignedIn, userId: string): Promise<ChangeState>;
  /** Changes that take two administrators. */
  listChanges(filter: { pendingOnly: boolean; limit: number }): Promise<ChangeSummary[]>;
  decideChange(user: SignedIn, changeId: string, isConfirmed: boolean): Promise<ChangeState>;
  readPolicy(): Promise<ApprovalPolicy>;
  setPolicy(user: SignedIn, policy: ApprovalPolicy): Promise<ChangeState>;
  /** Takes two administrators. */
  changeProvider(user: SignedIn, provider: ChangedProvider): Promise<ChangeState>;
  /** Of one user, or of all. */
  listTokens(userId: string | null): Promise<TokenSummary[]>;
  /** A token of one's own, shown this once; only a hash of it is kept. */
  issueToken(user: SignedIn, request: { label: string; validDays: number }): Promise<IssuedToken>;
  /** One's own, or anyone's for an administrator. */
  revokeToken(user: SignedIn, tokenId: string): Promise<void>;
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
  /** Submitted again under it, the same is the same run. Null: every submission is a run of its own. */
  idempotencyKey: string | null;
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
  /** What they, or whoever withdrew the run, wrote with it; null: nothing, or it was erased. */
  decisionComment: string | null;
  decidedAt: string | null;
  startedAt: string | null;
  finishedAt: string | null;
  /** Payments that were funded or ended in the last half minute, by the second. */
  ratePerSecond: number;
  /** Seconds until every row is sent, by the provider's limit; null before it runs and after it ended. */
  secondsLeft: number | null;
  /** Stops that keep it from being paid. */
  stops: StopSummary[];
}

export interface RowPage {
  limit: number;
  afterLine: number;
  state: PaymentState | null;
  /** Whether bank details and everything else that is paid by may be told; absent: no. */
  withInstructions?: boolean;
}

export interface RowSummary {
  paymentId: string;
  line: number;
  rowRef: string;
  state: PaymentState;
  attempt: number;
  /** The account's holder; of a beneficiary that the row names by the provider's id, that id. */
  beneficiary: string | null;
  /** Of the company or the person; null where it is not known. */
  beneficiaryName: string | null;
  /** Where the row names the beneficiary so. */
  beneficiaryId: string | null;
  sellCurrency: string | null;
  sellAmount: string | null;
  buyCurrency: string | null;
  buyAmount: string | null;
  /** YYYY-MM-DD: not before this day. */
  payOn: string | null;
  /** Null: not known, or masked. */
  account: ShownAccount | null;
  /** Of the bank. */
  country: string | null;
  /** What the beneficiary reads on the statement. */
  reference: string | null;
  /** The code of the purpose of transfer, and words beside it. */
  purpose: string | null;
  purposeDescription: string | null;
  /** What else the row is paid by, by the names of its columns, as far as it is given; null: masked, or not readable. */
  settings: Record<string, string> | null;
  /** Names of the row's supporting files; null: masked. */
  files: string[] | null;
  /** What stands out of it. */
  marks: RowMark[];
  /** Account, country, reference, purpose, settings, files and the message are left out, for who may not read instructions. */
  isMasked: boolean;
  errorCode: string | null;
  errorMessage: string | null;
}

export interface FileSummary {
  name: string;
  contentType: string;
  sizeBytes: number;
  /** Of its content, hex: what an approval covers. */
  sha256: string;
}

/** Where a row is: its run, and its `row_ref` there. */
export interface RowPlace {
  runId: string;
  rowRef: string;
}

export interface Decision {
  comment: string | null;
  /** The content hash that the decider saw; a run that has changed since is refused with `conflict`. */
  contentHash: string;
}

export interface DecidedRun {
  run: RunSummary;
  /** Of an approval: which step of the policy it was, from 1, of how many. */
  step: number | null;
  steps: number | null;
}

export interface IncomingWebhook {
  account: string;
  rawBody: string;
  /** What the webhook parser made of it, or `unknown`. */
  kind: string;
  resourceId: string | null;
  /** Whether it claims that the payment `resourceId` has ended. */
  saysEnded: boolean;
}
