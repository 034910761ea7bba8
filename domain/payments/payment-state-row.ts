import type { StateTexts } from '../state-table.ts';

/** The states of one row of a run, and what is asked of each: payment-state-table.ts has the answers. */

export const PAYMENT_STATES = [
  'invalid',
  'duplicate_suspect',
  'account_unconfirmed',
  'excluded',
  'held',
  'ready',
  'quoted',
  'created',
  'awaiting_funds',
  'funded',
  'processing',
  'paid',
  'rejected',
  'failed',
  'cancelled',
  'returned',
  'unknown',
] as const;

export type PaymentState = (typeof PAYMENT_STATES)[number];

/**
 * `on_hold` until a person acts; not yet created with the provider; created there and `unfunded`; funded and `in_flight`
 * until the provider shows how it ended. Nothing more happens to an ended payment without a person.
 */
export type PaymentStage = 'on_hold' | 'uncreated' | 'unfunded' | 'in_flight' | 'ended';

/** What became of a row, in the parts that the progress of a run is shown in. */
export type PaymentPart = 'paid' | 'in_flight' | 'waiting' | 'on_hold' | 'unknown' | 'not_paid';

export interface PaymentStateRow extends StateTexts {
  /** Whether money can still leave the balance for it, in words. */
  money: string;
  stage: PaymentStage;
  next: readonly PaymentState[];
  progress: {
    part: PaymentPart;
    /** A step of payrun, money in the balance, the provider, or a person. Null: nothing. */
    waitsFor: 'payrun' | 'money' | 'provider' | 'person' | null;
    /** How many requests payrun still sends for it: to quote, create and fund. */
    requestsLeft: 0 | 1 | 2 | 3;
  };
  row: {
    /** Some payment gets this state in this version. */
    isUsed: boolean;
    /** A row may be added with it. */
    isInitial: boolean;
    /** Only a row of an approved run gets into it. */
    needsApproval: boolean;
    /** A decision on the run is about the row as well. */
    isDecidedOn: boolean;
  };
  counts: {
    /** As submitted: the row was accepted, and people have not taken it back. */
    asSubmitted: boolean;
    /** As a duplicate of another row that pays the same: it was paid, is being paid, or may still be. */
    asDuplicate: boolean;
    /** As not paid, for certain: the row may be submitted again. */
    asUnpaid: boolean;
  };
  payment: {
    /** What the ledger has committed to it stays so, whether or not a request to fund it was sent. */
    keepsCommitment: boolean;
    /** Its money has left the balance, and has not come back. */
    hasLeft: boolean;
    /** The provider has completed it, whatever came back later. */
    wasPaid: boolean;
    /** The provider has refused it, or could not carry it out. */
    hasFailed: boolean;
    /** The provider may still show a change. */
    isObserved: boolean;
  };
}
