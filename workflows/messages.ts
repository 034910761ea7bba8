import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { PaymentState } from '../domain/payments/payment-state.ts';
import type { Corridor } from '../domain/payment-file/reference-data.ts';

/**
 * What workflows are told and asked. Identifiers, codes and counts only: a history outlives the retention of personal
 * data, so none of it may come this way.
 */

export interface PaymentRunInput {
  runId: string;
  account: string;
  /** After this long without a decision the run expires. */
  decisionWithinMs: number;
  /** Payments begun and not yet funded, at most. */
  windowSize: number;
  /** Set when a long run goes on in a new history. */
  progress?: PaymentRunProgress;
}

export interface PaymentRunProgress {
  /** The last row whose payment was begun. */
  lastRowNumber: number;
}

/** Somebody has decided on the run: worth looking at the record, which alone says what. */
export const decisionRecorded = defineSignal('decisionRecorded');
/** A row was released: the proposal is made again. */
export const contentChanged = defineSignal('contentChanged');
/** A stop was made, lifted or made final: worth asking the record. */
export const stopChanged = defineSignal('stopChanged');
/** Of the version before: decisions are not made so any more, and these are refused. */
export const approveRun = defineUpdate<undefined, [{ userId: string }]>('approveRun');
export const rejectRun = defineUpdate<undefined, [{ userId: string }]>('rejectRun');
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
  /** Whether the beneficiary is still to be made known to the provider. */
  newBeneficiary: boolean;
  /** How many supporting files go up before the quote. */
  files: number;
  /** What became of a request of it is to be found out, before anything else and also while a stop holds. */
  hasOpenRequest?: boolean;
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
  /** How many payments one read is to show. */
  size?: number;
  /** Milliseconds since the epoch: when the balances were last read for payments that wait for money. */
  lastFundsReadAtMs?: number;
}

/** A webhook came in: worth looking, though it proves nothing. */
export const webhookHinted = defineSignal('webhookHinted');

export interface ReferenceDataInput {
  account: string;
  corridors: Corridor[];
}

/** A confirmed proposal of how an unknown row ended: who confirmed it stands in the record. */
export interface ResolutionInput {
  resolutionId: string;
  paymentId: string;
  account: string;
  /** The provider's id of the payment, where one is known or was given. */
  providerPaymentId: string | null;
}
