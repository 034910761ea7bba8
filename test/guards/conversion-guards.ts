import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks around the requests of a conversion: it is created and funded once, and only as people have allowed. */

const CONVERSIONS = `${MIGRATIONS}/0040_conversions.sql`;
/** The latest text of `begin_conversion_creation`. */
const CREATION = `${MIGRATIONS}/0053_schedules-and-deliveries.sql`;
/** The latest texts of `begin_conversion_funding`, `conclude_conversion_resolution` and `refuse_illegal_conversion`. */
const EVIDENCE = `${MIGRATIONS}/0050_conversion-evidence.sql`;
/** The latest text of `conversion_is_authorized`. */
const SCHEDULES = `${MIGRATIONS}/0042_schedules.sql`;
const requests = (name: string) => ({ file: 'test/store/conversion-requests.services.ts', name });
const funding = (name: string) => ({ file: 'test/store/conversion-funding.services.ts', name });
const states = (name: string) => ({ file: 'test/store/conversion-states.services.ts', name });
const evidence = (name: string) => ({ file: 'test/store/conversion-evidence.services.ts', name });
const late = (name: string) => ({ file: 'test/activities/late-debits.services.ts', name });
const lateDebits = (name: string) => ({ file: 'test/store/conversion-late-debits.services.ts', name });
const resolutions = (name: string) => ({ file: 'test/store/conversion-resolutions.services.ts', name });
const overdue = (name: string) => ({ file: 'test/activities/overdue-conversions.services.ts', name });
const workflow = (name: string) => ({ file: 'test/workflows/conversions.services.ts', name });

export const CONVERSION_GUARDS: readonly Guard[] = [
  {
    id: 'conversion-allowed',
    against: 'a conversion is created that nobody has approved',
    file: CREATION,
    text: "  if not conversion_is_authorized(v, v_total) then return jsonb_build_object('refused', 'approval_needed'); end if;",
    without: '',
    test: requests('only with an approval of exactly these terms'),
    behind: 'the guards that run before it',
  },
  {
    id: 'conversion-approved-by-another',
    against: 'a person approves an order of their own',
    file: SCHEDULES,
    text: ' and decided.decided_by <> p_order.placed_by))',
    without: '))',
    test: requests('only by the approval of another person than who placed it'),
    behind: 'decide_conversion',
  },
  {
    id: 'conversion-approved-total',
    against: 'a conversion takes more than its approval covers',
    file: SCHEDULES,
    text: '(p_total <= p_order.approval_covers and exists (',
    without: '(exists (',
    test: requests('only up to the total that the approval covers'),
    behind: 'the guards that run before it',
  },
  {
    id: 'conversion-within-daily-cap',
    against: 'two orders at the same moment use the daily cap twice',
    file: CREATION,
    text: "  if v_committed + v_total > (v_limits ->> 'dailyCap')::numeric then return jsonb_build_object('refused', 'daily_cap_reached'); end if;",
    without: '',
    test: requests('only within the daily cap'),
    behind: 'the guards that run before it',
  },
  {
    id: 'conversion-money-committed',
    against: 'a conversion is created with money that is meant for something else',
    file: CREATION,
    text: "  if not commit_conversion(v.account, v.sell_currency, p_order::text, v_total, (v.quote ->> 'sellAmount')::numeric) then",
    without: '  if false then',
    test: requests('only with money that is free'),
    behind: 'the guards that run before it',
  },
  {
    id: 'conversion-requested-once',
    against: 'a request to create or fund is recorded while an earlier one may have taken effect',
    file: CONVERSIONS,
    text: 'create unique index one_conversion_request on',
    without: 'create index one_conversion_request on',
    test: funding('never again once a request has taken effect'),
    behind: 'begin_conversion_funding',
  },
  {
    id: 'conversion-asked-twice-at-most',
    against: 'a conversion is funded a third time without people',
    file: EVIDENCE,
    text: '      >= 2 + (select count(*)',
    without: '      >= 2000 + (select count(*)',
    test: funding('at most twice if the requests had no effect'),
    behind: 'conversion-funded-twice-at-most',
  },
  {
    id: 'orders-of-one-pair',
    against: 'two orders of one pair are open',
    file: CONVERSIONS,
    text: 'create unique index one_open_order_of_a_pair on',
    without: 'create index one_open_order_of_a_pair on',
    test: states('placed in the same moment, in either direction, are one order'),
    behind: 'conversion-one-open-order',
  },
  {
    id: 'order-keeps-terms',
    against: 'an order is changed after it was approved',
    file: EVIDENCE,
    text: "    raise exception 'an order keeps its terms' using errcode = 'check_violation';",
    without: '    null;',
    test: states('is not changed by anybody'),
    behind: 'order-hashed',
  },
  {
    id: 'order-moved-by-people',
    against: 'a worker decides for people',
    file: EVIDENCE,
    text: "    raise exception 'a process does not move an order from % to %', old.state, new.state using errcode = 'insufficient_privilege';",
    without: '    null;',
    test: states('is moved from in_approval as the table says'),
  },
  {
    id: 'order-hashed',
    against: 'an order is carried out with other terms than were approved',
    file: 'activities/treasury/order-calls.ts',
    text: 'if (conversionOrderHash(terms) === orderHash) return true;',
    without: 'return true;',
    test: workflow('whose terms somebody changed on record is held'),
    behind: 'order-keeps-terms',
  },
  {
    id: 'conversion-sealed',
    against: 'a conversion is funded that somebody wrote into the record',
    file: 'activities/treasury/fund-conversion.ts',
    text: ' || !isSealedConversion(seal(account), record)',
    without: '',
    test: workflow('that somebody wrote into the record is not funded'),
  },
  {
    id: 'conversion-created-as-quoted',
    against: 'a conversion is funded with other amounts than its quote',
    file: 'activities/treasury/create-conversion.ts',
    text: 'if (differing.length > 0) {',
    without: 'if (false) {',
    test: {
      file: 'test/workflows/conversion-differs.services.ts',
      name: 'is held, its money stays committed, and nothing is funded',
    },
  },
  {
    id: 'conversion-looked-up',
    against: 'a conversion is created twice because the first answer was lost',
    file: 'activities/treasury/create-conversion.ts',
    text: "if (kind !== 'refused' || earlier.lookedUp > 0) {",
    without: 'if (earlier.lookedUp > 1_000) {',
    test: workflow('conversion-create, the order is settled, created once and funded once'),
    behind: 'uniqueReferenceId, with a provider that keeps to it',
  },
  {
    id: 'conversion-funded-by-history',
    against: 'a conversion is funded twice because the first answer was lost',
    file: 'activities/treasury/fund-conversion.ts',
    text: 'await recordOrderAnswer(database, { requestId, outcome: null, answer: kind, httpStatus });',
    without: "await recordOrderAnswer(database, { requestId, outcome: 'had_no_effect', answer: kind, httpStatus });",
    test: { file: 'test/workflows/conversion-lost-funding.services.ts', name: 'a lost answer is funded once' },
  },
  {
    id: 'conversion-others-done',
    against: 'a conversion is funded twice because its debit was taken for that of a payment that came to nothing',
    file: 'store/treasury/funding-facts.ts',
    text: "outcome = 'took_effect' and is_done",
    without: "outcome = 'took_effect'",
    test: evidence('is not taken for that of a payment that was funded, and has failed'),
  },
  {
    id: 'conversion-others-debited-by-now',
    against: 'a conversion is funded twice because its debit was taken for that of a payment whose own comes late',
    file: 'store/treasury/funding-facts.ts',
    text: 'coalesce(answered_at + make_interval(secs => $3::float8 / 1000) <= history.read_at, false)',
    without: '$3::float8 >= 0',
    test: evidence('is that of a payment that the provider has paid, ten minutes after it was funded'),
  },
  {
    id: 'conversion-others-in-one-entry',
    against: 'a conversion is funded twice because its debit was taken for that of a payment that was debited in parts',
    file: 'store/treasury/funding-facts.ts',
    text: '(principal = mine.total_amount or not exists (',
    without: '(true or not exists (',
    test: evidence('is not that of a paid payment that was debited in parts'),
  },
  {
    id: 'conversion-others-not-before',
    against: 'a conversion is funded twice because its debit was taken for that of a payment that was debited before',
    file: 'store/treasury/funding-facts.ts',
    text: 'first_seen_at > begun_at))`;',
    without: 'first_seen_at > begun_at and false))`;',
    test: evidence('is not that of a paid payment if one from before the request may be'),
  },
  {
    id: 'conversion-debit-not-posted',
    against: 'a conversion is funded again although the ledger has posted its debit',
    file: EVIDENCE,
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
    text: "assessed?.found === 'seen' &&",
    without: "assessed?.found === 'absent' &&",
    test: late('is not resolved as lapsed when the history shows its debit'),
  },
  {
    id: 'conversion-lapsed-by-history',
    against: 'an order is called lapsed at its cut-off although its money has left',
    file: 'activities/treasury/read-conversion.ts',
    text: "(await readFundingRequests(database, orderId)) === 'none'",
    without: "(await readFundingRequests(database, orderId)) !== 'open'",
    test: late('a refused order lapses after its cut-off only once a complete history has shown no debit twice'),
  },
  {
    id: 'conversion-evidence-fresh',
    against: 'a conversion is funded again by what the history showed before a stop of hours',
    file: EVIDENCE,
    text: "    return jsonb_build_object('refused', 'evidence_old');",
    without: '    null;',
    test: funding('again only soon after a history has proved that the first request had no effect'),
  },
  {
    id: 'conversion-difference-committed',
    against:
      'a run and a conversion spend the same money, since that of the conversion was free while another total was accepted',
    file: EVIDENCE,
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
    file: EVIDENCE,
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
    file: 'activities/treasury/look-up-conversion.ts',
    text: 'if (open.ageMs < MAX_UNCERTAIN_MS) throw error;',
    without: 'if (open.ageMs < Infinity) throw error;',
    test: overdue('that cannot be looked up for'),
  },
];
