import type { GuardInput } from '../../domain/treasury/conversion-guards.ts';
import { referencePrice } from '../../domain/treasury/conversion-price.ts';
import { ratioOf } from '../../domain/rates/ratio.ts';

/** The order of the example in docs/treasury.md. */
const QUOTE = {
  ...{ sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', totalFees: '2.50' },
  ...{ sellAmount: '1000.00', buyAmount: '917.70', totalAmount: '1002.50' },
} as const;

export const EXAMPLE: GuardInput = {
  order: {
    ...{ orderId: 'example', account: 'default', sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell' },
    ...{ amount: '1000.00', limitPrice: { buyPerSellAtLeast: '0.915' }, maxCostBps: '50', cap: null },
    expiresAt: '2026-01-31T16:00:00.000Z',
  },
  request: { sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount: '1000.00' },
  quote: QUOTE,
  reference: referencePrice(QUOTE, ratioOf('0.92', '1'), 'direct'),
  maxOrder: null,
  dailyCap: '5000.00',
  approvalThreshold: '500.00',
  approvedUpTo: '1050',
  committedToday: '3000.00',
  free: '10000.00',
  openOrders: [],
  nowMs: Date.parse('2026-01-31T12:00:00Z'),
};
