import type { PaymentState } from './payment-state.ts';

/** What a state means for people in finance. */
export interface PaymentStateMeaning {
  meaning: string;
  /** Whether money can still leave the balance for this payment. */
  money: string;
  /** What a person has to do; null: nothing. */
  action: string | null;
  /** No payment gets this state in this version. */
  isReserved?: true;
}

export const PAYMENT_STATE_MEANINGS: Readonly<Record<PaymentState, PaymentStateMeaning>> = {
  invalid: {
    meaning: 'The row has errors and was left out of the run (`--on-invalid skip`).',
    money: 'no',
    action: 'correct it in `exceptions.csv` and submit it again',
  },
  duplicate_suspect: {
    meaning: 'The row may pay something a second time, and is not sent.',
    money: 'no, unless it is released',
    action: 'compare the rows; a checker may release it before the run is approved',
  },
  excluded: { meaning: 'The row was taken out of the run.', money: 'no', action: null, isReserved: true },
  held: {
    meaning: 'A quote, a file, a document or missing money kept the payment from being created.',
    money: 'no',
    action: 'do what its error code says, then submit it again from `exceptions.csv`',
  },
  ready: {
    meaning: 'The row is valid. It is sent once its run is approved and its day has come.',
    money: 'yes, once the run is approved',
    action: null,
  },
  quoted: {
    meaning: 'The provider has given a price. The payment is being created, or payrun is finding out whether it was.',
    money: 'yes',
    action: null,
  },
  created: {
    meaning: 'The provider has the payment, and no money was taken for it.',
    money: 'yes',
    action: null,
  },
  awaiting_funds: {
    meaning: 'The provider has the payment, and the balance is too small for it.',
    money: 'yes, as soon as the balance is sufficient',
    action: 'add funds to the balance',
  },
  funded: {
    meaning: 'Money was taken from the balance. The provider does not yet show the payment as processing.',
    money: 'it has left the balance',
    action: null,
  },
  processing: {
    meaning: 'The provider is carrying the payment out.',
    money: 'it has left the balance',
    action: null,
  },
  paid: {
    meaning: 'The provider has confirmed the payment as completed, or two people have resolved it so.',
    money: 'it has left the balance',
    action: null,
  },
  rejected: {
    meaning: 'The provider refused the payment, before or after it was created.',
    money: 'no, by what the provider or two people have stated; what was taken should come back',
    action: 'do what its error code says',
  },
  failed: {
    meaning: 'The provider could not carry the payment out.',
    money: 'no, by what the provider or two people have stated; what was taken should come back',
    action: 'do what its error code says',
  },
  cancelled: {
    meaning:
      'The run was withdrawn or cancelled before the row was sent, or two people found that it was never created.',
    money: 'no',
    action: 'submit it again if it is still owed',
  },
  returned: {
    meaning:
      'The payment was paid and came back: the provider shows a refund, and the history of the balance its money.',
    money: 'it came back, perhaps without the fees',
    action:
      'find out why; if it is still owed, submit the row from `exceptions.csv` in a new run, which is approved again',
  },
  unknown: {
    meaning: 'It is not known whether the provider has paid or will pay. payrun sends nothing more of it.',
    money: 'possibly',
    action:
      'ask the provider, then resolve the row by two people (`payrun resolve`); do not pay it by other means before',
  },
};
