import type { ProviderAccount } from '../api/accounts/provider-account.ts';
import type { ChangeState, ChangeSummary } from '../api/approvals/change.ts';
import type { DecidedRun } from '../api/approvals/decision.ts';
import type { ApprovalPolicy, ChangedProvider } from '../api/approvals/policy.ts';
import type { CancelledRun, CreatedStop, LiftedStop, StopLift, StopSummary } from '../api/approvals/stop.ts';
import type { AuditEntrySummary, AuditReport, GlobalAuditQuery } from '../api/audit/audit.ts';
import type { Confirmation, Denial, ResolutionProposal } from '../api/payments/resolution.ts';
import type { ReleasedRow, ReleaseRequest } from '../api/runs/release.ts';
import type { RunReview } from '../api/runs/review.ts';
import type { RowDetail } from '../api/runs/row-detail.ts';
import type { RowKey, RowListQuery, RowSummary } from '../api/runs/row.ts';
import type { RunListQuery, RunSummary } from '../api/runs/run.ts';
import type { FileSummary } from '../api/runs/supporting-file.ts';
import type { InvitedUser } from '../api/users/invitation.ts';
import type { IssuedToken, TokenSummary } from '../api/users/token.ts';
import type { AddedUser, LimitedUser, UserRequest, UserSummary } from '../api/users/user.ts';
import type { Role } from '../domain/users/role.ts';
import type { ReportedDeposit } from '../store/accounts/deposits.ts';
import type { StopScope } from '../store/approvals/stops.ts';
import type { ReconciliationApplication } from './reconciliation/reconciliation-api.ts';
import type { AccountsApplication } from './accounts/accounts-api.ts';
import type { NotificationsApplication } from './notifications/notifications-api.ts';
import type { OnboardingApplication } from './onboarding/onboarding-api.ts';
import type { TreasuryApplication } from './treasury/treasury-api.ts';
import type { SessionsApplication } from './users/sessions-api.ts';
import type { SchedulesApplication } from './treasury/schedules-api.ts';
import type { DraftsApplication } from './payment-file/drafts-api.ts';
import type { OperationsApplication } from './operations-api.ts';
import type { InboxApplication } from './inbox/inbox-api.ts';
import type { Submission, SubmitOutcome } from './runs/submission.ts';
import type { RefusedAccess, SignIn } from './users/sign-in.ts';
import type { SignedIn } from './users/signed-in.ts';

/**
 * The use cases of payrun, as the server calls them. A use case that changes something takes the user who asks; the
 * database itself refuses what their roles do not allow. Times are ISO-8601 UTC strings, amounts decimal strings.
 */
export interface Application
  extends OnboardingApplication,
    AccountsApplication,
    TreasuryApplication,
    NotificationsApplication,
    ReconciliationApplication,
    SchedulesApplication,
    SessionsApplication,
    InboxApplication,
    OperationsApplication,
    DraftsApplication {
  /** Checks a file and, when it is accepted, stores it and starts its run. A refused file leaves only an audit entry. */
  submit(user: SignedIn, submission: Submission): Promise<SubmitOutcome>;
  /** Of the accounts that the user may use. */
  listRuns(user: SignedIn, page: RunListPage): Promise<RunSummary[]>;
  /** Null when there is no such run. */
  findRun(runId: string): Promise<RunSummary | null>;
  /** The account that a run is paid from; null when there is no such run. */
  accountOfRun(runId: string): Promise<string | null>;
  /** Rows in input order, after the given input line, or a window in the order and at the position that is asked for. */
  listRows(runId: string, page: RowPage): Promise<RowSummary[]>;
  /** How many rows such a page is taken from, counted up to `ROW_COUNT_LIMIT`. */
  countRows(runId: string, page: RowPage): Promise<{ count: number; hasMore: boolean }>;
  /** One row with the evidence of what became of it; null when there is no such row. */
  findRow(runId: string, rowRef: string, may?: { withInstructions: boolean }): Promise<RowDetail | null>;
  /**
   * What stands out in the rows that a run would pay, or was approved to pay: names and bank accounts, for users who may
   * read instructions. Null when there is no such run; throws `conflict` while it is still being checked.
   */
  findReview(runId: string): Promise<RunReview | null>;
  /** The supporting files of a run, by name. */
  listFiles(runId: string): Promise<FileSummary[]>;
  /** One of them with its content; null when there is no such file. */
  findFile(runId: string, name: string): Promise<(FileSummary & { bytes: Uint8Array }) | null>;
  /** Lets a suspected duplicate be paid with its run, which is proposed again. Throws `conflict` when other similar rows exist by now. */
  releaseRow(user: SignedIn, row: RowKey, release: ReleaseRequest): Promise<ReleasedRow>;
  /** Proposes how an unknown row ended. Throws `conflict` when it is not unknown, or has an open proposal. */
  proposeResolution(user: SignedIn, row: RowKey, proposal: ResolutionProposal): Promise<RowDetail>;
  /** Throws `not_allowed` for the proposer and the run's maker, `conflict` when the provider says otherwise. */
  confirmResolution(user: SignedIn, row: RowKey, seen: Confirmation): Promise<RowDetail>;
  /** By a checker, or by the proposer. */
  denyResolution(user: SignedIn, row: RowKey, denial: Denial): Promise<RowDetail>;
  /** Throws `not_allowed` for the run's own maker, `conflict` when the run waits for no decision. */
  approveRun(user: SignedIn, runId: string, decision: Decision): Promise<DecidedRun>;
  rejectRun(user: SignedIn, runId: string, decision: Decision): Promise<DecidedRun>;
  /** By its maker, while nobody has decided on it. */
  withdrawRun(user: SignedIn, runId: string, reason: string | null): Promise<RunSummary>;
  /** From then on nothing of this scope is sent, until two people lift the stop. */
  stopPayments(user: SignedIn, of: StopScope, reason: string | null): Promise<CreatedStop>;
  liftStop(user: SignedIn, stopId: string, seen: StopLift): Promise<LiftedStop>;
  /** Ends a stopped run for good. */
  cancelRun(user: SignedIn, runId: string, reason: string | null): Promise<CancelledRun>;
  /** Active stops of everything, and those of the accounts that the user may use and of their runs. */
  listStops(user: SignedIn): Promise<StopSummary[]>;
  /** `results.csv`, piece by piece: a line for every input row, in input order. */
  results(runId: string): AsyncIterable<string>;
  /** `exceptions.csv`, piece by piece: the rows not paid, in input format with two more columns. */
  exceptions(runId: string): AsyncIterable<string>;
  /** What happened to a run, in order, after the given entry; with `rowRef`: to the rows with this reference; or only by people. */
  listAudit(
    runId: string,
    page: { limit: number; afterEntry: number; rowRef: string | null; by: 'people' | null },
  ): Promise<AuditEntrySummary[]>;
  /** Entries that belong to no run: users, tokens, policy, sign-ins, stops; of one kind, person or time. */
  listGlobalAudit(page: GlobalAuditQuery): Promise<AuditEntrySummary[]>;
  /**
   * Recomputes the chain over the whole audit trail; `noted` is a head that must still be in it. Throws `unavailable`
   * while another verification is under way.
   */
  verifyAudit(noted: { position: number; hash: string } | null): Promise<AuditReport>;
  /** Erases what a person wrote; its hash stays in the audit trail. */
  eraseRemark(user: SignedIn, remarkId: string): Promise<void>;
  signIn(bearerToken: string): Promise<SignIn>;
  /** Whether the token by which somebody signed in still works, and they may use the account; null: any. */
  isSignedIn(user: SignedIn, account: string | null): Promise<boolean>;
  /** Records refused attempts in the audit trail. */
  noteRefusedAccess(refused: RefusedAccess): Promise<void>;
  listUsers(): Promise<UserSummary[]>;
  addUser(user: SignedIn, added: UserRequest): Promise<AddedUser>;
  inviteUser(user: SignedIn, userId: string): Promise<InvitedUser>;
  /** For anyone who has the code: it works once. */
  acceptInvitation(accepted: { code: string; label: string; validDays: number }): Promise<IssuedToken>;
  grantRoles(user: SignedIn, userId: string, roles: readonly Role[]): Promise<ChangeState>;
  removeRole(user: SignedIn, userId: string, role: Role): Promise<void>;
  disableUser(user: SignedIn, userId: string): Promise<void>;
  enableUser(user: SignedIn, userId: string): Promise<ChangeState>;
  /**
   * Limits a user to these accounts; null: gives them all. Fewer accounts are in force at once (`change` null); more take
   * two administrators when the user decides on something.
   */
  limitUser(user: SignedIn, userId: string, accounts: readonly string[] | null): Promise<LimitedUser>;
  /** Changes that take two administrators. */
  listChanges(filter: { pendingOnly: boolean; limit: number }): Promise<ChangeSummary[]>;
  decideChange(user: SignedIn, changeId: string, isConfirmed: boolean): Promise<ChangeState>;
  readPolicy(): Promise<ApprovalPolicy>;
  setPolicy(user: SignedIn, policy: ApprovalPolicy): Promise<ChangeState>;
  /** Takes two administrators. */
  changeProvider(user: SignedIn, provider: ChangedProvider): Promise<ChangeState>;
  /** The accounts with a provider that the user may use. */
  listProviderAccounts(user: SignedIn): Promise<ProviderAccount[]>;
  /** Of one user, or of all. */
  listTokens(userId: string | null): Promise<TokenSummary[]>;
  /** A token for oneself, shown only this once; only a hash of it is kept. */
  issueToken(user: SignedIn, request: { label: string; validDays: number }): Promise<IssuedToken>;
  /** One's own, or any as an administrator. */
  revokeToken(user: SignedIn, tokenId: string): Promise<void>;
  /** Stores a webhook in the inbox, then signals the workflow that reads what it is about. A repeated body is only counted. */
  receiveWebhook(webhook: IncomingWebhook): Promise<'accepted' | 'duplicate'>;
  /** Each service by name: null when it answers, else what is wrong. */
  health(): Promise<Record<'postgres' | 'temporal', string | null>>;
}

export type { Submission, SubmitOutcome } from './runs/submission.ts';
export type { SubmittedFile } from './payment-file/file-content.ts';

/** The newest runs first, unless another order is asked for. */
export type RunListPage = Pick<RunListQuery, 'limit' | 'before'> & Partial<RunListQuery>;

/** Rows of one state only, from a line on; with the other fields a window in another order. */
export interface RowPage
  extends Pick<RowListQuery, 'limit' | 'afterLine' | 'state'>,
    Partial<Pick<RowListQuery, 'q' | 'currency' | 'mark' | 'finding' | 'marks' | 'sort' | 'order' | 'from'>> {
  /** The last row of the page before. */
  after?: { line: number; state: string | null } | null;
  /** Whether to show bank details and other payment instructions; absent: no. */
  withInstructions?: boolean;
}

export interface Decision {
  comment: string | null;
  /** The content hash that the decider saw; a run that has changed since is refused with `conflict`. */
  contentHash: string;
}

export interface IncomingWebhook {
  account: string;
  rawBody: string;
  /** What the webhook parser made of it, or `unknown`. */
  kind: string;
  resourceId: string | null;
  /** Whether it says that the payment `resourceId` has ended, or the user was decided on. */
  saysEnded: boolean;
  deposit?: ReportedDeposit;
}
