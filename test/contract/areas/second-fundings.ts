import Big from 'big.js';
import { expect } from 'vitest';
import type { Area } from '../contract-case.ts';
import { aPayment } from '../payments.ts';

export const secondFundings: Area = {
  name: 'second fundings',
  settings: ['second-funding'],
  cases: [
    {
      name: 'are refused, return the first funding, or charge again, as the ledger shows',
      covers: ['simple-payment-fund'],
      calls: ['simplePayments.fund'],
      ledger: (context) =>
        context.setting('second-funding') === 'charge'
          ? { fundedMoreThanOnce: [expect.any(String)], invariantHolds: false }
          : {},
      run: async (context) => {
        const { simplePayments } = context.client;
        const usd = () => context.ledger().balances['USD'] ?? '';
        const { simplePaymentId, totalAmount } = await aPayment(context);
        const before = new Big(usd());
        await simplePayments.fund({ simplePaymentId });
        const twice = simplePayments.fund({ simplePaymentId });
        const word = context.setting('second-funding');
        if (word === 'refuse')
          await context.expectRefused(twice, { kind: 'refused', status: 409, code: 'not_fundable' });
        else expect((await twice).status).toBe('processing');
        const charged = new Big(totalAmount ?? '').times(word === 'charge' ? 2 : 1);
        expect(usd()).toBe(before.minus(charged).toFixed(2));
      },
    },
  ],
};
