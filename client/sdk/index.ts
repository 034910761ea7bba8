/** What programs that use payrun import. */
export type { PaymentState } from '../../domain/payment-state.ts';
export type { Role } from '../../domain/role.ts';
export type { RowProblem } from '../../domain/row-problem.ts';
export type { RunProposal } from '../../domain/run-proposal.ts';
export type { RunState } from '../../domain/run-state.ts';
export type { Person, RowSummary, RunSummary, TokenSummary } from '../engine/engine-api.ts';
export { FileRefusedError, PayrunApiError, PayrunUnreachableError } from './errors.ts';
export type { ClientOptions, DecisionToSend, Health, PayrunClient, RunPage, TokenRequest } from './payrun-client.ts';
export { createPayrunClient } from './payrun-client.ts';
export type { FileToSubmit, RunToSubmit, SubmitReceipt } from './submission.ts';
export type { WatchOptions } from './watch-run.ts';
