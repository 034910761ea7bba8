import { withoutFloatNoise } from '../../domain/money.ts';
import type { QuotedPair } from '../../domain/treasury/indicative-prices.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { holdIfStopped, retryIfStopped, unlessAccountStopped } from '../calls/account-stop.ts';
import { callProvider } from '../calls/call-provider.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { QuoteAsked } from './plan-occurrence.ts';

/** Asks for a price to plan with, and uses it for nothing else. Null: the provider refuses it. Contract: payments 2.3. */
export function quotePairActivity({ database, provider }: ActivityDependencies) {
  return async function quotePair({
    account,
    quote,
  }: {
    account: string;
    quote: QuoteAsked;
  }): Promise<QuotedPair | null> {
    await holdIfStopped(database, account);
    const reply = await callProvider(
      (options) => provider(account).conversions.quote(quote, options),
      unlessAccountStopped(database, account),
    );
    if (reply instanceof ProviderFailure) {
      if (reply.kind === 'refused') return null;
      retryIfStopped(reply);
      throw retryLater(reply);
    }
    const { totalAmount, buyAmount } = reply.value;
    return {
      sell: quote.sellCurrency,
      buy: quote.buyCurrency,
      totalAmount: withoutFloatNoise(totalAmount),
      buyAmount: withoutFloatNoise(buyAmount),
    };
  };
}
