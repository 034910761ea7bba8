import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks of what the history shows of a conversion, and of what people may say against it. */

const EVIDENCE = `${MIGRATIONS}/0050_conversion-evidence.sql`;
const IN_FLIGHT = `${MIGRATIONS}/0065_request-in-flight-first.sql`;
const EQUAL_DEBITS = `${MIGRATIONS}/0062_equal-debits.sql`;
/** The latest text of `take_over_commitment`. */
const EQUAL_PAYMENTS = `${MIGRATIONS}/0066_equal-debits-of-payments.sql`;
const funding = (name: string) => ({ file: 'test/store/conversion-funding.services.ts', name });
const equalDebits = (name: string) => ({ file: 'test/activities/conversion-equal-debits.services.ts', name });
const takenOver = (name: string) => ({ file: 'test/store/conversion-taken-over.services.ts', name });
const waits = (name: string) => ({ file: 'test/activities/conversion-funding-waits.services.ts', name });
const late = (name: string) => ({ file: 'test/activities/late-debits.services.ts', name });
const afterReading = (name: string) => ({ file: 'test/activities/resolutions-after-reading.services.ts', name });
const rotated = (name: string) => ({ file: 'test/activities/rotated-secret.services.ts', name });
const lateDebits = (name: string) => ({ file: 'test/store/conversion-late-debits.services.ts', name });
const resolutions = (name: string) => ({ file: 'test/store/conversion-resolutions.services.ts', name });
const overdue = (name: string) => ({ file: 'test/activities/overdue-conversions.services.ts', name });

export const CONVERSION_EVIDENCE_GUARDS: readonly Guard[] = [
  {
    id: 'conversion-debit-explained-by-none',
    against:
      'a conversion is funded twice because its debit was taken for that of a payment, which was debited in another form, or not at all',
    file: 'store/treasury/funding-facts.ts',
    text: 'where not is_new and amount_before - amount_after = mine.total_amount',
    without: 'where amount_before - amount_after = mine.total_amount',
    test: equalDebits('a conversion whose debit is in the history is not funded again'),
  },
  {
    id: 'conversion-debit-explained-by-its-total',
    against: 'a conversion is funded twice because an earlier debit of another amount was counted as one of its total',
    file: 'store/treasury/funding-facts.ts',
    text: 'amount_before - amount_after = mine.total_amount)',
    without: 'amount_before - amount_after = recent.total_amount)',
    test: equalDebits('a debit of another amount that was on record before explains no debit of the total'),
  },
  {
    id: 'conversion-copy-proves-nothing',
    against: 'a conversion is funded twice because its debit was taken for a copy of an equal one of the same day',
    file: 'store/treasury/funding-facts.ts',
    text: ' and not exists (select from copies)',
    without: '',
    test: equalDebits('a conversion is not funded again while a debit that was taken for a copy may be its own'),
  },
  {
    id: 'conversion-no-debit-since-proof',
    against: 'a conversion is funded again although a debit of its total came after the history was read that had none',
    file: IN_FLIGHT,
    text: ' or conversion_debit_came_since(v, v.unfunded_at)',
    without: '',
    test: takenOver('what was proved does not count once a debit of its total has come since'),
  },
  {
    id: 'conversion-posted-beyond-others',
    against: 'two people cannot have a conversion funded, as the debit of an equal payment counts as its own',
    file: EQUAL_DEBITS,
    text: 'else posted > equal_debits_of_others(p_order) end',
    without: 'else true end',
    test: takenOver('two people have it funded again: it is, with the money of the payment'),
  },
  {
    id: 'conversion-takes-over-what-was-debited',
    against:
      'a conversion takes the money of a payment whose own debit is still to come, and both are debited with one commitment',
    file: EQUAL_PAYMENTS,
    text: '    and funding_begun_at < (select max(made_at) from ledger_transfers where account = p_account',
    without: '    and funding_begun_at <> (select max(made_at) from ledger_transfers where account = p_account',
    test: takenOver('it takes nothing over from a payment that was funded after the debit'),
  },
  {
    id: 'conversion-posted-is-not-funded',
    against: 'an order whose debit is posted already asks to be funded for ever',
    file: 'activities/treasury/read-order-stage.ts',
    text: 'isPastCutoff || stage.isDebitPosted',
    without: 'isPastCutoff',
    test: waits('is read, and goes on when it is completed'),
  },
  {
    id: 'conversion-posted-has-not-lapsed',
    against: 'an order is called lapsed at its cut-off although the ledger has posted its debit',
    file: 'activities/treasury/read-conversion.ts',
    text: "if (funding === 'none' && !isDebitPosted)",
    without: "if (funding === 'none' && isDebitPosted !== null)",
    test: waits('is for people at its cut-off, and has not lapsed'),
  },
  {
    id: 'conversion-unfunded-has-an-age',
    against: 'a created order that cannot be funded waits silently for ever',
    file: 'activities/treasury/give-up-unfunded.ts',
    text: 'now() - wait.sinceMs >= MAX_UNCERTAIN_MS',
    without: 'now() - wait.sinceMs >= Infinity',
    test: waits('one of which nothing more can be read is for people after a day'),
  },
  {
    id: 'conversion-unsealed-has-an-age',
    against: 'a created order without a valid seal, whose conversion cannot be read, waits silently for ever',
    file: 'activities/treasury/fund-conversion.ts',
    text: '    if (await giveUpIfUnfunded(dependencies, record.terms.orderId)) return null;\n',
    without: '',
    test: rotated('is for people after a day if every read of it ends in'),
  },
  {
    id: 'conversion-funded-when-proven',
    against: 'a conversion whose request was lost is never funded, as its proof is too old after every pause',
    file: 'activities/treasury/judge-funding.ts',
    text: "isToBeFunded: stepOf(stage) === 'fund'",
    without: 'isToBeFunded: false',
    test: waits('one whose request was lost is funded once more'),
  },
  {
    id: 'conversion-debit-not-posted',
    against: 'a conversion is funded again although the ledger has posted its debit',
    file: IN_FLIGHT,
    text: "  if conversion_debit_is_posted(v) then return jsonb_build_object('refused', 'state'); end if;",
    without: '',
    test: lateDebits('is not funded again after people have said so either'),
  },
  {
    id: 'conversion-resolved-without-debit',
    against: 'two people have a conversion funded again whose debit the ledger has posted by then',
    file: EVIDENCE,
    text: "or v.outcome = 'fund_again' and conversion_debit_is_posted(v_order)",
    without: '',
    test: lateDebits('is not funded again, whoever says so'),
  },
  {
    id: 'conversion-resolved-by-history',
    against: 'two people have a conversion funded again, or called lapsed, whose debit the history shows',
    file: 'activities/treasury/resolve-conversion.ts',
    text: "assessed?.found === 'seen'",
    without: "assessed?.found === 'absent'",
    test: late('is not resolved as lapsed when the history shows its debit'),
  },
  {
    id: 'conversion-resolved-after-reading',
    against:
      'two people have a conversion funded again by what the history showed before, as it could not be read once more',
    file: 'activities/treasury/resolve-conversion.ts',
    text: '    if (isUnread && now() - confirmedAtMs < MAX_UNCERTAIN_MS) return;\n',
    without: '',
    test: afterReading('stays open while the history was not read since'),
  },
  {
    id: 'conversion-resolved-when-none-may-take-effect',
    against: 'two people have a conversion funded again while its last request may still take effect',
    file: 'activities/treasury/resolve-conversion.ts',
    text: 'Math.max(confirmedAtMs, lastRequestEndedMs + settings.treasury.mayTakeEffectMs)',
    without: 'confirmedAtMs',
    test: afterReading('stays open while the last request may still take effect'),
  },
  {
    id: 'conversion-lapsed-by-history',
    against: 'an order is called lapsed at its cut-off although its money has left',
    file: 'activities/treasury/read-conversion.ts',
    text: "if (funding === 'none' && !isDebitPosted)",
    without: "if (funding !== 'open' && !isDebitPosted)",
    test: late('a refused order lapses after its cut-off only once a complete history has shown no debit twice'),
  },
  {
    id: 'conversion-evidence-fresh',
    against: 'a conversion is funded again by what the history showed before a stop of hours',
    file: IN_FLIGHT,
    text: "    return jsonb_build_object('refused', 'evidence_old');",
    without: '    null;',
    test: funding('again only soon after a history has proved that the first request had no effect'),
  },
  {
    id: 'conversion-difference-committed',
    against:
      'a run and a conversion spend the same money, since that of the conversion was free while another total was accepted',
    file: EQUAL_DEBITS,
    text: '  v_less := ledger_amount(p_order.account, p_order.sell_currency, v_from) - p_total;',
    without:
      '  perform release_conversion(p_order.account, p_order.sell_currency, p_order.order_id::text);\n  v_less := -p_total;',
    test: resolutions('stays committed if it is smaller, and only the rest is for a run that is short'),
  },
  {
    id: 'conversion-accepted-total-committed',
    against: 'two people accept a total that is meant for something else',
    file: EVIDENCE,
    text: '    v_contradicts := not change_conversion_commitment(v_order, v_total,',
    without: '    v_contradicts := null = change_conversion_commitment(v_order, v_total,',
    test: resolutions('is not taken from a run if it is larger'),
  },
  {
    id: 'conversion-funded-from-commitment',
    against: 'a conversion is funded with money that is not committed to it',
    file: IN_FLIGHT,
    text: "    return jsonb_build_object('refused', 'not_enough_money');",
    without: '    null;',
    test: resolutions('is committed before the request if the ledger decides by then'),
  },
  {
    id: 'conversion-accepted-is-ours',
    against: 'two people accept, and pay for, a conversion of other currencies or of somebody else',
    file: EVIDENCE,
    text: "    or v.outcome = 'fund_again' and not conversion_shown_is_ours(v_order)\n",
    without: '',
    test: resolutions('is not funded, whoever accepts it'),
  },
  {
    id: 'conversion-funded-as-accepted',
    against: 'a conversion is funded with amounts that the provider shows only after two people have accepted others',
    file: `${MIGRATIONS}/0071_amounts-that-two-people-accept.sql`,
    text: 'v.amounts is distinct from conversion_amounts_shown(v_order)',
    without: 'false',
    test: resolutions('what the provider shows only after they have said so'),
  },
  {
    id: 'conversion-never-funded-after-effect',
    against: 'two people have a conversion funded again of which a request has taken effect',
    file: EVIDENCE,
    text: "  if p_outcome = 'fund_again' and conversion_funding_took_effect(p_order) then",
    without: '  if false then',
    test: overdue('ends as lapsed when two people say so, and is not funded again'),
    behind: 'conclude_conversion_resolution, conversion-requested-once',
  },
  {
    id: 'conversion-completion-has-an-age',
    against: 'a conversion waits silently for ever for a completion that does not come',
    file: 'activities/treasury/read-conversion.ts',
    text: 'if (isTooOld || isDoubtful) {',
    without: 'if (isTooOld && isDoubtful) {',
    test: overdue('is for people after a day'),
  },
  {
    id: 'conversion-look-up-has-an-age',
    against: 'a creation whose outcome is unknown waits silently for ever',
    file: 'activities/treasury/resolve-conversion-creation.ts',
    text: 'if (open.ageMs < MAX_UNCERTAIN_MS) throw error;',
    without: 'if (open.ageMs < Infinity) throw error;',
    test: overdue('that cannot be looked up for'),
  },
  {
    id: 'conversion-settled-after-funding',
    against: 'two people end an order as settled whose money may still leave',
    file: EVIDENCE,
    text: ' and v.conversion_id is not null and v.funded_at is not null',
    without: '',
    test: overdue('is not settled by people before it was funded'),
  },
  {
    id: 'conversion-found-is-adopted',
    against: 'an order is called never created, and placed again, of which the provider has a conversion',
    file: 'activities/treasury/resolve-conversion.ts',
    text: 'if (found === undefined || more.length > 0) return false;',
    without: 'if (found === undefined || more.length >= 0) return false;',
    test: overdue('of which one conversion is found later is'),
  },
];
