import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { CaseState } from '../domain/onboarding/case-state.ts';
import type { PaymentState } from '../domain/payments/payment-state.ts';
import type { Corridor } from '../domain/payment-file/reference-data.ts';

/**
 * The inputs, signals, updates and queries of the workflows. Identifiers, codes and counts only: histories outlive the
 * retention of personal data, so they must not contain any. Histories keep their names, so a released one is not renamed.
 */

/** A webhook has arrived. It proves nothing, but is a reason to read from the provider. */
export const webhookReceived = defineSignal('webhookReceived');
/** Something was added to the database that the provider has to be read for. */
export const pollRequested = defineSignal('pollRequested');

export interface PaymentRunInput {
  runId: string;
  account: string;
  /** After this long without a decision the run expires. */
  decisionWithinMs: number;
  /** The maximum number of begun payments that are not yet funded. */
  concurrencyLimit: number;
  /** Set when a long run continues as new. */
  progress?: PaymentRunProgress;
}

export interface PaymentRunProgress {
  /** The last row whose payment was begun. */
  lastRowNumber: number;
}

export type PaymentRunWorkflow = (input: PaymentRunInput) => Promise<{ state: string }>;

/** A decision on the run was recorded. The workflow reads it from the database. */
export const decisionRecorded = defineSignal('decisionRecorded');
/** A row was released: the proposal has to be composed again. */
export const contentChanged = defineSignal('contentChanged');
/** A stop was made, lifted or made final. The workflow reads it from the database. */
export const stopChanged = defineSignal('stopChanged');
/** Payments of this run have ended: the open rows have to be counted again. */
export const paymentsEnded = defineSignal('paymentsEnded');
export const runSummary = defineQuery<RunProgressSummary>('runSummary');

export interface RunProgressSummary {
  phase: 'checking' | 'deciding' | 'paying' | 'confirming' | 'ended';
  lastRowNumber: number;
}

/** The provider has shown that this payment has ended. */
export const paymentEnded = defineSignal<[{ state: PaymentState }]>('paymentEnded');
/** Funds have arrived: a waiting payment may try again. */
export const fundsArrived = defineSignal('fundsArrived');

export interface PaymentStatusPollerInput {
  account: string;
  /** Milliseconds since the epoch; set when the poller continues as new. */
  lastPollAtMs?: number;
  /** How many payments one read covers. */
  size?: number;
  /** Milliseconds since the epoch: when the balances were last read for payments that wait for funds. */
  lastBalanceReadAtMs?: number;
}

export interface ReferenceDataInput {
  account: string;
  corridors: Corridor[];
  /** Only the list of countries. */
  countries?: true;
}

/** A confirmed proposal of how an unknown payment ended. Who confirmed it is recorded. */
export interface ManualOutcomeInput {
  manualOutcomeId: string;
  paymentId: string;
  account: string;
  /** The provider's id of the payment, if one is known or was given. */
  providerPaymentId: string | null;
}

export interface OnboardingInput {
  caseId: string;
  account: string;
}

/** Something about the case is in the database: the workflow looks at it again. */
export const caseChanged = defineSignal('caseChanged');
export const caseSummary = defineQuery<{ state: CaseState }>('caseSummary');

export interface CasePollerInput {
  account: string;
}

export interface MoneyWatchInput {
  account: string;
  /** Milliseconds since the epoch; set when the watch continues as new. */
  lastTryAtMs?: number;
  lastRequestedAtMs?: number;
}

/** Somebody looks at the balances or their history. */
export const historyRequested = defineSignal('historyRequested');

export interface ConversionInput {
  orderId: string;
  account: string;
}

export interface ConversionDryRunInput {
  dryRunId: string;
  account: string;
}

/** People have decided on the order, or a webhook named its conversion: the workflow looks at the database. */
export const conversionChanged = defineSignal('conversionChanged');

export interface DailyBooksInput {
  account: string;
  /** UTC, YYYY-MM-DD, both included; null: what was not reconciled yet. */
  fromDay: string | null;
  toDay: string | null;
}

export interface BookCloseInput {
  account: string;
  /** UTC, YYYY-MM-DD. */
  day: string;
}

export interface OccurrenceInput {
  scheduleId: string;
  /** Of one that was started by hand; absent: the time for which Temporal's schedule has started it says which one it is. */
  occurrenceId?: string;
}

export interface DeliveryInput {
  endpointId: string;
}

/** Deliveries of the endpoint are due. */
export const deliveriesQueued = defineSignal('deliveriesQueued');
