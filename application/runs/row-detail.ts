import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { ResolutionState, ResolvedAs } from '../../domain/payments/resolution.ts';
import type { RowSummary } from '../application-api.ts';

/** One row with everything that is known of what became of it. Times are ISO-8601 UTC. */
export interface RowDetail extends RowSummary {
  /** All that an approval of the row covers; null of an invalid row, and for those who may not read it. */
  instruction: PaymentInstruction | null;
  /** By which the provider knows the payment; null before a creation was tried. */
  referenceId: string | null;
  providerPaymentId: string | null;
  /** As the provider last said it. */
  providerStatus: string | null;
  /** When a read or a sweep last showed it. */
  lastShownAt: string | null;
  /** In the order in which they were sent. */
  requests: RowRequest[];
  /** What was looked up with the provider, and what was seen. */
  lookUps: RowLookUp[];
  /** The oldest first; at most the last one is open. */
  resolutions: RowResolution[];
  /** Of a suspected duplicate: what it may pay a second time. Null for all other rows. */
  similar: SimilarRows | null;
  /** Null: it was none, or was not released. */
  release: RowRelease | null;
}

/** Rows that pay the same to the same account within 60 days, or have the same reference. */
export interface SimilarRows {
  /** The first submitted first: 100 at most. */
  rows: SimilarRow[];
  rowCount: number;
  /** Over all of them: a release is of what was seen, and refused when others have come since. */
  hash: string;
}

export interface SimilarRow {
  runId: string;
  fileName: string;
  line: number;
  rowRef: string;
  state: PaymentState;
  submittedAt: string;
}

export interface RowRelease {
  by: { userId: string; name: string };
  /** Null: it was erased. */
  reason: string | null;
  at: string;
}

export interface ReleasedRow {
  row: RowDetail;
  /** Approvals of the run that were given before, and count no more. */
  approvals: number;
}

export interface ReleaseRequest {
  /** The hash of the similar rows that were seen. */
  similarHash: string;
  reason: string;
}

export interface RowRequest {
  operation: string;
  attempt: number;
  begunAt: string;
  answeredAt: string | null;
  httpStatus: number | null;
  /** `took_effect`, `had_no_effect`, `refused`, or `unknown`. */
  outcome: string;
}

export interface RowLookUp {
  asked: 'find' | 'read';
  /** `nothing`, `only_others`, `several`, or the provider's status of the payment. */
  seen: string;
  times: number;
  firstAt: string;
  lastAt: string;
}

export interface RowResolution {
  resolutionId: string;
  as: ResolvedAs;
  providerPaymentId: string | null;
  /** Null: it was erased. */
  reason: string | null;
  state: ResolutionState;
  proposedBy: { userId: string; name: string };
  proposedAt: string;
  closedBy: { userId: string; name: string } | null;
  closedAt: string | null;
  closingReason: string | null;
}

export interface ResolutionProposal {
  as: ResolvedAs;
  /** Which of the provider's payments is meant, where that is known. */
  providerPaymentId: string | null;
  reason: string;
}
