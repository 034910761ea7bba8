/** What programs that use payrun import. */
export type { PaymentState } from '../../domain/payment-state.ts';
export type { ResolvedAs } from '../../domain/resolution.ts';
export type { Role } from '../../domain/role.ts';
export type { RowProblem } from '../../domain/row-problem.ts';
export type { ShownAccount } from '../../domain/known-beneficiary.ts';
export type { FindingKind, RowMark, RunFinding, RunReview } from '../../domain/run-finding.ts';
export type { RunProposal } from '../../domain/run-proposal.ts';
export type { RunState } from '../../domain/run-state.ts';
export type { AuditEntrySummary, AuditReport } from '../engine/audit-api.ts';
export type { ApprovalPolicy } from '../../domain/approval-policy.ts';
export type {
  DecidedRun,
  FileSummary,
  RowPlace,
  RowSummary,
  RunSummary,
  SubmitReceipt,
} from '../engine/engine-api.ts';
export type { ReleaseRequest, ReleasedRow, RowDetail, SimilarRows } from '../engine/row-detail.ts';
export type { CancelledRun, LiftedStop, MadeStop, StopSummary } from '../engine/stop-api.ts';
export type {
  AddedUser,
  ChangeState,
  ChangeSummary,
  InvitedUser,
  IssuedToken,
  TokenSummary,
  UserSummary,
} from '../engine/user-api.ts';
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
