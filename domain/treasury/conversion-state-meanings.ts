import type { ConversionState } from './conversion-state.ts';

/** What a state means for people in treasury. */
export interface ConversionStateMeaning {
  meaning: string;
  /** Whether money can still leave the balance for this order. */
  money: string;
  /** What a person has to do; null: nothing. */
  action: string | null;
}

export const CONVERSION_STATE_MEANINGS: Readonly<Record<ConversionState, ConversionStateMeaning>> = {
  proposed: {
    meaning: 'The order was placed, by a person or by a schedule. Nothing was sent.',
    money: 'yes, once it is approved',
    action: null,
  },
  in_approval: {
    meaning: 'The order needs the approval of another person.',
    money: 'no, unless it is approved',
    action: 'approve or decline it before it expires',
  },
  approved: { meaning: 'The order may be carried out. A quote is asked for.', money: 'yes', action: null },
  quoted: {
    meaning: 'The provider has given a price, and the guards compare it with the order.',
    money: 'yes',
    action: null,
  },
  committed: {
    meaning:
      'Every guard has passed, and the money is set apart. The conversion is being created, or payrun is finding out whether ' +
      'it was.',
    money: 'yes',
    action: null,
  },
  created: {
    meaning: 'The provider has the conversion at the quoted price, and no money was taken for it.',
    money: 'yes',
    action: null,
  },
  funding: {
    meaning:
      'The conversion is being funded, or payrun is finding out from the history of the balance whether it was. The status at ' +
      'the provider does not show it.',
    money: 'yes, or it has left the balance',
    action: null,
  },
  funded: {
    meaning: 'The total has left the balance. The provider does not yet show the conversion as completed.',
    money: 'it has left the balance',
    action: null,
  },
  completed: {
    meaning: 'The provider shows the conversion as completed. The bought money was not yet seen in the balance.',
    money: 'it has left the balance',
    action: null,
  },
  settled: {
    meaning:
      'The exact bought amount was seen in the history of the balance, or two people have said that the money came.',
    money: 'it has left the balance',
    action: null,
  },
  declined: {
    meaning: 'People decided against the order, before the provider had a conversion of it.',
    money: 'no',
    action: null,
  },
  expired: {
    meaning: 'The order was not created before its expiry time.',
    money: 'no',
    action: 'place it again if it is still wanted',
  },
  skipped: {
    meaning: 'A guard refused the order, or there was nothing to convert. The reason says which.',
    money: 'no',
    action: 'read the reason; a schedule tries again at its next time',
  },
  missed: {
    meaning: 'payrun was not running at the time of the occurrence, and it was not backfilled.',
    money: 'no',
    action: 'start the occurrence by hand if it is still wanted',
  },
  held: {
    meaning:
      'Something is not as it should be, and the order waits for people: before the conversion was created, or after it was ' +
      'created with other amounts.',
    money: 'no, unless people release it',
    action: 'do what its reason says',
  },
  lapsed: {
    meaning: 'The provider has the conversion, and it was not funded by the cut-off time.',
    money: 'no, by the history of the balance',
    action: 'ask the provider whether closing the conversion costs anything',
  },
  unknown: {
    meaning: 'It is not known whether the conversion was created or funded. payrun does not try again by itself.',
    money: 'perhaps it has left the balance',
    action: 'ask the provider, then have two people resolve it; place no other order for it before',
  },
};
