import type { NewOrderRequest } from '../../api/treasury/order.ts';

/** An order as it is typed. Amounts, prices and basis points are decimal texts; empty: not given. */
export interface OrderTerms {
  sellCurrency: string;
  buyCurrency: string;
  fixedSide: 'sell' | 'buy';
  amount: string;
  price: string;
  /** `sold`: units bought for one sold, at least; `bought`: units sold for one bought, at most. */
  priceOf: 'sold' | 'bought';
  maxCostBps: string;
  cap: string;
  /** Local time of the device, as the browser gives it: `2026-12-01T16:00`. */
  expires: string;
  account: string;
}

export const NO_TERMS: OrderTerms = {
  ...{ sellCurrency: '', buyCurrency: '', fixedSide: 'sell', amount: '' },
  ...{ price: '', priceOf: 'sold', maxCostBps: '', cap: '', expires: '', account: '' },
};

export function isComplete({ sellCurrency, buyCurrency, amount }: OrderTerms): boolean {
  return sellCurrency.length === 3 && buyCurrency.length === 3 && amount !== '';
}

export function orderRequestOf(terms: OrderTerms): NewOrderRequest {
  const { sellCurrency, buyCurrency, fixedSide, amount, maxCostBps, cap, expires, account } = terms;
  const given = (text: string): string | null => (text === '' ? null : text);
  return {
    ...{ sellCurrency, buyCurrency, fixedSide, amount, account: given(account) },
    ...{ maxCostBps: given(maxCostBps), cap: given(cap) },
    limitPrice: limitPriceOf(terms),
    expiresAt: expires === '' ? null : new Date(expires).toISOString(),
  };
}

function limitPriceOf({ price, priceOf }: OrderTerms): NonNullable<NewOrderRequest['limitPrice']> | null {
  if (price === '') return null;
  return priceOf === 'sold' ? { buyPerSellAtLeast: price } : { sellPerBuyAtMost: price };
}
