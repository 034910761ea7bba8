import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks around the requests of a conversion: it is created and funded once, and only as people have allowed. */

const CONVERSIONS = `${MIGRATIONS}/0040_conversions.sql`;
/** The latest text of `begin_conversion_creation`. */
const CREATION = `${MIGRATIONS}/0063_money-counted-once.sql`;
/** The latest texts of `conclude_conversion_resolution` and `refuse_illegal_conversion`. */
const EVIDENCE = `${MIGRATIONS}/0050_conversion-evidence.sql`;
/** The latest text of `begin_conversion_funding`. */
const IN_FLIGHT = `${MIGRATIONS}/0065_request-in-flight-first.sql`;
/** The latest text of `conversion_is_authorized`. */
const SCHEDULES = `${MIGRATIONS}/0042_schedules.sql`;
const requests = (name: string) => ({ file: 'test/store/conversion-requests.services.ts', name });
const funding = (name: string) => ({ file: 'test/store/conversion-funding.services.ts', name });
const states = (name: string) => ({ file: 'test/store/conversion-states.services.ts', name });
const rotated = (name: string) => ({ file: 'test/activities/rotated-secret.services.ts', name });
const inFlight = (name: string) => ({ file: 'test/activities/held-in-flight.services.ts', name });
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
    file: IN_FLIGHT,
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
    text: ' || !isApprovedOne',
    without: '',
    test: workflow('that somebody wrote into the record is not funded'),
  },
  {
    id: 'conversion-sealed-as-approved',
    against: 'a conversion without a valid seal is funded although the provider shows another one than was created',
    file: 'activities/treasury/seal-conversion.ts',
    text: 'if (differing.length > 0) return false;',
    without: '',
    test: rotated('is held, and not funded, if the provider shows it with another total'),
  },
  {
    id: 'conversion-sealed-as-ordered',
    against: 'a conversion without a valid seal is funded with another amount than was ordered',
    file: 'activities/treasury/seal-conversion.ts',
    text: 'return new Big(fixed).eq(terms.amount) || isAcceptedByTwo(database, terms.orderId);',
    without: 'return true;',
    test: rotated('is held if somebody has written the amounts of another one into the record'),
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
    test: {
      file: 'test/activities/conversion-funding-waits.services.ts',
      name: 'keeps its request open, and sends no other',
    },
  },
  {
    id: 'conversion-reads-the-one-asked-for',
    against: 'an order is called funded or completed because of another conversion’s status',
    file: 'provider/treasury/conversions.ts',
    text: 'conversionAnswer.refine((shown) => shown.conversionId === asked, ',
    without: 'conversionAnswer.refine(() => true, ',
    test: {
      file: 'test/provider/conversions.test.ts',
      name: 'an answer about another conversion than the one asked for is unreadable',
    },
  },
  {
    id: 'conversion-in-flight-comes-first',
    against: 'an order is held while its request is in flight, and stays so when it takes effect',
    file: IN_FLIGHT,
    text: "      and coalesce(outcome, 'took_effect') = 'took_effect') then\n    return jsonb_build_object('refused', 'state');\n  end if;\n  if is_stopped",
    without:
      "      and coalesce(outcome, 'took_effect') = 'took_effect') and conversion_is_authorized(v, v.total_amount) then\n    return jsonb_build_object('refused', 'state');\n  end if;\n  if is_stopped",
    test: inFlight('a worker is told of the request in flight first'),
    behind: 'conversion-not-held-in-flight',
  },
  {
    id: 'conversion-not-held-in-flight',
    against: 'an order is held while its request is in flight, by a worker that finds its terms changed',
    file: 'activities/treasury/order-calls.ts',
    text: "    if (funding === 'open' || funding === 'took_effect') return;\n",
    without: '',
    test: inFlight('is not held by a second worker while the request of the first is in flight'),
  },
  {
    id: 'conversion-held-goes-on',
    against:
      'an order that was held while its request was in flight stays held although the provider says that it is funded',
    file: 'activities/treasury/fund-conversion.ts',
    text: "{ from: ['funding', 'held', 'unknown'], isFunded: true }",
    without: "{ from: ['funding'], isFunded: true }",
    test: inFlight('one that was held while its request was in flight is funded'),
  },
  {
    id: 'conversion-held-with-effect-is-read',
    against: 'an order that is held although a request has taken effect is never looked at again',
    file: 'activities/treasury/read-order-stage.ts',
    text: "isPastCutoff || funding === 'took_effect' ?",
    without: 'isPastCutoff ?',
    test: inFlight('one that is held although a request has taken effect is read'),
  },
];
