import type { Explanation } from '../explanation.ts';
import type { ConversionState } from './conversion-state.ts';

/** Why an order is in its state. `states`: those in which an order has the code. */
interface ConversionReasonExplanation extends Explanation {
  states: readonly ConversionState[];
}

const NEXT_TIME = 'A schedule tries again at its next time. Place an order by hand if it cannot wait.';
const ASK_AND_RELEASE =
  'Ask the provider why. A person then releases the order for another quote, or rejects it. Nothing was created.';

export const CONVERSION_REASONS = {
  nothing_to_convert: {
    states: ['skipped'],
    cause: 'The balance has reached its level, or has nothing above its floor.',
    fix: 'Nothing: this is how such a schedule should end on most days.',
  },
  below_minimum_order: {
    states: ['skipped'],
    cause: 'The amount is smaller than the minimum order of the schedule.',
    fix: 'Nothing: it is converted with the next one. Lower the minimum order if it waits too long.',
  },
  price_beyond_limit: {
    states: ['skipped'],
    cause: 'The price of the quote, with its fees, is worse than the limit price of the order.',
    fix: NEXT_TIME,
  },
  cost_beyond_maximum: {
    states: ['skipped'],
    cause: 'The price of the quote, with its fees, is further from the reference price than the order allows.',
    fix: `Compare the rates of the day. ${NEXT_TIME}`,
  },
  order_too_large: {
    states: ['skipped'],
    cause: 'The total is larger than the maximum of one order, or than the cap of this one.',
    fix: 'Split the order, or have the maximum raised.',
  },
  daily_cap_reached: {
    states: ['skipped'],
    cause: 'With this order, more of the currency would be sold today than the daily cap allows.',
    fix: 'Place the order on another day, or have the cap raised.',
  },
  not_enough_money: {
    states: ['skipped', 'held'],
    cause:
      'The free money of the sell currency does not cover the total. What runs and other orders have reserved is not free.',
    fix: 'Bring money into the balance, or convert less. A held order has a conversion already: two people then have it funded, or it lapses.',
  },
  floor_reached: {
    states: ['skipped'],
    cause:
      'With this order, less than the floor of its schedule would be free: money was reserved or left since it was placed.',
    fix: NEXT_TIME,
  },
  level_reached: {
    states: ['skipped'],
    cause:
      'With this order, more than the level of its schedule would be there: money came or was bought since it was placed.',
    fix: NEXT_TIME,
  },
  need_covered: {
    states: ['skipped'],
    cause:
      'With this order, more would be bought than approved runs lack: money came, was bought or ordered since it was placed, or less is to be paid.',
    fix: NEXT_TIME,
  },
  pair_has_open_order: {
    states: ['skipped'],
    cause: 'Another order of the same two currencies, in either direction, is open.',
    fix: 'Wait for its end, or act on it if it is `held` or `unknown`.',
  },
  sweep_does_not_fit: {
    states: ['skipped'],
    cause: 'Three quotes in a row cost more than the money above the floor.',
    fix: `Read the fees of the quotes; the amount may be too small for them. ${NEXT_TIME}`,
  },
  quote_refused: {
    states: ['skipped', 'held'],
    cause: 'The provider refused the quote or the conversion. It has no conversion of the order.',
    fix: "Read the provider's reason, correct the order or the schedule, and place it again.",
  },
  quote_differs: {
    states: ['held'],
    cause: "The provider's quote is not for the currencies, side or amount that were asked for.",
    fix: ASK_AND_RELEASE,
  },
  fees_not_understood: {
    states: ['held'],
    cause: 'The total of the quote is neither the sell amount nor the sell amount plus the fees.',
    fix: ASK_AND_RELEASE,
  },
  reference_unclear: {
    states: ['held'],
    cause:
      'There is no reference price to compare the quote with: the rate and its inverse both fit it, or neither does, or the rate ' +
      'could not be read.',
    fix:
      'Compare the quote with the rates of the day. Configure the direction of the pair, or give rates of your own; then release ' +
      'the order, or reject it.',
  },
  order_not_as_approved: {
    states: ['held'],
    cause: 'The stored order is not the one that was approved: somebody changed it afterwards. Nothing was created.',
    fix: 'Tell whoever operates payrun: nobody should be able to change a stored order. Then reject it.',
  },
  created_differs: {
    states: ['held'],
    cause: "The provider's conversion has other amounts than its quote. payrun has not funded it.",
    fix:
      'Ask the provider why. Two people may accept it and have it funded before its cut-off; otherwise it lapses. Ask what ' +
      'closing it costs.',
  },
  found_late: {
    states: ['held'],
    cause:
      'The provider has its conversion, which was found after the order was to end, or after people were asked what became of it. ' +
      'payrun has not funded it.',
    fix: 'If it is still wanted, two people have it funded before its cut-off; otherwise it lapses. Ask what closing it costs.',
  },
  funding_refused: {
    states: ['held'],
    cause: 'The provider refused to fund the conversion, and the history of the balance shows no debit for it.',
    fix: "Read the provider's reason. Two people may have it funded again before its cut-off; otherwise it lapses.",
  },
  creation_uncertain: {
    states: ['unknown'],
    cause:
      'The provider may have created the conversion: it shows several, or could not be asked for 24 hours, or the order would ' +
      'have ended after a creation that was not answered and not seen. payrun has not funded it.',
    fix: 'Ask the provider about its reference, then have two people resolve the order as the provider shows it.',
  },
  restored: {
    states: ['unknown'],
    cause:
      'A backup was restored. Since the backup was made, the order may have been carried out. Its reference is looked up, and what ' +
      'is found is taken over.',
    fix: 'If the provider has no conversion of its reference, two people resolve it as never created, and place another one.',
  },
  funding_uncertain: {
    states: ['unknown'],
    cause:
      'The conversion may have been funded. For 24 hours the history of the balance was incomplete, or had an equal debit that ' +
      'could be of others, or no request to fund it got through.',
    fix:
      'Compare the history of the balance with your payments and conversions, and ask the provider. Two people then resolve the ' +
      'order. Do not fund the conversion by other means before.',
  },
  second_funding_undecided: {
    states: ['unknown'],
    cause:
      'The complete history of the balance shows no debit for the conversion, and a second request to fund it is left to people ' +
      'by the settings, or came too late.',
    fix: 'Ask the provider. Two people then have it funded once more, or resolve the order.',
  },
  completion_not_seen: {
    states: ['unknown'],
    cause:
      'payrun assumed that the conversion was funded, and the provider did not show it as completed in time. The debit may have been of ' +
      'something else, as a payment in the dashboard with the same total.',
    fix:
      'Ask the provider whether it was funded. The order goes on by itself when it is completed; otherwise two people resolve ' +
      'it: as funded, to wait on, or as lapsed.',
  },
  credit_not_seen: {
    states: ['unknown'],
    cause: 'The conversion was funded, and the bought money was not seen in the balance in time.',
    fix:
      'Ask the provider. The order goes on by itself when exactly this amount is seen. If another one came, two people resolve ' +
      'the order as `settled`.',
  },
  cutoff_passed: {
    states: ['lapsed'],
    cause: 'The conversion was not funded before the funding cut-off of the provider.',
    fix: 'Ask the provider about closing costs. Place the order again if it is still wanted; payrun looks for a week whether the provider carries it out late.',
  },
  approval_rejected: {
    states: ['rejected'],
    cause: 'A person who decides on orders rejected this one, or its proposer withdrew it.',
    fix: 'Read the reason that they gave.',
  },
  resolved_never_created: {
    states: ['rejected'],
    cause: 'Two people resolved the unknown order: the provider never had the conversion.',
    fix: 'Place the order again if it is still wanted.',
  },
  not_approved_in_time: {
    states: ['expired'],
    cause: 'The order was not approved before its expiry time.',
    fix: 'Place it again if it is still wanted.',
  },
  order_expired: {
    states: ['expired'],
    cause: 'The order was approved, and its expiry time came before a conversion was created.',
    fix: 'Place it again if it is still wanted.',
  },
  started_too_late: {
    states: ['missed'],
    cause: 'The workers were not running at the time of the occurrence, nor in the ten minutes after it.',
    fix: 'Start the occurrence by hand if it is still wanted.',
  },
  approval_needed: {
    states: ['in_approval'],
    cause: 'The total is above what may be converted without an approval, or above what was approved.',
    fix: 'Another person approves or rejects the order.',
  },
} as const satisfies Readonly<Record<string, ConversionReasonExplanation>>;

export type ConversionReason = keyof typeof CONVERSION_REASONS;
