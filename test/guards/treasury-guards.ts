import type { Guard } from './guard.ts';

const TREASURY_FUNDING_EVIDENCE = 'test/domain/treasury-funding-evidence.test.ts';
const GUARDS_OF_ORDERS = 'test/domain/treasury-guards.test.ts';
const TREASURY_AMOUNTS = 'test/domain/treasury-amounts.test.ts';
const TREASURY_SCHEDULE_DATES = 'test/domain/treasury-schedule-dates.test.ts';

/** Checks that a conversion is funded once, at the price and within the limits that people set. */
export const TREASURY_GUARDS: readonly Guard[] = [
  {
    id: 'conversion-chain-complete',
    against: 'a conversion is funded again because the part of the history with its debit was not read',
    without: '',
    test: { file: TREASURY_FUNDING_EVIDENCE, name: 'when the evidence is incomplete' },
  },
  {
    id: 'conversion-debits-counted',
    against: 'a conversion is funded again because its debit was taken for that of an equal payment',
    without: "if ( expected > 0 || mayBeInParts(debits, { total, sellAmount })) return 'contested';",
    test: { file: TREASURY_FUNDING_EVIDENCE, name: 'when the evidence is contested' },
  },
  {
    id: 'conversion-debit-in-another-form',
    against: 'a conversion is funded again although debits of its total take another form than one entry',
    without: "if (equal !== earlier ||  mayBeInParts(debits, { total, sellAmount })) return 'contested';",
    test: { file: TREASURY_FUNDING_EVIDENCE, name: 'when the evidence is contested' },
  },
  {
    id: 'conversion-debit-in-parts',
    against: 'a conversion is funded again because its fees were debited beside its amount',
    without: "if (equal !== earlier || expected > 0 ) return 'contested';",
    test: { file: TREASURY_FUNDING_EVIDENCE, name: 'when the evidence is contested' },
  },
  {
    id: 'conversion-read-late-enough',
    against: 'a conversion is funded again because its debit could not be seen yet',
    without: '',
    test: { file: TREASURY_FUNDING_EVIDENCE, name: 'not by a read from before the visibility delay' },
    behind: 'conversion-absent-for-ten-minutes',
  },
  {
    id: 'conversion-absent-twice',
    against: 'a conversion is funded again after a single look',
    without: 'if (earlierAbsenceMs === null) return readBeganMs >= lastRequestEndedMs + mayTakeEffectMs;',
    test: { file: TREASURY_FUNDING_EVIDENCE, name: 'not after the first read without it' },
  },
  {
    id: 'conversion-absent-for-ten-minutes',
    against: 'a conversion is funded again while the first request may still take effect',
    without: 'return true;',
    test: { file: TREASURY_FUNDING_EVIDENCE, name: 'not before ten minutes have passed' },
  },
  {
    id: 'conversion-age-of-last-request',
    against: 'people decide on a conversion while the request that they asked for may still take effect',
    without: 'const isTooOld = times.readBeganMs - times.lastRequestEndedMs >= 0;',
    test: { file: TREASURY_FUNDING_EVIDENCE, name: 'a day is counted from the last request' },
  },
  {
    id: 'conversion-still-awaits-funds',
    against: 'a conversion is funded again although the provider shows that something happened to it',
    without: '',
    test: { file: TREASURY_FUNDING_EVIDENCE, name: 'not while the item shows anything but awaiting_funds' },
  },
  {
    id: 'conversion-funded-twice-at-most',
    against: 'requests to fund a conversion go on',
    without: '',
    test: { file: TREASURY_FUNDING_EVIDENCE, name: 'never a third time' },
  },
  {
    id: 'conversion-limit-price',
    against: 'money is converted at a worse price than its limit',
    without: "return passes('limit_price', says);",
    test: { file: GUARDS_OF_ORDERS, name: 'the limit price is exact to the last digit' },
  },
  {
    id: 'conversion-reference-needed',
    against: 'a maximum cost is not applied because there is nothing to compare the price with',
    without: "if (reference.price === null) return notSet('max_cost', reference.says);",
    test: { file: GUARDS_OF_ORDERS, name: 'hold what people have to look at' },
  },
  {
    id: 'conversion-direction-checked',
    against: 'any price looks good, as the direction of the pair was configured the wrong way round',
    without: 'if (other === configured) {',
    test: { file: 'test/domain/treasury-price.test.ts', name: 'is unclear where the quote fits the other direction' },
  },
  {
    id: 'conversion-daily-cap',
    against: 'orders of one day together convert more than the cap',
    without: 'const withThis = new Big(quote.totalAmount).plus(committedToday).minus(committedToday);',
    test: { file: GUARDS_OF_ORDERS, name: 'the daily cap is exact to the last digit' },
  },
  {
    id: 'conversion-approval-covers-total',
    against: 'an approval of a small order lets a large one pass',
    without:
      "if (approvedUpTo !== null) return passes('approval', `${total}, and up to ${approvedUpTo ?? ''} are approved`);",
    test: { file: GUARDS_OF_ORDERS, name: 'the approval is exact to the last digit' },
  },
  {
    id: 'conversion-one-open-order',
    against: 'two schedules convert to and fro',
    without:
      'const other = openOrders.find(({ orderId, ...of }) => orderId === order.orderId && unorderedPair(of) !== pair);',
    test: { file: GUARDS_OF_ORDERS, name: 'an open order of the pair refuses in either direction' },
  },
  {
    id: 'conversion-fees-understood',
    against: 'a total that nobody understands is paid',
    without: "return 'added';",
    test: { file: TREASURY_AMOUNTS, name: 'of 10,000.00 with the total 10024.99' },
  },
  {
    id: 'conversion-as-quoted',
    against: 'a conversion is funded with other amounts than were quoted and approved',
    without: 'return false;',
    test: { file: TREASURY_AMOUNTS, name: 'differs by {"totalAmount":"10025.01"}' },
  },
  {
    id: 'conversion-created-once',
    against: 'an order of which the provider has a conversion is released, and creates another one',
    without: 'return CONVERSION_STATE_TABLE[from].next.includes(to) && excluded !== undefined;',
    test: {
      file: 'test/domain/treasury-states.test.ts',
      name: 'never lead from an order that the provider has to where another creation could begin',
    },
  },
  {
    id: 'sweep-leaves-floor',
    against: 'a sweep takes its fees from the floor',
    without: "if (new Big(asked).lte(surplus)) return { kind: 'fits' };",
    test: { file: TREASURY_AMOUNTS, name: 'never ends with less than the floor' },
  },
  {
    id: 'run-funding-leaves-floor',
    against: 'the orders that fund a run sell what their source needs itself',
    without: '',
    test: { file: 'test/domain/treasury-run-funding.test.ts', name: 'never sells what a source needs' },
  },
  {
    id: 'occurrence-once-a-day',
    against: 'an hour that clocks repeat converts twice',
    without: "return idOf(['occurrence', scheduleId, localDate, slot, Math.random()]);",
    test: { file: TREASURY_SCHEDULE_DATES, name: 'that fires twice, as its hour is repeated, is one' },
  },
  {
    id: 'occurrence-in-time',
    against: 'after an outage of the workers, orders of hours ago are placed at the prices of now',
    without: 'return nowMs < 0 && scheduledStartMs < 0;',
    test: { file: TREASURY_SCHEDULE_DATES, name: 'is missed when it starts more than ten minutes after its time' },
  },
];
