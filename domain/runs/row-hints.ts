import type { PaymentState } from '../payments/payment-state.ts';

/**
 * Not approved yet; approved, and being paid or stopped; ended after its approval; ended without one. `null`: there is nothing to
 * say, or no such row is in a run of this phase.
 */
export type RunPhase = 'undecided' | 'paying' | 'stopped' | 'ended' | 'never_approved';

interface RowHints extends Readonly<Record<RunPhase, string | null>> {
  one: string;
  many: string;
}

const NEVER_APPROVED = 'They were not paid: the run was never approved.';

function inApproved(hint: string): Readonly<Record<RunPhase, string | null>> {
  return { undecided: null, paying: hint, stopped: hint, ended: hint, never_approved: null };
}

const NOT_SENT = {
  ...{ one: 'row that was not sent', many: 'rows that were not sent' },
  ...{ undecided: null, paying: null, stopped: 'They are not sent while the run is stopped.' },
  ...{ ended: 'They were not paid: the run has ended.', never_approved: NEVER_APPROVED },
};

/** What a state of rows means in each phase of their run; null: it explains itself. */
export const ROW_HINTS: Readonly<Record<PaymentState, RowHints | null>> = {
  unknown: {
    ...{ one: 'payment of unknown outcome', many: 'payments of unknown outcome' },
    ...inApproved('Ask the provider before anything else, and do not pay them by other means.'),
  },
  duplicate_suspect: {
    ...{ one: 'suspected duplicate', many: 'suspected duplicates' },
    undecided: 'They are not paid unless a checker releases them before the run is approved.',
    paying: 'They are not paid: nobody released them before the run was approved.',
    stopped: 'They are not paid: nobody released them before the run was approved.',
    ended: 'They were not paid: nobody released them before the run was approved.',
    never_approved: NEVER_APPROVED,
  },
  account_unconfirmed: {
    ...{ one: 'row to an unconfirmed account', many: 'rows to unconfirmed accounts' },
    undecided: 'They are not paid unless a second person confirms the accounts before the run is approved.',
    paying: null,
    stopped: null,
    ended: null,
    never_approved: NEVER_APPROVED,
  },
  held: {
    ...{ one: 'held row', many: 'held rows' },
    undecided: 'Each says why it is held. Correct it in the exceptions file, and submit it again.',
    paying: 'Each says why it is held. Correct it in the exceptions file, and submit it again.',
    stopped: 'Each says why it is held. Correct it in the exceptions file, and submit it again.',
    ended: 'They were not paid. Each says why: correct it in the exceptions file, and submit it again.',
    never_approved: NEVER_APPROVED,
  },
  ready: NOT_SENT,
  quoted: NOT_SENT,
  awaiting_funds: {
    ...{ one: 'payment waiting for money', many: 'payments waiting for money' },
    ...inApproved('They are paid as soon as the balance is sufficient.'),
    stopped: 'They are not funded while the run is stopped.',
  },
  failed: {
    ...{ one: 'failed payment', many: 'failed payments' },
    ...inApproved('Each says why. Correct it in the exceptions file, and submit it again.'),
  },
  rejected: {
    ...{ one: 'rejected payment', many: 'rejected payments' },
    ...inApproved(
      'The provider did not take them, and says why. Correct them in the exceptions file, and submit it again.',
    ),
  },
  returned: {
    ...{ one: 'returned payment', many: 'returned payments' },
    ...inApproved('They were paid, and the money came back.'),
  },
  invalid: null,
  excluded: null,
  created: null,
  funded: null,
  processing: null,
  paid: null,
  cancelled: null,
};
