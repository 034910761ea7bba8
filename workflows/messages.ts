import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { PaymentState } from '../domain/payment-state.ts';
import type { Corridor } from '../domain/reference-data.ts';

/**
 * What workflows are told and asked. Identifiers, codes and counts only: a history outlives the retention of personal
 * data, so none of it may come this way.
 */

export interface PaymentRunInput {
  runId: string;
  account: string;
  /** The maker: the one person who never decides on this run. */
  submittedBy: string;
  /** After this long without a decision the run expires. */
  decisionWithinMs: number;
  /** Payments begun and not yet funded, at most. */
  windowSize: number;
  /** Set when a long run goes on in a new history. */
  progress?: PaymentRunProgress;
}

export interface PaymentRunProgress {
  decidedBy: string;
  /** The last row whose payment was begun. */
  lastRowNumber: number;
}

export interface RunDecision {
  /** The checker's id. */
  userId: string;
  /** What the checker saw; null: whatever is proposed. */
  contentHash: string | null;
}

export const approveRun = defineUpdate<undefined, [RunDecision]>('approveRun');
export const rejectRun = defineUpdate<undefined, [RunDecision]>('rejectRun');
/** Payments of this run have ended: worth counting again. */
export const paymentsSettled = defineSignal('paymentsSettled');
export const runSummary = defineQuery<RunProgressSummary>('runSummary');

export interface RunProgressSummary {
  phase: 'checking' | 'deciding' | 'paying' | 'confirming' | 'ended';
  lastRowNumber: number;
}

export interface PaymentInput {
  paymentId: string;
  runId: string;
  account: string;
  rowNumber: number;
  /** The hash of the row as it was approved. */
  rowHash: string;
  /** Whether the payee has yet to be made known to the provider. */
  newBeneficiary: boolean;
  /** How many supporting files go up before the quote. */
  files: number;
  /** The run to tell when this payment ends without being funded. */
  runWorkflowId: string;
}

/** The provider was read, and this payment has ended. */
export const paymentSettled = defineSignal<[{ state: PaymentState }]>('paymentSettled');
/** Money came in: a payment that waits for it may try again. */
export const fundsArrived = defineSignal('fundsArrived');

export interface ConfirmationInput {
  account: string;
  /** Milliseconds since the epoch, set when it goes on in a new history. */
  lastSweepAtMs?: number;
}

/** A webhook came in: worth looking, though it proves nothing. */
export const webhookHinted = defineSignal('webhookHinted');

export interface ReferenceDataInput {
  account: string;
  corridors: Corridor[];
}

/** One person's confirmation of what another has proposed for an unknown row. */
export interface ResolutionInput {
  resolutionId: string;
  paymentId: string;
  account: string;
  confirmedBy: string;
  /** The provider's id of the payment, where one is known or was given. */
  providerPaymentId: string | null;
}
