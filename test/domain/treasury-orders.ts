import type { GuardInput } from '../../domain/treasury/conversion-guards.ts';
import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import type { QuotedConversion } from '../../domain/treasury/conversion-quote.ts';
import { ratioOf } from '../../domain/rates/ratio.ts';

/** Buys EUR for USD 10,000.00 and fees of 25.00, while the middle is 0.92 EUR for 1 USD. */
export function aQuote(differences: Partial<QuotedConversion> = {}): QuotedConversion {
  return {
    sellCurrency: 'USD',
    buyCurrency: 'EUR',
    fixedSide: 'sell',
    sellAmount: '10000.00',
    buyAmount: '9186.00',
    totalFees: '25.00',
    totalAmount: '10025.00',
    ...differences,
  };
}

export function anOrder(differences: Partial<ConversionOrder> = {}): ConversionOrder {
  return {
    orderId: 'order-1',
    account: 'default',
    sellCurrency: 'USD',
    buyCurrency: 'EUR',
    fixedSide: 'sell',
    amount: '10000.00',
    limitPrice: null,
    maxCostBps: null,
    cap: null,
    expiresAt: '2026-11-23T12:00:00.000Z',
    ...differences,
  };
}

/** Every guard passes, and those with limits have one. */
export function aGuardInput(differences: Partial<GuardInput> = {}): GuardInput {
  return {
    order: anOrder({ limitPrice: { buyPerSellAtLeast: '0.91' }, maxCostBps: '50', cap: '10100.00' }),
    request: { sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount: '10000.00' },
    quote: aQuote(),
    reference: { price: ratioOf('0.92', 1), direction: 'direct' },
    maxOrder: '20000.00',
    dailyCap: '50000.00',
    approvalThreshold: '15000.00',
    approvedUpTo: null,
    committedToday: '0.00',
    free: '100000.00',
    openOrders: [],
    nowMs: Date.parse('2026-11-23T11:00:00Z'),
    ...differences,
  };
}
