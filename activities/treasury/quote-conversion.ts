import { withoutFloatNoise } from '../../domain/money.ts';
import { outcomeOfFailure } from '../../domain/payments/request-result.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { ConversionQuote } from '../../provider/treasury/conversion-fields.ts';
import { beginQuote, recordOrderAnswer, recordQuote } from '../../store/treasury/order-requests.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { readOrder, type StoredQuote } from '../../store/treasury/orders.ts';
import { holdIfStopped, isUnsent, retryIfStopped, unlessAccountStopped } from '../calls/account-stop.ts';
import { callProvider } from '../calls/call-provider.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { holdUnlessAsApproved, macQuote, type OrderOutcome, stateOf } from './order-calls.ts';

/** Asks for a price of an approved order. It is used at once, and once. Contract: payments 2.3, 4.3. */
export function quoteConversionActivity({ database, provider, macOf, monotonicNow }: ActivityDependencies) {
  return async function quoteConversion({ orderId }: { orderId: string }): Promise<OrderOutcome> {
    const record = await readOrder(database, orderId);
    const { terms, state } = record;
    if (state !== 'approved' || !(await holdUnlessAsApproved(database, record))) return stateOf(database, orderId);
    const { account, sellCurrency, buyCurrency, fixedSide, amount } = terms;
    await holdIfStopped(database, account);
    const requestId = await beginQuote(database, orderId);
    if (requestId === null) return stateOf(database, orderId);
    let sentAtMs = monotonicNow();
    const reply = await callProvider(
      (options) => provider(account).conversions.quote({ sellCurrency, buyCurrency, fixedSide, amount }, options),
      async () => {
        await unlessAccountStopped(database, account)();
        sentAtMs = monotonicNow();
      },
    );
    if (reply instanceof ProviderFailure) return recordFailure(orderId, requestId, reply);
    const { value, httpStatus } = reply;
    const [quoteId, quote] = [value.quoteId, storedQuoteOf(value)];
    const quoteMac = macQuote(macOf(account), record, quoteId, quote);
    await recordOrderAnswer(database, { requestId, outcome: 'took_effect', answer: 'as_asked', httpStatus });
    await recordQuote(database, { orderId, quoteId, quote, quoteMac, sinceSentMs: monotonicNow() - sentAtMs });
    return stateOf(database, orderId);
  };

  async function recordFailure(orderId: string, requestId: string, failure: ProviderFailure): Promise<OrderOutcome> {
    const { kind, httpStatus } = failure;
    if (isUnsent(failure) || kind !== 'refused') {
      // A quote without an answer binds nobody.
      await recordOrderAnswer(database, { requestId, outcome: outcomeOfFailure(kind), answer: kind, httpStatus });
      retryIfStopped(failure);
      throw retryLater(failure);
    }
    await recordOrderAnswer(database, { requestId, outcome: 'refused', answer: kind, httpStatus });
    const message = failure.providerMessage ?? failure.message;
    await moveOrder(database, orderId, 'skipped', { reason: 'quote_refused', from: ['approved'], message });
    return stateOf(database, orderId);
  }
}

/** The amounts of the provider may be floats. */
export function storedQuoteOf(quote: ConversionQuote): StoredQuote {
  const { sellCurrency, buyCurrency, fixedSide, totalFees } = quote;
  return {
    sellCurrency,
    buyCurrency,
    fixedSide,
    sellAmount: withoutFloatNoise(quote.sellAmount),
    buyAmount: withoutFloatNoise(quote.buyAmount),
    totalAmount: withoutFloatNoise(quote.totalAmount),
    totalFees: totalFees === null ? null : withoutFloatNoise(totalFees),
    rate: quote.rate,
  };
}
