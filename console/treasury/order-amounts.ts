import type { OrderDetail } from '../../api/treasury/order.ts';
import { differenceOf } from '../elements/decimals.ts';

/** One amount of a conversion, as it was quoted and as the provider shows it. */
export interface ComparedAmount {
  name: string;
  currency: string;
  quoted: string;
  /** Null: the provider does not show it. */
  shown: string | null;
  /** What the provider shows less what was quoted; null: one of them is not known, or no plain amount. */
  difference: string | null;
}

type Amounts = Pick<OrderDetail, 'quote' | 'providerAmounts' | 'sellCurrency' | 'buyCurrency'>;

/** None before there was a quote. */
export function comparedAmounts({ quote, providerAmounts, sellCurrency, buyCurrency }: Amounts): ComparedAmount[] {
  if (quote === null) return [];
  const compared = (name: string, currency: string, quoted: string, shown: string | null): ComparedAmount => ({
    ...{ name, currency, quoted, shown },
    difference: shown === null ? null : differenceOf(shown, quoted),
  });
  return [
    compared('Leaves the balance, with fees', sellCurrency, quote.totalAmount, providerAmounts?.totalAmount ?? null),
    compared('Is sold', sellCurrency, quote.sellAmount, providerAmounts?.sellAmount ?? null),
    compared('Is bought', buyCurrency, quote.buyAmount, providerAmounts?.buyAmount ?? null),
  ];
}

/** Whether the provider shows it otherwise than quoted. What cannot be subtracted is not the same. */
export function isOtherThanQuoted({ shown, difference }: ComparedAmount): boolean {
  return shown !== null && (difference === null || /[1-9]/.test(difference));
}
