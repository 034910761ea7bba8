import type { Explanation } from '../explanation.ts';
import type { PaymentState } from './payment-state.ts';

/** Why a payment is not paid, or not known to be paid. `states`: those in which a payment has the code. */
interface PaymentErrorExplanation extends Explanation {
  states: readonly PaymentState[];
}

const HAVE_IT_CANCELLED =
  'Have the provider cancel the payment, and wait for its confirmation. Then resolve the row as the provider shows it. ' +
  'Do not pay it by other means before.';

const CORRECT_AND_SUBMIT = 'Correct the row in `exceptions.csv` and submit it again.';

export const PAYMENT_ERRORS = {
  invalid: {
    states: ['invalid'],
    cause: 'The row failed a check of the payment file that gave no reason of its own. Nothing was sent.',
    fix: 'Report it as a bug of payrun, with the row.',
  },
  row_ref_used_before: {
    states: ['duplicate_suspect'],
    cause:
      'Another row of the account with this `row_ref` was paid, is being paid or may still be paid. Nothing was sent.',
    fix:
      'Compare the rows: `payrun show RUN --row REF` lists the others. If it is the same payment, leave it. If both are owed, ' +
      'a checker releases it before the run is approved (`payrun release`), or you submit it again under another `row_ref`.',
  },
  same_beneficiary_and_amount: {
    states: ['duplicate_suspect'],
    cause:
      'Another row, of any account with the provider, that was paid in the last 60 days or may still be paid, or an earlier row of this ' +
      'file, pays the same amount to the same account. Nothing was sent.',
    fix:
      'Compare the rows: `payrun show RUN --row REF` lists the others. If it is the same payment, leave it. If both are owed, ' +
      'a checker releases it before the run is approved (`payrun release`). For salaries, rents and the like, the policy ' +
      '(`duplicates.regularPayments`) can warn instead.',
  },
  account_unconfirmed: {
    states: ['account_unconfirmed', 'held'],
    cause:
      'The book of beneficiaries does not have the account as confirmed by another person than the maker of the run, and the policy ' +
      '(`unconfirmedAccounts`) holds such rows. ' +
      '`held`: the run was approved without the row. Nothing was sent.',
    fix:
      'Add the account to the book (`payrun beneficiaries add`). A second person calls the beneficiary at a number known before, and ' +
      'confirms it (`payrun beneficiaries confirm`), which releases the rows of runs that are not decided. Submit a `held` row again ' +
      'from `exceptions.csv` after that.',
  },
  row_not_as_approved: {
    states: ['held', 'unknown'],
    cause:
      'The stored row is not the one that was approved: somebody changed it afterwards. `held`: the provider does not have the payment. ' +
      '`unknown`: the provider has the payment, and payrun did not fund it.',
    fix:
      'Tell whoever operates payrun: nobody should be able to change a stored row. Once the reason is known, submit a `held` ' +
      'row again from `exceptions.csv`. Have the provider cancel an `unknown` one, then resolve it.',
  },
  beneficiary_not_as_shown: {
    states: ['held'],
    cause:
      'The row names its beneficiary by id, and the provider now shows another account, bank or name for it than the approvers ' +
      'saw. The provider has no payment for this row.',
    fix:
      'Find out who changed the beneficiary, by a contact that you know already. Then submit the row again with the details of ' +
      'the beneficiary in place of the id.',
  },
  quote_differs: {
    states: ['held'],
    cause:
      "The provider's quote is for another amount, currency or beneficiary than the approved row. Nothing was created and no " +
      'money has moved.',
    fix: 'Ask the provider why. Then submit the row again from `exceptions.csv`.',
  },
  fees_beyond_limit: {
    states: ['held', 'unknown'],
    cause:
      'The fees are a larger part of the amount sold than was approved: the proposal of the run states the bound. payrun has not ' +
      'funded it. `held`: the provider does not have the payment.',
    fix:
      'Ask the provider about the fees. If they are right, have `costBound` of the policy raised, or join small payments to one ' +
      'beneficiary. Then submit a `held` row again from `exceptions.csv`. Have the provider cancel an `unknown` one, then resolve it.',
  },
  rate_beyond_limit: {
    states: ['held', 'unknown'],
    cause:
      'The rate is worse than was approved: the proposal of the run states the bound, by the reference rates of its day. payrun has ' +
      'not funded it. `held`: the provider does not have the payment.',
    fix:
      'Compare the rate with the market. If it has moved, submit a `held` row again from `exceptions.csv`: its proposal states the ' +
      'bound of that day. Have the provider cancel an `unknown` one, then resolve it.',
  },
  documents_required: {
    states: ['held'],
    cause:
      'The provider requires supporting documents for this payment, and the row names none. Nothing was created and no money ' +
      'has moved.',
    fix: 'Name the documents in `supporting_files` in `exceptions.csv`, and submit it with `--files`.',
  },
  upload_refused: {
    states: ['held'],
    cause:
      'The storage of the provider refused a supporting file several times. Nothing was created and no money has moved.',
    fix: 'Check that the file opens and is not too large. Then submit the row again from `exceptions.csv`.',
  },
  upload_not_answered: {
    states: ['held'],
    cause:
      'The storage of the provider did not answer for hours when a supporting file was sent. Nothing was created and no money ' +
      'has moved.',
    fix: 'Have the connection to the storage checked. Then submit the row again from `exceptions.csv`.',
  },
  refused_by_provider: {
    states: ['rejected', 'held'],
    cause:
      'The provider refused the beneficiary, the quote, the payment or a supporting file, and gave no code. Nothing was created and ' +
      'no money has moved.',
    fix: `Read the provider's reason in \`payrun show RUN --row REF\`. ${CORRECT_AND_SUBMIT}`,
  },
  invalid_request: {
    states: ['rejected', 'held'],
    cause:
      'A value of the row cannot be sent to the provider in the form that its API requires, so payrun did not send the request. ' +
      'Nothing was created and no money has moved.',
    fix: CORRECT_AND_SUBMIT,
  },
  step_failed: {
    states: ['held', 'unknown'],
    cause:
      'A step of the payment failed for 3 days, or by a bug of payrun. `held`: the provider does not have the payment. `unknown`: the ' +
      'provider may have it, and may have paid it.',
    fix:
      'Have whoever operates payrun find the reason. Then submit a `held` row again from `exceptions.csv`. For an `unknown` one, ' +
      'ask the provider about its reference, then resolve it. Do not pay it by other means before.',
  },
  creation_uncertain: {
    states: ['unknown'],
    cause:
      'Nothing more of the row is sent, and the provider may have created the payment by an earlier request. payrun has not ' +
      'funded it.',
    fix:
      'Ask the provider about its reference. If the payment exists, have it cancelled and wait for the confirmation. Then ' +
      'resolve the row as the provider shows it, or as `never_created`. Do not pay it by other means before.',
  },
  found_more_than_once: {
    states: ['unknown'],
    cause: 'The provider shows several payments with the reference of this row. payrun has funded none of them.',
    fix:
      'Ask the provider which of them exist and whether one was paid, and have the others cancelled. Then resolve the row with ' +
      '`--provider-payment-id`. Do not pay it by other means before.',
  },
  created_differs: {
    states: ['unknown'],
    cause:
      "The provider's payment is not the one that was approved, or has another price than the quote that was used. The message names the fields. " +
      'payrun has not funded it.',
    fix: HAVE_IT_CANCELLED,
  },
  created_not_funded: {
    states: ['unknown'],
    cause: 'The run was cancelled when the provider had the payment, not funded. It could still be funded there.',
    fix: HAVE_IT_CANCELLED,
  },
  funding_refused: {
    states: ['unknown'],
    cause:
      'The provider refused several times to fund the payment, although the balance is sufficient, and shows it not funded. ' +
      'It could still be funded there.',
    fix: HAVE_IT_CANCELLED,
  },
  not_funded_in_time: {
    states: ['unknown'],
    cause:
      'No money came into the balance in time. The provider has the payment, not funded, and it could still be funded there.',
    fix: HAVE_IT_CANCELLED,
  },
  funds_not_received_in_time: {
    states: ['held'],
    cause:
      'No money came into the balance of its currency in time, so the row was not begun. The provider does not have the payment.',
    fix: 'Add funds to the balance, then submit the row again from `exceptions.csv`.',
  },
  not_confirmed: {
    states: ['unknown'],
    cause:
      'The payment was funded: money has left the balance. The provider did not say in time whether it was paid. payrun looks ' +
      'at it again for at least 30 days.',
    fix: 'Ask the provider what became of it, then resolve the row. Do not pay it by other means before.',
  },
  provider_rejected: {
    states: ['rejected'],
    cause:
      'The provider has the payment and shows it as rejected, with the reason in the message. If it was funded, the money ' +
      'should come back to the balance.',
    fix: `Check that the money is back. ${CORRECT_AND_SUBMIT}`,
  },
  provider_failed: {
    states: ['failed'],
    cause:
      'The provider shows the payment as failed, with the reason in the message. Money may have left the balance for it, and ' +
      'should come back.',
    fix: `Check with the provider that the payment is over and the money is back. ${CORRECT_AND_SUBMIT}`,
  },
  resolved_rejected: {
    states: ['rejected'],
    cause: 'Two people resolved the unknown row: the provider rejected it.',
    fix: 'If it is still owed, make sure that the provider has cancelled the payment, then submit the row again.',
  },
  resolved_failed: {
    states: ['failed'],
    cause: 'Two people resolved the unknown row: the payment failed.',
    fix: 'If it is still owed, make sure that the provider has cancelled the payment, then submit the row again.',
  },
  resolved_never_created: {
    states: ['cancelled'],
    cause: 'Two people resolved the unknown row: the provider never had the payment.',
    fix: 'If it is still owed, submit the row again from `exceptions.csv`.',
  },
  resolution_contradicted: {
    states: ['unknown'],
    cause:
      'Two people resolved the row as never created, and the provider shows its payment after that; or as rejected or failed, and it was paid, ' +
      'or may be.',
    fix:
      'Ask the provider what became of this payment, have it cancelled there if it is not owed, then resolve the row. What was submitted ' +
      'again in its place is held meanwhile, unless it was paid already: its message says so.',
  },
  repeats_contradicted: {
    states: ['held', 'unknown'],
    cause:
      'The row pays what another row pays that two people had resolved as unpaid, and that the provider shows after all. `held`: the ' +
      'provider does not have this payment. `unknown`: the provider has it, and payrun did not fund it.',
    fix:
      'Resolve the other row first. If this one is owed all the same, submit a `held` row again from `exceptions.csv`. Have the provider ' +
      'cancel an `unknown` one, then resolve it.',
  },
  withdrawn: {
    states: ['cancelled'],
    cause: 'The maker withdrew the run before it was decided on. Nothing was sent.',
    fix: 'If it is still owed, submit it in another run.',
  },
  run_cancelled: {
    states: ['cancelled'],
    cause: 'The run was stopped and cancelled before this row was sent. The provider does not have the payment.',
    fix: 'If it is still owed, submit the row again from `exceptions.csv`.',
  },
} as const satisfies Record<string, PaymentErrorExplanation>;

/** A code that payrun itself gives a payment. */
export type PaymentErrorCode = keyof typeof PAYMENT_ERRORS;

/** A code that the provider gave, kept as it is. Its meaning is the provider's. */
export type ProviderErrorCode = string & { readonly isProviderErrorCode: true };

export function providerErrorCode(code: string): ProviderErrorCode {
  return code as ProviderErrorCode;
}
