/** What programs that use payrun import. */
export type { PaymentState } from '../../domain/payments/payment-state.ts';
export type { ResolvedAs } from '../../domain/payments/resolution.ts';
export type { Role } from '../../domain/users/role.ts';
export type { RowProblem } from '../../domain/payment-file/row-problem.ts';
export type { ShownAccount } from '../../domain/beneficiaries/known-beneficiary.ts';
export type { FindingKind, RowMark, RunFinding, RunReview } from '../../domain/runs/run-finding.ts';
export type { RunProposal } from '../../domain/runs/run-proposal.ts';
export type { RunState } from '../../domain/runs/run-state.ts';
export type { AuditEntrySummary, AuditReport } from '../../application/audit/audit-api.ts';
export type { ApprovalPolicy } from '../../domain/approvals/approval-policy.ts';
export type {
  DecidedRun,
  FileSummary,
  RowPlace,
  RowSummary,
  RunSummary,
  SubmitReceipt,
} from '../../application/application-api.ts';
export type { ReleaseRequest, ReleasedRow, RowDetail, SimilarRows } from '../../application/runs/row-detail.ts';
export type { CancelledRun, LiftedStop, MadeStop, StopSummary } from '../../application/approvals/stop-api.ts';
export type {
  AddedUser,
  ChangeState,
  ChangeSummary,
  InvitedUser,
  IssuedToken,
  TokenSummary,
  UserSummary,
} from '../../application/users/user-api.ts';
export { FileRefusedError, PayrunApiError, PayrunUnreachableError } from './errors.ts';
export { fetchTrusting } from './fetch-trusting.ts';
export type {
  ClientOptions,
  DecisionToSend,
  Health,
  PayrunClient,
  ResolutionToPropose,
  RunPage,
} from './payrun-client.ts';
export { createPayrunClient } from './payrun-client.ts';
export type { FileToSubmit, RunToSubmit } from './submission.ts';
export type { Self } from './user-calls.ts';
export type { WatchOptions } from './watch-run.ts';
