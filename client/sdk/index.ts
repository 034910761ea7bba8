/** What programs that use payrun import. */
export type { AccountBalances, Balance, HistoryEntry } from '../../api/accounts/balance.ts';
export { REFUND_STATES } from '../../api/accounts/refund.ts';
export type { Refund, RefundList } from '../../api/accounts/refund.ts';
export { DEPOSIT_STATES } from '../../api/accounts/receipt.ts';
export type { Deposit, Funding, Receipt, ReceiptAssignment } from '../../api/accounts/receipt.ts';
export { VIRTUAL_ACCOUNT_OUTCOMES } from '../../api/accounts/virtual-account.ts';
export type {
  ActionableVirtualAccount,
  VirtualAccount,
  VirtualAccountRequest,
} from '../../api/accounts/virtual-account.ts';
export type { LedgerBalance, LedgerPage, LedgerTransfer } from '../../api/accounts/ledger.ts';
export type { ChangeState, ChangeSummary, DoneOrChange } from '../../api/approvals/change.ts';
export type { Approval, DecidedRun, Rejection } from '../../api/approvals/decision.ts';
export type { GoingLive } from '../../api/approvals/going-live.ts';
export type { ApprovalPolicy, ChangedProvider } from '../../api/approvals/policy.ts';
export type { CancelledRun, CreatedStop, LiftedStop, StopSummary } from '../../api/approvals/stop.ts';
export type { AuditEntrySummary, AuditReport } from '../../api/audit/audit.ts';
export type { Health } from '../../api/server-endpoints.ts';
export type { DeliveryState, DeliverySummary } from '../../api/notifications/delivery.ts';
export type {
  AddedEndpoint,
  EndpointRequest,
  EndpointSummary,
  NotificationTypeSummary,
  RotatedSecret,
  TestedEndpoint,
} from '../../api/notifications/endpoint.ts';
export type { ApplicantProblem } from '../../api/onboarding/applicant-problem.ts';
export { CASE_OUTCOMES } from '../../api/onboarding/case-manual-outcome.ts';
export type { CaseDetail, CaseDocument } from '../../api/onboarding/case-detail.ts';
export type { CaseExport } from '../../api/onboarding/case-detail.ts';
export type {
  CaseConfirmation,
  CaseOutcomeRejectionRequest,
  CaseOutcome,
  CaseManualOutcome,
  CaseManualOutcomeRequest,
} from '../../api/onboarding/case-manual-outcome.ts';
export type { CasePage, CaseState, CaseSummary } from '../../api/onboarding/case.ts';
export type { ResumedSignUps, SignUpPause } from '../../api/onboarding/sign-up-pause.ts';
export type { SubmittedApplicants, SuppliedCase } from '../../api/onboarding/submission.ts';
export type { RowProblem } from '../../api/payment-file/row-problem.ts';
export type {
  Confirmation,
  OutcomeRejectionRequest,
  ManualOutcomeRequest,
  ManualOutcomeKind,
  RowManualOutcome,
} from '../../api/payments/manual-outcome.ts';
export type {
  AskedReconciliation,
  BookDay,
  DaySignature,
  OpeningBalance,
  ReconciliationProgress,
  ReportFile,
  SignedDay,
} from '../../api/reconciliation/book-day.ts';
export type { ActionsAnswer, AllowedAction } from '../../api/approvals/allowed-actions.ts';
export type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
export type { Inbox, InboxItem } from '../../api/inbox/inbox.ts';
export type { SearchAnswer, SearchHit } from '../../api/inbox/search.ts';
export type { StreamEvent } from '../../api/inbox/stream.ts';
export type { Draft, DraftChangeRequest, DraftRows, DraftSubmissionRequest } from '../../api/payment-file/draft.ts';
export type { BreakSummary } from '../../api/reconciliation/break.ts';
export type { ReleasedRows, ReleaseRequest, SuspectedRows, SuspectQuery } from '../../api/runs/release.ts';
export type { RunDifferences } from '../../api/runs/differences.ts';
export type { FindingKind, RowMark, RunFinding, RunReview, ShownAccount } from '../../api/runs/review.ts';
export type {
  ActionableRow,
  RowDetail,
  RowLookup,
  RowRelease,
  RowRequest,
  SimilarRows,
} from '../../api/runs/row-detail.ts';
export type { PaymentState, RowKey, RowSummary, RowListPage } from '../../api/runs/row.ts';
export type { RunDetail, RunPage, RunProposal, RunState, RunSummary } from '../../api/runs/run.ts';
export type { AcceptedSubmission } from '../../api/runs/submission.ts';
export type { FileSummary } from '../../api/runs/supporting-file.ts';
export type { AccountCash } from '../../api/treasury/cash.ts';
export type {
  AcceptedSchedule,
  ActionableSchedule,
  NextOccurrences,
  ScheduleDecision,
  ScheduleDefinition,
  ScheduleDetail,
  ScheduleOccurrence,
  ScheduleProblem,
  ScheduleSummary,
  ScheduleVersion,
  StartedOccurrence,
  WrittenSchedule,
} from '../../api/treasury/schedule.ts';
export type {
  NewOrderRequest,
  OrderDetail,
  OrderFinding,
  OrderPage,
  OrderManualOutcomeRequest,
  OrderSummary,
  ConversionDryRun,
} from '../../api/treasury/order.ts';
export { ORDER_MANUAL_OUTCOME_KINDS } from '../../api/treasury/order.ts';
export type { CostGroup, CostReport } from '../../api/treasury/costs.ts';
export type { Invitation, InvitationAcceptance, InvitedUser, MailedCode } from '../../api/users/invitation.ts';
export type { SteppedUp, StepUpSubject } from '../../api/users/second-factor.ts';
export type { Session, SessionSummary } from '../../api/users/session.ts';
export type { IssuedToken, TokenRequest, TokenScope, TokenSummary } from '../../api/users/token.ts';
export type { AddedUser, Role, Self, UserSummary } from '../../api/users/user.ts';
export {
  AnswerMismatchError,
  ApplicantsRefusedError,
  FileRefusedError,
  PayrunApiError,
  PayrunUnreachableError,
  ScheduleRefusedError,
} from './errors.ts';
export { fetchTrusting } from './fetch-trusting.ts';
export type { ClientOptions, PayrunClient } from './payrun-client.ts';
export { createPayrunClient } from './payrun-client.ts';
export type { AccountsToAdd, FileToSubmit, RunToSubmit } from './submission.ts';
export type { ApplicantsToSubmit, CaseSupplyToSubmit } from './onboarding-submission.ts';
export type { CaseWatchOptions } from './watch-cases.ts';
export type { WatchOptions } from './watch-run.ts';
