import type { Guard } from './guard.ts';

/** Checks that a conversion is funded once, at the price and within the limits that people set. */

const EVIDENCE = 'domain/treasury/funding-evidence.ts';
const RULES = 'domain/treasury/conversion-guards.ts';
const QUOTE = 'domain/treasury/conversion-quote.ts';
const STATES = 'domain/treasury/conversion-state.ts';
const PRICE = 'domain/treasury/conversion-price.ts';

const evidence = (name: string) => ({ file: 'test/domain/treasury-funding-evidence.test.ts', name });
const rules = (name: string) => ({ file: 'test/domain/treasury-guards.test.ts', name });
const amounts = (name: string) => ({ file: 'test/domain/treasury-amounts.test.ts', name });

const FUNDING: readonly Guard[] = [
  {
    id: 'conversion-chain-complete',
    against: 'a conversion is funded again because the part of the history with its debit was not read',
    file: EVIDENCE,
    text: "if (!isComplete || !isLinked(entries)) return 'incomplete';",
    without: '',
    test: evidence('when the evidence is incomplete'),
  },
  {
    id: 'conversion-debits-counted',
    against: 'a conversion is funded again because its debit was taken for that of an equal payment',
    file: EVIDENCE,
    text: 'equal !== earlier ||',
    without: '',
    test: evidence('when the evidence is contested'),
  },
  {
    id: 'conversion-debit-in-another-form',
    against: 'a conversion is funded again although debits of its total take another form than one entry',
    file: EVIDENCE,
    text: 'expected > 0 ||',
    without: '',
    test: evidence('when the evidence is contested'),
  },
  {
    id: 'conversion-debit-in-parts',
    against: 'a conversion is funded again because its fees were debited beside its amount',
    file: EVIDENCE,
    text: '|| mayBeInParts(debits, { total, sellAmount })',
    without: '',
    test: evidence('when the evidence is contested'),
  },
  {
    id: 'conversion-read-late-enough',
    against: 'a conversion is funded again because its debit could not be seen yet',
    file: EVIDENCE,
    text: "if (times.readBeganMs < times.lastRequestEndedMs + visibilityDelayMs) return wait('too_early');",
    without: '',
    test: evidence('not by a read from before the visibility delay'),
    behind: 'conversion-absent-for-ten-minutes',
  },
  {
    id: 'conversion-absent-twice',
    against: 'a conversion is funded again after a single look',
    file: EVIDENCE,
    text: 'if (earlierAbsenceMs === null || earlierAbsenceMs < lastRequestEndedMs + visibilityDelayMs) return false;',
    without: 'if (earlierAbsenceMs === null) return readBeganMs >= lastRequestEndedMs + mayTakeEffectMs;',
    test: evidence('not after the first read without it'),
  },
  {
    id: 'conversion-absent-for-ten-minutes',
    against: 'a conversion is funded again while the first request may still take effect',
    file: EVIDENCE,
    text: 'return readBeganMs >= lastRequestEndedMs + mayTakeEffectMs;',
    without: 'return true;',
    test: evidence('not before ten minutes have passed'),
  },
  {
    id: 'conversion-age-of-last-request',
    against: 'people decide on a conversion while the request that they asked for may still take effect',
    file: EVIDENCE,
    text: 'times.readBeganMs - times.lastRequestEndedMs >= MAX_UNCERTAIN_MS;',
    without: 'times.readBeganMs - times.lastRequestEndedMs >= 0;',
    test: evidence('a day is counted from the last request'),
  },
  {
    id: 'conversion-still-awaits-funds',
    against: 'a conversion is funded again although the provider shows that something happened to it',
    file: EVIDENCE,
    text: "if (status !== 'awaiting_funds') return isTooOld ? uncertain() : wait('other_status');",
    without: '',
    test: evidence('not while the item shows anything but awaiting_funds'),
  },
  {
    id: 'conversion-funded-twice-at-most',
    against: 'requests to fund a conversion go on',
    file: EVIDENCE,
    text: "if (evidence.requests >= MAX_FUND_REQUESTS) return wait('absent', true);",
    without: '',
    test: evidence('never a third time'),
  },
];

const COMMITTING: readonly Guard[] = [
  {
    id: 'conversion-limit-price',
    against: 'money is converted at a worse price than its limit',
    file: RULES,
    text: "return isKept ? passes('limit_price', says) : refuses('limit_price', 'price_beyond_limit', says);",
    without: "return passes('limit_price', says);",
    test: rules('the limit price is exact to the last digit'),
  },
  {
    id: 'conversion-reference-needed',
    against: 'a maximum cost is not applied because there is nothing to compare the price with',
    file: RULES,
    text: "if (reference.price === null) return refuses('max_cost', reference.code, reference.says);",
    without: "if (reference.price === null) return notSet('max_cost', reference.says);",
    test: rules('hold what people have to look at'),
  },
  {
    id: 'conversion-direction-checked',
    against: 'any price looks good, as the direction of the pair was configured the wrong way round',
    file: PRICE,
    text: 'if (!isNear[configured] && isNear[other]) {',
    without: 'if (other === configured) {',
    test: {
      file: 'test/domain/treasury-price.test.ts',
      name: 'is unclear where the quote fits the other direction',
    },
  },
  {
    id: 'conversion-daily-cap',
    against: 'orders of one day together convert more than the cap',
    file: RULES,
    text: 'const withThis = new Big(committedToday).plus(quote.totalAmount);',
    without: 'const withThis = new Big(quote.totalAmount).plus(committedToday).minus(committedToday);',
    test: rules('the daily cap is exact to the last digit'),
  },
  {
    id: 'conversion-approval-covers-total',
    against: 'an approval of a small order lets a large one pass',
    file: RULES,
    text: 'if (isWithin(approvedUpTo)) return',
    without: 'if (approvedUpTo !== null) return',
    test: rules('the approval is exact to the last digit'),
  },
  {
    id: 'conversion-one-open-order',
    against: 'two schedules convert to and fro',
    file: RULES,
    text: 'orderId !== order.orderId && unorderedPair(of) === pair',
    without: 'orderId === order.orderId && unorderedPair(of) !== pair',
    test: rules('an open order of the pair refuses in either direction'),
  },
  {
    id: 'conversion-fees-understood',
    against: 'a total that nobody understands is paid',
    file: QUOTE,
    text: "return totalFees !== null && new Big(sellAmount).plus(totalFees).eq(totalAmount) ? 'added' : null;",
    without: "return 'added';",
    test: amounts('of 10,000.00 with the total 10024.99'),
  },
  {
    id: 'conversion-as-quoted',
    against: 'a conversion is funded with other amounts than were quoted and approved',
    file: QUOTE,
    text: 'return amount === null || !new Big(amount).eq(quote[field]);',
    without: 'return false;',
    test: amounts('differs by {"totalAmount":"10025.01"}'),
  },
  {
    id: 'conversion-created-once',
    against: 'an order of which the provider has a conversion is released, and creates another one',
    file: STATES,
    text: 'CONVERSION_STATE_TABLE[from].next.includes(to) && CONVERSION_STATE_TABLE[to].withProvider !== excluded;',
    without: 'CONVERSION_STATE_TABLE[from].next.includes(to) && excluded !== undefined;',
    test: {
      file: 'test/domain/treasury-states.test.ts',
      name: 'never lead from an order that the provider has to where another creation could begin',
    },
  },
  {
    id: 'sweep-leaves-floor',
    against: 'a sweep takes its fees from the floor',
    file: 'domain/treasury/conversion-amount.ts',
    text: "if (new Big(total).lte(surplus)) return { kind: 'fits' };",
    without: "if (new Big(asked).lte(surplus)) return { kind: 'fits' };",
    test: amounts('never ends with less than the floor'),
  },
  {
    id: 'run-funding-leaves-floor',
    against: 'the orders that fund a run sell what their source needs itself',
    file: 'domain/treasury/run-funding.ts',
    text: 'surplus.set(source.currency, left.minus(order.sellEstimate));',
    without: '',
    test: {
      file: 'test/domain/treasury-run-funding.test.ts',
      name: 'never sells what a source needs',
    },
  },
];

const SCHEDULES: readonly Guard[] = [
  {
    id: 'occurrence-once-a-day',
    against: 'an hour that clocks repeat converts twice',
    file: 'domain/treasury/conversion-identity.ts',
    text: "return idOf(['occurrence', scheduleId, localDate, slot]);",
    without: "return idOf(['occurrence', scheduleId, localDate, slot, Math.random()]);",
    test: {
      file: 'test/domain/treasury-schedule-dates.test.ts',
      name: 'that fires twice, as its hour is repeated, is one',
    },
  },
  {
    id: 'occurrence-in-time',
    against: 'after an outage of the workers, orders of hours ago are placed at the prices of now',
    file: 'domain/treasury/schedule-dates.ts',
    text: 'return nowMs - scheduledStartMs > windowMs;',
    without: 'return nowMs < 0 && scheduledStartMs < 0;',
    test: {
      file: 'test/domain/treasury-schedule-dates.test.ts',
      name: 'is missed when it starts more than ten minutes after its time',
    },
  },
];

export const TREASURY_GUARDS: readonly Guard[] = [...FUNDING, ...COMMITTING, ...SCHEDULES];
