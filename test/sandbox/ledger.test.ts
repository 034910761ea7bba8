import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { invariantHolds } from '../../sandbox/account/ledger-invariant.ts';
import type { Account } from '../../sandbox/account/account.ts';
import type { SimplePayment } from '../../sandbox/account/simple-payment.ts';
import { paymentStatuses } from '../../sandbox/account/simple-payment.ts';
import { requireCurrency } from '../../sandbox/account/quotes.ts';
import { defaultOptions } from '../../sandbox/config/options.ts';
import { Refusal } from '../../sandbox/core/refusal.ts';
import { World } from '../../sandbox/world.ts';
import { aGermanCompany, aSandbox, anInstruction, asText, type Loose } from './a-sandbox.ts';

const aWorld = (): World =>
  new World({ ...defaultOptions, frozenAtMs: 1_000_000, balances: { USD: '900.00', JPY: '90000', KWD: '900.000' } });

function createPayment(world: World, account: Account, sell: string, minor: number): SimplePayment {
  const currency = requireCurrency('sellCurrency', sell);
  const beneficiary =
    account.beneficiaries.list()[0] ?? account.beneficiaries.add({ ...aGermanCompany, entityType: 'company' });
  const request = {
    beneficiaryId: beneficiary.id,
    sell: currency,
    buy: requireCurrency('buyCurrency', 'EUR'),
    amount: new Big(minor).div(new Big(10).pow(currency.decimalPlaces)),
    fixedSide: 'sell' as const,
    channel: 'LOCAL' as const,
    partner: { fee: new Big(0), markup: new Big(0) },
  };
  const quote = account.quotes.issue(request, world.clock.now(), world.clock.now() + 600_000);
  return account.payments.create(quote, beneficiary, { ...anInstruction, referenceId: `ref-${minor % 5}` });
}

const step = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    sell: fc.constantFrom('USD', 'JPY', 'KWD'),
    minor: fc.integer({ min: 100, max: 60_000 }),
  }),
  fc.record({ do: fc.constant('fund' as const), which: fc.nat(20) }),
  fc.record({ do: fc.constant('force' as const), which: fc.nat(20), status: fc.constantFrom(...paymentStatuses) }),
  fc.record({ do: fc.constant('advance' as const), byMs: fc.integer({ min: 0, max: 20_000 }) }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function perform(world: World, account: Account, next: Step): void {
  if (next.do === 'create') createPayment(world, account, next.sell, next.minor);
  else if (next.do === 'advance') world.clock.advance(next.byMs);
  else {
    const payments = account.payments.all();
    const payment = payments[next.which % Math.max(1, payments.length)];
    if (payment && next.do === 'fund') account.payments.fund(payment.id);
    if (payment && next.do === 'force') account.payments.force(payment, next.status, null);
  }
}

test('the books balance after any sequence of creating, funding and forcing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const world = aWorld();
      const account = world.firstAccount();
      for (const next of steps) {
        try {
          perform(world, account, next);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      }
      const doubled = account.payments.all().filter(({ timesFunded }) => timesFunded > 1);
      expect(doubled.map(({ id }) => id).sort()).toEqual([...account.payments.fundedMoreThanOnce].sort());
      // A payment is debited twice without a refund only if an operator forces a paid payment back.
      const owedTwice = account.payments.all().some((payment) => payment.timesFunded - payment.timesRefunded > 1);
      expect(invariantHolds(account.ledger, account.payments)).toBe(!owedTwice);
      expectSumsByHand(account);
    }),
    { seed: 4, numRuns: 150 },
  );
});

/** Recalculates the reported balances from the payments instead of the entries. */
function expectSumsByHand(account: Account): void {
  for (const balance of account.ledger.opened()) {
    let expected = balance.initial;
    for (const { quote, timesFunded, timesRefunded } of account.payments.all()) {
      if (quote.sell !== balance.currency) continue;
      expected = expected.minus(quote.totalAmount.times(timesFunded - timesRefunded));
    }
    expect(balance.amount.toFixed()).toBe(expected.toFixed());
    expect(balance.amount.gte(0)).toBe(true);
  }
}

test.each<[string, (account: Account, payment: SimplePayment) => void]>([
  ['a balance that is a cent off', ({ ledger }) => (ledger.in('USD')!.amount = ledger.in('USD')!.amount.plus('0.01'))],
  ['a debit that was lost', ({ ledger }) => ledger.entries.pop()],
  ['a debit written twice', ({ ledger }) => ledger.entries.push(ledger.entries.at(-1)!)],
  ['a debit of no payment', ({ ledger }) => ledger.write(ledger.in('USD')!, new Big(-1), 'payment', 99, 0)],
  [
    'a debit of the wrong amount',
    ({ ledger }, { number }) => ledger.write(ledger.in('USD')!, new Big(-1), 'payment', number, 0),
  ],
  ['a failed payment that keeps the money', (_, payment) => (payment.status = 'failed')],
])('%s breaks the invariant', (_, damage) => {
  const world = aWorld();
  const account = world.firstAccount();
  const payment = createPayment(world, account, 'USD', 10_000);
  account.payments.fund(payment.id);
  expect(invariantHolds(account.ledger, account.payments)).toBe(true);
  damage(account, payment);
  expect(invariantHolds(account.ledger, account.payments)).toBe(false);
});

test('a payment that an operator forces back and that is funded again is reported', async () => {
  const caller = await (await aSandbox()).signIn();
  const payment = await caller.aPayment();
  await caller.fund(payment);
  await caller.post('/__sandbox/force', { simplePaymentId: payment['simplePaymentId'], status: 'awaiting_funds' });
  await caller.fund(payment);
  const ledger = caller.sandbox.ledger();
  expect(ledger.fundedMoreThanOnce).toEqual([payment['simplePaymentId']]);
  expect(ledger.invariantHolds).toBe(false);
});

test('balances are read by currency code or id, and all used balances are listed', async () => {
  const caller = await (await aSandbox({ balances: { USD: '10.5', JPY: '700' } })).signIn();
  const usd = (await caller.get('/balances/v1/item/USD')).body['data']!;
  expect(usd).toMatchObject({ amount: 10.5, currency: 'USD', currencyName: 'US Dollar' });
  expect((await caller.get(`/balances/v1/item/${asText(usd['id'])}`)).body['data']).toEqual(usd);
  const all = await caller.get('/balances/v1/find');
  expect(all.text).toMatch(/"amount":700,"currency":"JPY".*"amount":10\.50,"currency":"USD"/);
  expect((await caller.get('/balances/v1/item/KWD')).text).toContain('"amount":0.000,');
  expect((await caller.get('/balances/v1/item/XXX')).status).toBe(404);
  const { byOperation } = caller.sandbox.ledger().requests;
  expect(byOperation).toMatchObject({ 'balance-get-by-currency': 2, 'balance-get-by-id': 2, 'balance-find': 1 });
});

test('the history shows each change in its range exactly, newest first', async () => {
  const caller = await (await aSandbox({ balances: { USD: '500.00' } })).signIn();
  const payment = await caller.aPayment({ amount: 100.13 });
  await caller.fund(payment);
  caller.sandbox.advance(60_000);
  await caller.post('/__sandbox/balance', { currency: 'USD', credit: 0.1 });
  const { text, body } = await caller.post('/balances/v1/history');
  const entries = body['data'] as unknown as Loose[];
  expect(entries.map((entry) => entry['transactionType'])).toEqual(['deposit', 'refund', 'payment']);
  expect(entries.map((entry) => entry['transactionId'])).toEqual([null, 1, 1]);
  expect(text).toContain('"amountBefore":500.00,"amountAfter":398.12,"currency":"USD","totalAmount":101.88');
  expect(text).toContain('"amountBefore":500.00,"amountAfter":500.10,"currency":"USD","totalAmount":0.10');
  const early = await caller.post('/balances/v1/history', { endDate: entries[1]!['date'] });
  expect((early.body['data'] as unknown as Loose[]).map((entry) => entry['transactionType'])).toEqual(['payment']);
  expect((await caller.post('/balances/v1/history', { endDate: 'soon' })).body['message']).toContain('endDate');
});
