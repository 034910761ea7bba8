import type { Guard } from './guard.ts';

const CONVERSION_REQUESTS = 'test/store/conversion-requests.services.ts';
const CONVERSION_FUNDING = 'test/store/conversion-funding.services.ts';
const CONVERSION_STATES = 'test/store/conversion-states.services.ts';
const CONVERSIONS = 'test/workflows/conversions.services.ts';
const ROTATED_SECRET = 'test/activities/rotated-secret.services.ts';
const HELD_IN_FLIGHT = 'test/activities/held-in-flight.services.ts';

/** Checks around the requests of a conversion: it is created and funded once, and only as people have allowed. */
export const CONVERSION_GUARDS: readonly Guard[] = [
  {
    id: 'conversion-allowed',
    against: 'a conversion is created that nobody has approved',
    without: '',
    test: { file: CONVERSION_REQUESTS, name: 'only with an approval of exactly these terms' },
    behind: 'the guards that run before it',
  },
  {
    id: 'conversion-approved-by-another',
    against: 'a person approves an order of their own',
    without: 'and decided.order_hash = p_order.order_hash)))',
    test: { file: CONVERSION_REQUESTS, name: 'only by the approval of another person than who placed it' },
    behind: 'decide_conversion',
  },
  {
    id: 'conversion-approved-total',
    against: 'a conversion takes more than its approval covers',
    without: 'or (exists (',
    test: { file: CONVERSION_REQUESTS, name: 'only up to the total that the approval covers' },
    behind: 'the guards that run before it',
  },
  {
    id: 'conversion-within-daily-cap',
    against: 'two orders at the same moment use the daily cap twice',
    without: '',
    test: { file: CONVERSION_REQUESTS, name: 'only within the daily cap' },
    behind: 'the guards that run before it',
  },
  {
    id: 'conversion-money-committed',
    against: 'a conversion is created with money that is meant for something else',
    without: 'if false then',
    test: { file: CONVERSION_REQUESTS, name: 'only with money that is free' },
    behind: 'the guards that run before it',
  },
  {
    id: 'conversion-requested-once',
    against: 'a request to create or fund is recorded while an earlier one may have taken effect',
    without: 'create index one_conversion_request on conversion_requests (order_id, attempt, operation)',
    test: { file: CONVERSION_FUNDING, name: 'never again once a request has taken effect' },
    behind: 'begin_conversion_funding',
  },
  {
    id: 'conversion-asked-twice-at-most',
    against: 'a conversion is funded a third time without people',
    without:
      ">= 2000 + (select count(*) from conversion_manual_outcomes where order_id = p_order and outcome = 'fund_again' and state = 'confirmed') then",
    test: { file: CONVERSION_FUNDING, name: 'at most twice if the requests had no effect' },
    behind: 'conversion-funded-twice-at-most',
  },
  {
    id: 'orders-of-one-pair',
    against: 'two orders of one pair are open',
    without: 'create index one_open_order_of_a_pair on conversion_orders',
    test: { file: CONVERSION_STATES, name: 'placed in the same moment, in either direction, are one order' },
    behind: 'conversion-one-open-order',
  },
  {
    id: 'order-keeps-terms',
    against: 'an order is changed after it was approved',
    without: 'null;',
    test: { file: CONVERSION_STATES, name: 'is not changed by anybody' },
    behind: 'order-hashed',
  },
  {
    id: 'order-moved-by-people',
    against: 'a worker decides for people',
    without: 'null;',
    test: { file: CONVERSION_STATES, name: 'is moved from in_approval as the table says' },
  },
  {
    id: 'order-hashed',
    against: 'an order is carried out with other terms than were approved',
    without: 'return true;',
    test: { file: CONVERSIONS, name: 'whose terms somebody changed in the database is held' },
    behind: 'order-keeps-terms',
  },
  {
    id: 'conversion-mac',
    against: 'a conversion is funded that somebody wrote into the database',
    without: 'if (conversionId === null) {',
    test: { file: CONVERSIONS, name: 'that somebody wrote into the database is not funded' },
  },
  {
    id: 'conversion-verified-as-approved',
    against: 'a conversion without a valid MAC is funded although the provider shows another one than was created',
    without: '',
    test: { file: ROTATED_SECRET, name: 'is held, and not funded, if the provider shows it with another total' },
  },
  {
    id: 'conversion-verified-as-ordered',
    against: 'a conversion without a valid MAC is funded with another amount than was ordered',
    without: 'return true;',
    test: {
      file: ROTATED_SECRET,
      name: 'is held if somebody has written the amounts of another one into the database',
    },
  },
  {
    id: 'found-late-is-held',
    against: 'a conversion that a person has withdrawn is funded as soon as the provider shows it',
    without: "} else if (record.state === 'settled') {",
    test: {
      file: 'test/activities/overdue-conversions.services.ts',
      name: 'is held, and not funded, when the provider shows its conversion after it was withdrawn',
    },
  },
  {
    id: 'conversion-created-as-quoted',
    against: 'a conversion is funded with other amounts than its quote',
    without: 'if (false) {',
    test: {
      file: 'test/workflows/conversion-differs.services.ts',
      name: 'is held, its money stays committed, and nothing is funded',
    },
  },
  {
    id: 'conversion-created-with-known-status',
    against: 'a conversion is funded although its creation was answered with a status that nobody knows',
    without: 'if (false) {',
    test: {
      file: 'test/workflows/conversion-differs.services.ts',
      name: 'whose creation is answered with a status that nobody knows is looked up before it is funded',
    },
  },
  {
    id: 'conversion-found-with-known-status',
    against: 'a conversion is funded although it was found with a status that nobody knows',
    without: '',
    test: {
      file: 'test/activities/overdue-conversions.services.ts',
      name: 'that is found with a status that nobody knows',
    },
  },
  {
    id: 'conversion-looked-up',
    against: 'a conversion is created twice because the first answer was lost',
    without: 'if (earlier.foundAbsent > 1_000) {',
    test: { file: CONVERSIONS, name: 'conversion-create, the order is settled, created once and funded once' },
    behind: 'uniqueReferenceId, with a provider that keeps to it',
  },
  {
    id: 'conversion-funded-by-history',
    against: 'a conversion is funded twice because the first answer was lost',
    without: "await recordOrderAnswer(database, { requestId, outcome: 'not_sent', answer: kind, httpStatus });",
    test: {
      file: 'test/activities/conversion-funding-waits.services.ts',
      name: 'keeps its request open, and sends no other',
    },
  },
  {
    id: 'conversion-reads-the-one-asked-for',
    against: 'an order is called funded or completed because of another conversion’s status',
    without: "return conversionAnswer.refine(() => true, { path: ['conversionId'] });",
    test: {
      file: 'test/provider/conversions.test.ts',
      name: 'an answer about another conversion than the one asked for is unreadable',
    },
  },
  {
    id: 'conversion-in-flight-comes-first',
    against: 'an order is held while its request is in flight, and stays so when it takes effect',
    without:
      "and outcome_may_be_effect(outcome)) and conversion_is_authorized(v, v.total_amount) then\nreturn jsonb_build_object('refused', 'state');\nend if;\nif is_stopped(v.account, null) then return jsonb_build_object('refused', 'stopped'); end if;",
    test: { file: HELD_IN_FLIGHT, name: 'a worker is told of the request in flight first' },
    behind: 'conversion-not-held-in-flight',
  },
  {
    id: 'conversion-not-held-in-flight',
    against: 'an order is held while its request is in flight, by a worker that finds its terms changed',
    without: '',
    test: { file: HELD_IN_FLIGHT, name: 'is not held by a second worker while the request of the first is in flight' },
  },
  {
    id: 'conversion-held-goes-on',
    against:
      'an order that was held while its request was in flight stays held although the provider says that it is funded',
    without: "await moveOrder(transaction, orderId, to, { from: ['funding'], isFunded: true });",
    test: { file: HELD_IN_FLIGHT, name: 'one that was held while its request was in flight is funded' },
  },
  {
    id: 'conversion-held-with-effect-is-read',
    against: 'an order that is held although a request has taken effect is never looked at again',
    without: "return isPastCutoff ? 'read' : 'wait';",
    test: { file: HELD_IN_FLIGHT, name: 'one that is held although a request has taken effect is read' },
  },
  {
    id: 'conversion-withdrawn-by-placer',
    against: 'an order is withdrawn by somebody who did not place it',
    without: 'if false then',
    test: { file: CONVERSION_STATES, name: 'is made by another person than who placed the order' },
  },
  {
    id: 'conversion-not-decided-by-placer',
    against: 'who placed an order approves it',
    without: 'if false then',
    test: { file: CONVERSION_STATES, name: 'is made by another person than who placed the order' },
  },
  {
    id: 'conversion-decided-as-shown',
    against: 'other terms of an order are approved than those that were shown',
    without: 'if false then',
    test: { file: CONVERSION_STATES, name: 'is made by another person than who placed the order' },
  },
  {
    id: 'second-factor-for-conversion',
    against: 'an order is approved without the second factor that the policy asks for',
    without: '',
    test: { file: 'test/store/second-factors.services.ts', name: 'the approval of a conversion' },
  },
];
