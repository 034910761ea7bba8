import { Big } from 'big.js';
import { expect } from 'vitest';
import { ProviderFailure } from '../../../provider/calls/failure.ts';
import type { Quote } from '../../../provider/payments/simple-payment-fields.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import { expectTime } from '../additional-fields.ts';
import { amountThatIs, aQuoteRequest } from '../payments.ts';
import { omit } from '../omit.ts';

const sum = (...amounts: (string | null)[]): Big =>
  amounts.reduce((total, amount) => total.plus(amount ?? '0'), new Big(0));

/** The sandbox's fees. The contract does not show them, and the client does not compute them. */
const addsUp = (quote: Quote): boolean =>
  sum(quote.sellAmount, quote.totalFee, quote.bankCharges).eq(quote.totalAmount) &&
  sum(quote.conversionFee, quote.paymentFee).eq(quote.totalFee ?? '');

/** Contract: payments 2.5, 4.4. */
const cases: readonly ContractCase[] = [
  {
    name: 'a quote matches its request, fixes either side, is valid for ten minutes, and adds up',
    covers: ['simple-payment-quote'],
    calls: ['simplePayments.quote'],
    run: async (context) => {
      const { simplePayments } = context.client;
      const request = await aQuoteRequest(context);
      const selling = await simplePayments.quote(request);
      const { beneficiaryId } = request;
      expect(selling).toMatchObject({ beneficiaryId, currencyPair: 'EURUSD', sellAmount: '100.00', fixedSide: 'sell' });
      expectTime(selling.expiresAt, context.nowMs + 10 * 60_000);
      const buying = await simplePayments.quote({ ...request, fixedSide: 'buy', amount: '88.80' });
      expect(buying).toMatchObject({ buyAmount: '88.80', fixedSide: 'buy' });
      expect((await simplePayments.quote(omit(request, 'fixedSide'))).fixedSide).toBe('sell');
      expect([selling, buying].map(addsUp)).toEqual([true, true]);
    },
  },
  {
    name: 'whether documents are required is in the later variant only',
    covers: ['simple-payment-quote'],
    calls: ['simplePayments.quote'],
    run: async (context) => {
      const { simplePayments } = context.client;
      const request = await aQuoteRequest(context);
      const later = context.setting('payment-variant') === 'later';
      expect((await simplePayments.quote(request)).supportingDocumentsRequired).toBe(later ? false : null);
      const documented = await simplePayments.quote({ ...request, amount: amountThatIs.documented });
      expect(documented.supportingDocumentsRequired).toBe(later ? true : null);
      const written = await context.ask('simple-payment-quote', { body: { ...request, amount: 100 } });
      expect('supportingDocumentsRequired' in written).toBe(later);
    },
  },
  {
    name: 'the channel is the requested one or that of the corridor; only SWIFT-OUR has bank charges',
    covers: ['simple-payment-quote', 'simple-payment-supported-local-currencies'],
    calls: ['simplePayments.quote', 'simplePayments.supportedLocalCurrencies'],
    run: async (context) => {
      const { simplePayments } = context.client;
      const local = await simplePayments.supportedLocalCurrencies();
      expect(local).toContain('EUR-DE');
      expect(await context.askList('simple-payment-supported-local-currencies')).toEqual(local);
      const request = await aQuoteRequest(context);
      const charges: unknown[] = [];
      for (const paymentChannel of [undefined, 'LOCAL', 'SWIFT-SHA', 'SWIFT-OUR'] as const) {
        const quote = await simplePayments.quote(
          paymentChannel === undefined ? request : { ...request, paymentChannel },
        );
        expect([quote.paymentChannel, addsUp(quote)]).toEqual([paymentChannel ?? 'LOCAL', true]);
        charges.push(new Big(quote.bankCharges ?? '').gt(0));
      }
      expect(charges).toEqual([false, false, false, true]);
    },
  },
  {
    name: 'a quote without a beneficiary needs an explicit null',
    covers: ['simple-payment-quote'],
    calls: ['simplePayments.quote'],
    run: async (context) => {
      const request = { ...(await aQuoteRequest(context)), beneficiaryId: null };
      expect((await context.client.simplePayments.quote(request)).beneficiaryId).toBeNull();
      const good = { ...request, amount: 100 };
      await context.expectFieldsRefused('simple-payment-quote', {}, good, { beneficiaryId: undefined });
      const body = { ...good, beneficiaryId: 'nobodys' };
      await context.expectRawRefusal('simple-payment-quote', { body }, { status: 404, code: 'not_found' });
    },
  },
  {
    name: "a partner's fee and markup apply only to an ultimate partner",
    covers: ['simple-payment-quote'],
    calls: ['simplePayments.quote'],
    run: async (context) => {
      const { simplePayments } = context.client;
      const request = await aQuoteRequest(context);
      const plain = await simplePayments.quote(request);
      const asked = simplePayments.quote({ ...request, partner: { fee: '1.50', markup: '2' } });
      if (context.setting('ultimate-partner') === 'on') {
        const quote = await asked;
        expect(
          sum(quote.totalFee)
            .minus(plain.totalFee ?? '')
            .toFixed(2),
        ).toBe('1.50');
        expect([quote.partnerPaymentFee, addsUp(quote)]).toEqual(['1.50', true]);
        expect(new Big(quote.rate).lt(quote.partnerRate ?? '')).toBe(true);
        expect(new Big(quote.buyAmount).lt(quote.partnerBuyAmount ?? '')).toBe(true);
        expect(quote.partnerSellAmount).toBe(quote.sellAmount);
        return;
      }
      // Not documented: a provider may ignore it or refuse it.
      const answer = await asked.catch((error: unknown) => error);
      if (answer instanceof ProviderFailure) expect(answer).toMatchObject({ kind: 'unauthenticated', httpStatus: 403 });
      else expect(answer).toMatchObject({ totalAmount: plain.totalAmount, rate: plain.rate });
    },
  },
  {
    name: 'a conversion that cannot be quoted is refused with the field',
    covers: ['simple-payment-quote'],
    calls: ['simplePayments.quote'],
    run: async (context) => {
      const { simplePayments } = context.client;
      const request = await aQuoteRequest(context);
      const good = { ...request, amount: 100 };
      const wrong = {
        sellCurrency: 'XXX',
        buyCurrency: 'GBP',
        amount: 0,
        fixedSide: 'both',
        paymentChannel: 'SWIFT_OUR',
      };
      await context.expectFieldsRefused('simple-payment-quote', {}, good, wrong);
      await context.expectFieldsRefused('simple-payment-quote', {}, good, { amount: 0.001, sellCurrency: undefined });
      const invalid = { kind: 'refused', status: 400, code: 'validation_failed', field: 'amount' } as const;
      await context.expectRefused(simplePayments.quote({ ...request, amount: '0.001' }), invalid);
      await context.expectUnsent(simplePayments.quote({ ...request, amount: '1,000' }), 'amount');
    },
  },
];

export const paymentQuotes: Area = {
  name: 'payment quotes',
  settings: ['payment-variant', 'ultimate-partner', 'partner-from-other-callers'],
  cases,
};
