import type { StateTexts } from '../state-table.ts';

/** The states of an order to convert, and all that is asked of each. */

export const CONVERSION_STATES = [
  'proposed',
  'in_approval',
  'approved',
  'quoted',
  'committed',
  'created',
  'funding',
  'funded',
  'completed',
  'settled',
  'rejected',
  'expired',
  'skipped',
  'missed',
  'held',
  'lapsed',
  'unknown',
] as const;

export type ConversionState = (typeof CONVERSION_STATES)[number];

/**
 * People are `deciding`; not yet created with the provider; created there and `unfunded`; funded and `in_flight` until the
 * bought money is seen; `on_hold` until people act; or `ended`.
 */
export type ConversionStage = 'deciding' | 'uncreated' | 'unfunded' | 'in_flight' | 'on_hold' | 'ended';

/**
 * Whether the provider has a conversion of the order. There is no call that cancels one, so an order that has one never
 * returns to a state without.
 */
export type WithProvider = 'never' | 'perhaps' | 'always';

export interface ConversionStateRow extends StateTexts {
  /** Whether money can still leave the balance for it, in words. */
  money: string;
  stage: ConversionStage;
  withProvider: WithProvider;
  next: readonly ConversionState[];
  order: {
    /** Without a conversion: it may still be carried out, and no money is committed to it. */
    isPlaced: boolean;
    /** The provider has shown the conversion as completed. */
    isCompleted: boolean;
    /** People are notified that it needs them, beside its approval. */
    notifiesPeople: boolean;
    /** Only a function of the database moves an order into it: together with its money, or by what people decide. */
    isSetByFunction: boolean;
    /** It has ended by what was not seen: the provider may carry it out late, so it is still looked at. */
    mayRunLate: boolean;
  };
  amounts: {
    /** What it sells stays committed to it, and counts in the cap of its day. */
    areCommitted: boolean;
    /** The total has left the balance. */
    haveLeft: boolean;
    /** Whether the bought money may still come. `if_created`: where the provider has a conversion of the order. */
    mayCome: 'never' | 'if_created' | 'always';
    /** Whether the bought money may be in the balance already: it was not funded before a request to fund it was sent. */
    mayBeCredited: 'never' | 'if_created' | 'always';
    /** The bought money is expected on its usual day. */
    areExpected: boolean;
  };
}

/**
 * `quoted → approved`: the quote was not used in time. `quoted → in_approval`: it shows that the order needs an approval.
 * `committed → approved`: no conversion was let in, or none was seen; then the next creation has the same reference, and an order
 * that would end becomes `unknown`, as the provider may have it. `held → approved`: a person releases an order of which the
 * provider has no conversion; `held → funding`: two people accept the conversion as the provider created it; `held → funded`,
 * `created → funded`: the debit of an earlier request came late. `unknown → held`: the one conversion
 * that a lookup finds has other amounts. `lapsed → funded`, `lapsed → completed`: the provider has carried it out late. An order may skip
 * states when one read shows that the provider is further than the database.
 */
export const CONVERSION_STATE_TABLE: Readonly<Record<ConversionState, ConversionStateRow>> = {
  proposed: {
    word: 'Placed',
    tone: 'moving',
    meaning: 'The order was placed, by a person or by a schedule. Nothing was sent.',
    action: null,
    money: 'yes, once it is approved',
    stage: 'deciding',
    withProvider: 'never',
    next: ['in_approval', 'approved', 'rejected', 'expired', 'skipped', 'missed', 'held', 'unknown'],
    order: { isPlaced: true, isCompleted: false, notifiesPeople: false, isSetByFunction: false, mayRunLate: false },
    amounts: { areCommitted: false, haveLeft: false, mayCome: 'never', mayBeCredited: 'never', areExpected: false },
  },
  in_approval: {
    word: 'Waits for approval',
    tone: 'waiting',
    meaning: 'The order needs the approval of another person.',
    action: 'another person approves or rejects it before it expires',
    money: 'no, unless it is approved',
    stage: 'deciding',
    withProvider: 'never',
    next: ['approved', 'rejected', 'expired', 'unknown'],
    order: { isPlaced: true, isCompleted: false, notifiesPeople: false, isSetByFunction: false, mayRunLate: false },
    amounts: { areCommitted: false, haveLeft: false, mayCome: 'never', mayBeCredited: 'never', areExpected: false },
  },
  approved: {
    word: 'Approved',
    tone: 'moving',
    meaning: 'The order may be carried out. A quote is asked for.',
    action: null,
    money: 'yes',
    stage: 'uncreated',
    withProvider: 'never',
    next: ['quoted', 'rejected', 'expired', 'skipped', 'held', 'unknown'],
    order: { isPlaced: true, isCompleted: false, notifiesPeople: false, isSetByFunction: false, mayRunLate: false },
    amounts: { areCommitted: false, haveLeft: false, mayCome: 'never', mayBeCredited: 'never', areExpected: false },
  },
  quoted: {
    word: 'Quoted',
    tone: 'moving',
    meaning: 'The provider has given a price, and the guards compare it with the order.',
    action: null,
    money: 'yes',
    stage: 'uncreated',
    withProvider: 'never',
    next: ['approved', 'in_approval', 'committed', 'rejected', 'expired', 'skipped', 'held', 'unknown'],
    order: { isPlaced: true, isCompleted: false, notifiesPeople: false, isSetByFunction: false, mayRunLate: false },
    amounts: { areCommitted: false, haveLeft: false, mayCome: 'never', mayBeCredited: 'never', areExpected: false },
  },
  committed: {
    word: 'Being created',
    tone: 'moving',
    meaning:
      'Every guard has passed, and the money is set apart. The conversion is being created, or payrun is finding out whether ' +
      'it was.',
    action: null,
    money: 'yes',
    stage: 'uncreated',
    withProvider: 'perhaps',
    next: ['approved', 'created', 'completed', 'settled', 'skipped', 'held', 'unknown'],
    order: { isPlaced: false, isCompleted: false, notifiesPeople: false, isSetByFunction: true, mayRunLate: false },
    amounts: { areCommitted: true, haveLeft: false, mayCome: 'always', mayBeCredited: 'never', areExpected: true },
  },
  created: {
    word: 'Created',
    tone: 'moving',
    meaning: 'The provider has the conversion at the quoted price, and no money was taken for it.',
    action: null,
    money: 'yes',
    stage: 'unfunded',
    withProvider: 'always',
    next: ['funding', 'funded', 'completed', 'settled', 'held', 'lapsed', 'unknown'],
    order: { isPlaced: false, isCompleted: false, notifiesPeople: false, isSetByFunction: false, mayRunLate: false },
    amounts: { areCommitted: true, haveLeft: false, mayCome: 'always', mayBeCredited: 'never', areExpected: true },
  },
  funding: {
    word: 'Being funded',
    tone: 'moving',
    meaning:
      'The conversion is being funded, or payrun is finding out from the history of the balance whether it was. The status at ' +
      'the provider does not show it.',
    action: null,
    money: 'yes, or it has left the balance',
    stage: 'unfunded',
    withProvider: 'always',
    next: ['funded', 'completed', 'settled', 'held', 'lapsed', 'unknown'],
    order: { isPlaced: false, isCompleted: false, notifiesPeople: false, isSetByFunction: true, mayRunLate: false },
    amounts: { areCommitted: true, haveLeft: false, mayCome: 'always', mayBeCredited: 'always', areExpected: true },
  },
  funded: {
    word: 'Funded',
    tone: 'moving',
    meaning: 'The total has left the balance. The provider does not yet show the conversion as completed.',
    action: null,
    money: 'it has left the balance',
    stage: 'in_flight',
    withProvider: 'always',
    next: ['completed', 'settled', 'unknown'],
    order: { isPlaced: false, isCompleted: false, notifiesPeople: false, isSetByFunction: false, mayRunLate: false },
    amounts: { areCommitted: true, haveLeft: true, mayCome: 'always', mayBeCredited: 'always', areExpected: true },
  },
  completed: {
    word: 'Completed',
    tone: 'moving',
    meaning: 'The provider shows the conversion as completed. The bought money was not yet seen in the balance.',
    action: null,
    money: 'it has left the balance',
    stage: 'in_flight',
    withProvider: 'always',
    next: ['settled', 'unknown'],
    order: { isPlaced: false, isCompleted: true, notifiesPeople: false, isSetByFunction: false, mayRunLate: false },
    amounts: { areCommitted: true, haveLeft: true, mayCome: 'always', mayBeCredited: 'always', areExpected: true },
  },
  settled: {
    word: 'Settled',
    tone: 'paid',
    meaning:
      'The exact bought amount was seen in the history of the balance, or two people have said that the money came.',
    action: null,
    money: 'it has left the balance',
    stage: 'ended',
    withProvider: 'always',
    next: [],
    order: { isPlaced: false, isCompleted: true, notifiesPeople: false, isSetByFunction: false, mayRunLate: false },
    amounts: { areCommitted: true, haveLeft: true, mayCome: 'never', mayBeCredited: 'never', areExpected: false },
  },
  rejected: {
    word: 'Rejected',
    tone: 'neutral',
    meaning: 'People decided against the order, before the provider had a conversion of it.',
    action: null,
    money: 'no',
    stage: 'ended',
    withProvider: 'never',
    next: [],
    order: { isPlaced: false, isCompleted: false, notifiesPeople: false, isSetByFunction: true, mayRunLate: false },
    amounts: { areCommitted: false, haveLeft: false, mayCome: 'never', mayBeCredited: 'never', areExpected: false },
  },
  expired: {
    word: 'Expired',
    tone: 'neutral',
    meaning: 'The order was not created before its expiry time.',
    action: 'place it again if it is still wanted',
    money: 'no',
    stage: 'ended',
    withProvider: 'never',
    next: [],
    order: { isPlaced: false, isCompleted: false, notifiesPeople: false, isSetByFunction: false, mayRunLate: false },
    amounts: { areCommitted: false, haveLeft: false, mayCome: 'never', mayBeCredited: 'never', areExpected: false },
  },
  skipped: {
    word: 'Skipped',
    tone: 'neutral',
    meaning: 'A guard refused the order, or there was nothing to convert. The reason says which.',
    action: 'read the reason; a schedule tries again at its next time',
    money: 'no',
    stage: 'ended',
    withProvider: 'never',
    next: [],
    order: { isPlaced: false, isCompleted: false, notifiesPeople: false, isSetByFunction: false, mayRunLate: false },
    amounts: { areCommitted: false, haveLeft: false, mayCome: 'never', mayBeCredited: 'never', areExpected: false },
  },
  missed: {
    word: 'Missed',
    tone: 'neutral',
    meaning: 'payrun was not running at the time of the occurrence, and it was not backfilled.',
    action: 'start the occurrence by hand if it is still wanted',
    money: 'no',
    stage: 'ended',
    withProvider: 'never',
    next: [],
    order: { isPlaced: false, isCompleted: false, notifiesPeople: false, isSetByFunction: false, mayRunLate: false },
    amounts: { areCommitted: false, haveLeft: false, mayCome: 'never', mayBeCredited: 'never', areExpected: false },
  },
  held: {
    word: 'Held',
    tone: 'waiting',
    meaning:
      'Something is not as it should be, and the order waits for people: before the conversion was created, or after it was ' +
      'created with other amounts.',
    action: 'do what its reason says',
    money: 'no, unless people release it',
    stage: 'on_hold',
    withProvider: 'perhaps',
    next: ['approved', 'rejected', 'expired', 'funding', 'funded', 'completed', 'settled', 'lapsed', 'unknown'],
    order: { isPlaced: true, isCompleted: false, notifiesPeople: true, isSetByFunction: false, mayRunLate: false },
    amounts: {
      areCommitted: true,
      haveLeft: false,
      mayCome: 'if_created',
      mayBeCredited: 'if_created',
      areExpected: false,
    },
  },
  lapsed: {
    word: 'Lapsed',
    tone: 'failed',
    meaning: 'The provider has the conversion, and it was not funded by the cut-off time.',
    action: 'ask the provider whether closing the conversion costs anything',
    money:
      'no, by the history of the balance; if the provider was asked to take it, it may still do so: for a week payrun looks, and ' +
      'the money stays committed',
    stage: 'ended',
    withProvider: 'always',
    next: ['funded', 'completed', 'settled'],
    order: { isPlaced: false, isCompleted: false, notifiesPeople: true, isSetByFunction: false, mayRunLate: true },
    amounts: { areCommitted: false, haveLeft: false, mayCome: 'never', mayBeCredited: 'never', areExpected: false },
  },
  unknown: {
    word: 'Unknown',
    tone: 'unknown',
    meaning: 'It is not known whether the conversion was created or funded. payrun does not try again by itself.',
    action: 'ask the provider, then have two people resolve it; place no other order for it before',
    money: 'perhaps it has left the balance',
    stage: 'on_hold',
    withProvider: 'perhaps',
    next: ['rejected', 'created', 'held', 'funded', 'completed', 'settled', 'lapsed'],
    order: { isPlaced: false, isCompleted: false, notifiesPeople: true, isSetByFunction: false, mayRunLate: false },
    amounts: { areCommitted: true, haveLeft: false, mayCome: 'always', mayBeCredited: 'always', areExpected: false },
  },
};
