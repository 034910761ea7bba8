import fc from 'fast-check';
import { conversionStatuses } from '../../sandbox/account/conversion.ts';
import { fundingStatuses } from '../../sandbox/account/funding-book.ts';
import { refundStatuses } from '../../sandbox/account/refund-book.ts';
import { paymentStatuses } from '../../sandbox/account/simple-payment.ts';
import { soldCurrencies } from './ledger-property-book.ts';
import { faultKinds } from '../../sandbox/faults/fault-kinds.ts';

/** Incomplete finds move no money, and would hide payments with lost answers from this caller. */
const requestFaultKinds = faultKinds.filter(({ target, kind }) => target === 'request' && !kind.startsWith('find_'));
const webhookFaultKinds = faultKinds.filter(({ target }) => target === 'webhook');

/** The operations with faults of their own; `*` covers the others as well. */
const FAULTY_OPERATIONS = [
  'auth-authenticate',
  'beneficiary-create',
  'simple-payment-quote',
  'simple-payment-create',
  'simple-payment-find',
  'simple-payment-get',
  'simple-payment-fund',
  'conversion-quote',
  'conversion-create',
  'conversion-fund',
  '*',
] as const;

const MINUTE_MS = 60_000;

const currency = fc.constantFrom(...soldCurrencies);

/** Minor units; often with magic last digits (13: rejected; 14: failed; 15: documents required). */
const minor = fc.oneof(
  fc.integer({ min: 1, max: 90_000 }),
  fc
    .tuple(fc.integer({ min: 1, max: 300 }), fc.constantFrom(0, 13, 14, 15))
    .map(([hundreds, ending]) => hundreds * 100 + ending),
);

const side = fc.constantFrom('sell' as const, 'buy' as const);

/** An index counted from the newest, as new entries matter most. */
const which = fc.nat(6);

const payment = {
  beneficiary: which,
  sell: currency,
  minor,
  side,
  channel: fc.constantFrom(undefined, 'SWIFT-SHA' as const, 'SWIFT-OUR' as const),
  /** The fee in thousandths, sometimes with more digits than the currency has, and the markup in percent. */
  partner: fc.option(
    fc.record({
      fee: fc.oneof(
        fc.nat(3000),
        fc.nat(3).map((units) => units * 1000),
      ),
      markup: fc.nat(5),
    }),
    { nil: undefined },
  ),
  /** Null for a reference of its own, or a reference that others have as well. */
  reference: fc.option(fc.constantFrom('shared-1', 'shared-2'), { nil: undefined }),
  unique: fc.boolean(),
};

const exchange = { sell: currency, buy: currency, minor, side };

const step = fc.oneof(
  fc.record({
    do: fc.constant('addBeneficiary' as const),
    currency,
    name: fc.constantFrom('Example', 'SLOW', 'STUCK', 'SANCTIONED'),
  }),
  fc.record({ do: fc.constant('removeBeneficiary' as const), which }),
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pay' as const), fund: fc.nat(2), ...payment }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('quote' as const), ...payment }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('createFromOldQuote' as const),
      which,
      reference: payment.reference,
      unique: payment.unique,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('fund' as const), which, atOnce: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('convert' as const), fund: fc.nat(2), ...exchange }) },
  fc.record({ do: fc.constant('convertFromOldQuote' as const), which }),
  fc.record({ do: fc.constant('fundConversion' as const), which, atOnce: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('setBalance' as const), currency, minor: fc.nat(50_000) }),
  fc.record({ do: fc.constant('credit' as const), currency, minor: fc.nat(50_000) }),
  fc.record({ do: fc.constant('receive' as const), currency, minor, status: fc.constantFrom(...fundingStatuses) }),
  fc.record({
    do: fc.constant('deposit' as const),
    currency,
    minor,
    status: fc.constantFrom('completed', 'pending'),
    reportedAsFunding: fc.boolean(),
  }),
  fc.record({ do: fc.constant('refund' as const), which, status: fc.constantFrom(...refundStatuses) }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('forcePayment' as const),
      which,
      status: fc.constantFrom(...paymentStatuses),
    }),
  },
  fc.record({ do: fc.constant('forceConversion' as const), which, status: fc.constantFrom(...conversionStatuses) }),
  fc.record({ do: fc.constant('forceFunding' as const), which, status: fc.constantFrom(...fundingStatuses) }),
  fc.record({ do: fc.constant('forceRefund' as const), which, status: fc.constantFrom(...refundStatuses) }),
  {
    weight: 3,
    // Delays for completions and refunds, SLOW beneficiaries, quotes, tokens and the funding deadline.
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      byMs: fc.constantFrom(0, 3_000, 12_000, MINUTE_MS, 11 * MINUTE_MS, 9 * 60 * MINUTE_MS, 25 * 60 * MINUTE_MS),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('addFault' as const),
      kind: fc.constantFrom(...requestFaultKinds.map(({ kind }) => kind)),
      operation: fc.constantFrom(...FAULTY_OPERATIONS),
      nth: fc.integer({ min: 1, max: 3 }),
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
  fc.record({
    do: fc.constant('addFault' as const),
    kind: fc.constantFrom(...webhookFaultKinds.map(({ kind }) => kind)),
    operation: fc.constant('webhook' as const),
    nth: fc.constant(1),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    do: fc.constant('setWebhooks' as const),
    to: fc.constantFrom('receiver' as const, 'nobody' as const, null),
  }),
);

type Arbitrated<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** One action of a caller or an operator, or a fault. */
export type Step = Arbitrated<typeof step>;

/** The action of one key, and possibly another key's action at the same time. */
export interface Turn {
  readonly key: 0 | 1;
  readonly step: Step;
  readonly meanwhile: Step | undefined;
}

export const turns = (most: number): fc.Arbitrary<Turn[]> =>
  fc.array(
    fc.record({
      key: fc.constantFrom(0 as const, 1 as const),
      step,
      meanwhile: fc.option(step, { nil: undefined, freq: 4 }),
    }),
    { minLength: 1, maxLength: most, size: 'max' },
  );
