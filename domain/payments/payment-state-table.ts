import type { StateTexts } from '../state-table.ts';

/** The states of one row of a run, and all that is asked of each. */

export const PAYMENT_STATES = [
  'invalid',
  'duplicate_suspect',
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

/**
 * `quoted → ready`: a quote that expired unused. `unknown` may become any state that the provider shows later. A payment
 * may skip states when one read shows that the provider is further than the database.
 */
export const PAYMENT_STATE_TABLE: Readonly<Record<PaymentState, PaymentStateRow>> = {
  invalid: {
    word: 'Invalid',
    tone: 'failed',
    meaning: 'The row has errors and was left out of the run (`--on-invalid skip`).',
    action: 'correct it in `exceptions.csv` and submit it again',
    money: 'no',
    stage: 'ended',
    next: [],
    progress: { part: 'not_paid', waitsFor: null, requestsLeft: 0 },
    row: { isUsed: true, isInitial: true, needsApproval: false, isDecidedOn: false },
    counts: { asSubmitted: false, asDuplicate: false, asUnpaid: true },
    payment: { keepsCommitment: false, hasLeft: false, wasPaid: false, hasFailed: false, isObserved: false },
  },
  duplicate_suspect: {
    word: 'Suspected duplicate',
    tone: 'waiting',
    meaning: 'The row may pay something a second time, and is not sent unless a checker releases it.',
    action: 'compare the rows; a checker may release it before the run is approved',
    money: 'no, unless it is released',
    stage: 'on_hold',
    next: ['ready', 'excluded', 'cancelled'],
    progress: { part: 'on_hold', waitsFor: 'person', requestsLeft: 0 },
    row: { isUsed: true, isInitial: false, needsApproval: false, isDecidedOn: false },
    counts: { asSubmitted: true, asDuplicate: false, asUnpaid: true },
    payment: { keepsCommitment: false, hasLeft: false, wasPaid: false, hasFailed: false, isObserved: false },
  },
  excluded: {
    word: 'Excluded',
    tone: 'neutral',
    meaning: 'The row was taken out of the run.',
    action: null,
    money: 'no',
    stage: 'ended',
    next: [],
    progress: { part: 'not_paid', waitsFor: null, requestsLeft: 0 },
    row: { isUsed: false, isInitial: false, needsApproval: false, isDecidedOn: false },
    counts: { asSubmitted: false, asDuplicate: false, asUnpaid: true },
    payment: { keepsCommitment: false, hasLeft: false, wasPaid: false, hasFailed: false, isObserved: false },
  },
  held: {
    word: 'Held',
    tone: 'waiting',
    meaning: 'A quote, a file, a document or missing money kept the payment from being created.',
    action: 'do what its error code says, then submit it again from `exceptions.csv`',
    money: 'no',
    stage: 'on_hold',
    next: ['ready', 'excluded', 'cancelled', 'unknown'],
    progress: { part: 'on_hold', waitsFor: 'person', requestsLeft: 0 },
    row: { isUsed: true, isInitial: false, needsApproval: false, isDecidedOn: true },
    counts: { asSubmitted: true, asDuplicate: false, asUnpaid: true },
    payment: { keepsCommitment: false, hasLeft: false, wasPaid: false, hasFailed: false, isObserved: false },
  },
  ready: {
    word: 'Ready',
    tone: 'neutral',
    meaning: 'The row is valid. It is sent once its run is approved and its day has come.',
    action: null,
    money: 'yes, once the run is approved',
    stage: 'uncreated',
    next: ['quoted', 'held', 'duplicate_suspect', 'excluded', 'cancelled', 'rejected', 'unknown'],
    progress: { part: 'waiting', waitsFor: 'payrun', requestsLeft: 3 },
    row: { isUsed: true, isInitial: true, needsApproval: false, isDecidedOn: true },
    counts: { asSubmitted: true, asDuplicate: true, asUnpaid: false },
    payment: { keepsCommitment: false, hasLeft: false, wasPaid: false, hasFailed: false, isObserved: false },
  },
  quoted: {
    word: 'Quoted',
    tone: 'moving',
    meaning: 'The provider has given a price. The payment is being created, or payrun is finding out whether it was.',
    action: null,
    money: 'yes',
    stage: 'uncreated',
    next: ['ready', 'created', 'held', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'unknown'],
    progress: { part: 'in_flight', waitsFor: 'payrun', requestsLeft: 2 },
    row: { isUsed: true, isInitial: false, needsApproval: true, isDecidedOn: true },
    counts: { asSubmitted: true, asDuplicate: true, asUnpaid: false },
    payment: { keepsCommitment: true, hasLeft: false, wasPaid: false, hasFailed: false, isObserved: false },
  },
  created: {
    word: 'Created',
    tone: 'moving',
    meaning: 'The provider has the payment, and no money was taken for it.',
    action: null,
    money: 'yes',
    stage: 'unfunded',
    next: ['awaiting_funds', 'funded', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'unknown'],
    progress: { part: 'in_flight', waitsFor: 'payrun', requestsLeft: 1 },
    row: { isUsed: true, isInitial: false, needsApproval: true, isDecidedOn: true },
    counts: { asSubmitted: true, asDuplicate: true, asUnpaid: false },
    payment: { keepsCommitment: true, hasLeft: false, wasPaid: false, hasFailed: false, isObserved: true },
  },
  awaiting_funds: {
    word: 'Waits for money',
    tone: 'waiting',
    meaning: 'The provider has the payment, and the balance is too small for it.',
    action: 'add funds to the balance',
    money: 'yes, as soon as the balance is sufficient',
    stage: 'unfunded',
    next: ['funded', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'unknown'],
    progress: { part: 'waiting', waitsFor: 'money', requestsLeft: 1 },
    row: { isUsed: true, isInitial: false, needsApproval: true, isDecidedOn: true },
    counts: { asSubmitted: true, asDuplicate: true, asUnpaid: false },
    payment: { keepsCommitment: true, hasLeft: false, wasPaid: false, hasFailed: false, isObserved: true },
  },
  funded: {
    word: 'Funded',
    tone: 'moving',
    meaning: 'Money was taken from the balance. The provider does not yet show the payment as processing.',
    action: null,
    money: 'it has left the balance',
    stage: 'in_flight',
    next: ['processing', 'paid', 'rejected', 'failed', 'unknown'],
    progress: { part: 'in_flight', waitsFor: 'provider', requestsLeft: 0 },
    row: { isUsed: true, isInitial: false, needsApproval: true, isDecidedOn: true },
    counts: { asSubmitted: true, asDuplicate: true, asUnpaid: false },
    payment: { keepsCommitment: true, hasLeft: true, wasPaid: false, hasFailed: false, isObserved: true },
  },
  processing: {
    word: 'Processing',
    tone: 'moving',
    meaning: 'The provider is carrying the payment out.',
    action: null,
    money: 'it has left the balance',
    stage: 'in_flight',
    next: ['paid', 'rejected', 'failed', 'unknown'],
    progress: { part: 'in_flight', waitsFor: 'provider', requestsLeft: 0 },
    row: { isUsed: true, isInitial: false, needsApproval: true, isDecidedOn: true },
    counts: { asSubmitted: true, asDuplicate: true, asUnpaid: false },
    payment: { keepsCommitment: true, hasLeft: true, wasPaid: false, hasFailed: false, isObserved: true },
  },
  paid: {
    word: 'Paid',
    tone: 'paid',
    meaning: 'The provider has confirmed the payment as completed, or two people have resolved it so.',
    action: null,
    money: 'it has left the balance',
    stage: 'ended',
    next: ['returned'],
    progress: { part: 'paid', waitsFor: null, requestsLeft: 0 },
    row: { isUsed: true, isInitial: false, needsApproval: true, isDecidedOn: true },
    counts: { asSubmitted: true, asDuplicate: true, asUnpaid: false },
    payment: { keepsCommitment: false, hasLeft: true, wasPaid: true, hasFailed: false, isObserved: false },
  },
  rejected: {
    word: 'Rejected',
    tone: 'failed',
    meaning: 'The provider refused the payment, before or after it was created.',
    action: 'do what its error code says',
    money: 'no, by what the provider or two people have stated; what was taken should come back',
    stage: 'ended',
    next: [],
    progress: { part: 'not_paid', waitsFor: null, requestsLeft: 0 },
    row: { isUsed: true, isInitial: false, needsApproval: false, isDecidedOn: true },
    counts: { asSubmitted: true, asDuplicate: false, asUnpaid: true },
    payment: { keepsCommitment: false, hasLeft: false, wasPaid: false, hasFailed: true, isObserved: false },
  },
  failed: {
    word: 'Failed',
    tone: 'failed',
    meaning: 'The provider could not carry the payment out.',
    action: 'do what its error code says',
    money: 'no, by what the provider or two people have stated; what was taken should come back',
    stage: 'ended',
    next: [],
    progress: { part: 'not_paid', waitsFor: null, requestsLeft: 0 },
    row: { isUsed: true, isInitial: false, needsApproval: true, isDecidedOn: true },
    counts: { asSubmitted: true, asDuplicate: false, asUnpaid: true },
    payment: { keepsCommitment: false, hasLeft: false, wasPaid: false, hasFailed: true, isObserved: false },
  },
  cancelled: {
    word: 'Cancelled',
    tone: 'neutral',
    meaning:
      'The run was withdrawn or cancelled before the row was sent, or two people found that it was never created.',
    action: 'submit it again if it is still owed',
    money: 'no',
    stage: 'ended',
    next: [],
    progress: { part: 'not_paid', waitsFor: null, requestsLeft: 0 },
    row: { isUsed: true, isInitial: false, needsApproval: false, isDecidedOn: true },
    counts: { asSubmitted: false, asDuplicate: false, asUnpaid: true },
    payment: { keepsCommitment: false, hasLeft: false, wasPaid: false, hasFailed: false, isObserved: false },
  },
  returned: {
    word: 'Returned',
    tone: 'failed',
    meaning:
      'The payment was paid and came back: the provider shows a refund, and the history of the balance its money.',
    action:
      'find out why; if it is still owed, submit the row from `exceptions.csv` in a new run, which is approved again',
    money: 'it came back, perhaps without the fees',
    stage: 'ended',
    next: [],
    progress: { part: 'not_paid', waitsFor: null, requestsLeft: 0 },
    row: { isUsed: true, isInitial: false, needsApproval: true, isDecidedOn: true },
    counts: { asSubmitted: true, asDuplicate: false, asUnpaid: true },
    payment: { keepsCommitment: false, hasLeft: false, wasPaid: true, hasFailed: false, isObserved: false },
  },
  unknown: {
    word: 'Unknown',
    tone: 'unknown',
    meaning: 'It is not known whether the provider has paid or will pay. payrun sends nothing more of it.',
    action:
      'ask the provider, then resolve the row by two people (`payrun resolve`); do not pay it by other means before',
    money: 'possibly',
    stage: 'ended',
    next: ['created', 'funded', 'processing', 'paid', 'rejected', 'failed', 'cancelled'],
    progress: { part: 'unknown', waitsFor: 'person', requestsLeft: 0 },
    row: { isUsed: true, isInitial: false, needsApproval: true, isDecidedOn: true },
    counts: { asSubmitted: true, asDuplicate: true, asUnpaid: false },
    payment: { keepsCommitment: false, hasLeft: false, wasPaid: false, hasFailed: false, isObserved: true },
  },
};
