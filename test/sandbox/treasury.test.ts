import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Account } from '../../sandbox/account/account.ts';
import { conversionStatuses } from '../../sandbox/account/conversion.ts';
import { fundingStatuses } from '../../sandbox/account/funding-book.ts';
import { invariantHolds } from '../../sandbox/account/ledger-invariant.ts';
import { requireCurrency } from '../../sandbox/account/quotes.ts';
import { refundStatuses } from '../../sandbox/account/refund-book.ts';
import { defaultOptions } from '../../sandbox/config/options.ts';
import { Refusal } from '../../sandbox/core/refusal.ts';
import { World } from '../../sandbox/world.ts';
import { aGermanCompany, anInstruction } from './a-sandbox.ts';

const step = fc.oneof(
  fc.record({ do: fc.constant('convert' as const), minor: fc.integer({ min: 100, max: 40_000 }) }),
  fc.record({ do: fc.constant('pay' as const), minor: fc.constantFrom(10_000, 10_013, 20_014) }),
  fc.record({ do: fc.constant('fundConversion' as const), which: fc.nat(10) }),
  fc.record({ do: fc.constant('fundPayment' as const), which: fc.nat(10) }),
  fc.record({
    do: fc.constant('receive' as const),
    minor: fc.nat(10_000),
    status: fc.constantFrom(...fundingStatuses),
  }),
  fc.record({
    do: fc.constant('forceFunding' as const),
    which: fc.nat(10),
    status: fc.constantFrom(...fundingStatuses),
  }),
  fc.record({ do: fc.constant('forceRefund' as const), which: fc.nat(10), status: fc.constantFrom(...refundStatuses) }),
  fc.record({
    do: fc.constant('forceConversion' as const),
    which: fc.nat(10),
    status: fc.constantFrom(...conversionStatuses),
  }),
  fc.record({ do: fc.constant('advance' as const), byMs: fc.nat(20_000) }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function take(world: World, account: Account, next: Step): void {
  const { fundings, refunds, conversions, payments, ledger } = account;
  const [sell, buy] = [requireCurrency('sellCurrency', 'USD'), requireCurrency('buyCurrency', 'EUR')];
  const of = <Item>(items: readonly Item[], which: number): Item[] => items.slice(which % 5, (which % 5) + 1);
  if (next.do === 'advance') world.clock.advance(next.byMs);
  else if (next.do === 'receive')
    fundings.add({ balance: ledger.in('USD')!, amount: new Big(next.minor).div(100) }, next.status);
  else if (next.do === 'convert') {
    const quote = conversions.quote({ sell, buy, amount: new Big(next.minor).div(100), fixedSide: 'sell' });
    conversions.create(quote.id, null);
  } else if (next.do === 'pay') {
    const beneficiary = account.beneficiaries.add({ ...aGermanCompany, entityType: 'company' });
    const exchange = { sell, buy, amount: new Big(next.minor).div(100), fixedSide: 'sell' as const };
    const partner = { fee: new Big(0), markup: new Big(0) };
    const request = { ...exchange, beneficiaryId: beneficiary.id, channel: 'LOCAL' as const, partner };
    payments.create(account.quotes.issue(request, 0, 1), beneficiary, anInstruction);
  } else if (next.do === 'fundConversion')
    for (const each of of(conversions.all(), next.which)) conversions.fund(each.id);
  else if (next.do === 'fundPayment') for (const each of of(payments.all(), next.which)) payments.fund(each.id);
  else if (next.do === 'forceFunding')
    for (const each of of(fundings.all(), next.which)) fundings.force(each, next.status);
  else if (next.do === 'forceRefund')
    for (const each of of(refunds.all(), next.which)) refunds.force(each, next.status);
  else for (const each of of(conversions.all(), next.which)) conversions.force(each, next.status);
}

/** The expected balance, calculated from the resources instead of the history. */
function expectedIn(account: Account, code: string): string {
  let amount = account.ledger.in(code)!.initial;
  for (const each of account.fundings.all()) {
    if (each.credited && each.balance.currency.code === code) amount = amount.plus(each.amount);
  }
  for (const { quote, timesFunded, credited } of account.conversions.all()) {
    if (quote.sell.code === code) amount = amount.minus(quote.totalAmount.times(timesFunded));
    if (credited && quote.buy.code === code) amount = amount.plus(quote.buyAmount);
  }
  for (const { quote, timesFunded, timesRefunded } of account.payments.all()) {
    if (quote.sell.code === code) amount = amount.minus(quote.totalAmount.times(timesFunded - timesRefunded));
  }
  return amount.toFixed();
}

test('the books balance after any sequence of fundings, deposits, conversions, payments, refunds and forcing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const balances = { USD: '700.00', EUR: '0.00' };
      const world = new World({ ...defaultOptions, frozenAtMs: 1_000_000, balances, refundMs: 10_000 });
      const account = world.firstAccount();
      for (const next of steps) {
        try {
          take(world, account, next);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      }
      expect(invariantHolds(account.ledger, account.payments, account.treasury())).toBe(true);
      for (const code of ['USD', 'EUR']) {
        expect(account.ledger.in(code)!.amount.toFixed()).toBe(expectedIn(account, code));
      }
    }),
    { seed: 7, numRuns: 100 },
  );
});
