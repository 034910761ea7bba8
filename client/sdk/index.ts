/** What programs that use payrun import. */
export type { PaymentState } from '../../domain/payment-state.ts';
export type { ResolvedAs } from '../../domain/resolution.ts';
export type { Role } from '../../domain/role.ts';
export type { RowProblem } from '../../domain/row-problem.ts';
export type { RunProposal } from '../../domain/run-proposal.ts';
export type { RunState } from '../../domain/run-state.ts';
export type { AuditEntrySummary, AuditReport } from '../engine/audit-api.ts';
export type { Person, RowPlace, RowSummary, RunSummary, TokenSummary } from '../engine/engine-api.ts';
export type { RowDetail } from '../engine/row-detail.ts';
export { FileRefusedError, PayrunApiError, PayrunUnreachableError } from './errors.ts';
export { fetchTrusting } from './fetch-trusting.ts';
export type {
  ClientOptions,
  DecisionToSend,
  Health,
  PayrunClient,
  ResolutionToPropose,
  RunPage,
  TokenRequest,
} from './payrun-client.ts';
export { createPayrunClient } from './payrun-client.ts';
export type { FileToSubmit, RunToSubmit, SubmitReceipt } from './submission.ts';
export type { WatchOptions } from './watch-run.ts';
