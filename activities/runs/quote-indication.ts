import type { PAYMENT_CHANNELS } from '../../domain/payment-file/payment-codes.ts';
import { addAmounts, compareAmounts, subtractAmounts, withoutFloatNoise } from '../../domain/money.ts';
import { quotient } from '../../domain/rates/ratio.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { Quote } from '../../provider/payments/simple-payment-fields.ts';
import {
  beginIndicativeQuote,
  type IndicativePrice,
  keepIndicativePrice,
  type WayToPay,
} from '../../store/rates/indicative-prices.ts';
import { callProvider } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';

const RATE_DECIMALS = 12;

/**
 * Asks for the price of one way to pay of a run, by one request at most: approvers are shown what it is expected to cost. It names no
 * beneficiary, nothing is created with it, and a price that is refused or not answered stays unknown. Contract: payments 2.5.
 */
export function quoteIndicationActivity({ database, provider }: ActivityDependencies) {
  return async function quoteIndication({ runId }: { runId: string }): Promise<{ left: number }> {
    const { way, left } = await beginIndicativeQuote(database, runId);
    if (way === null) return { left };
    const reply = await callProvider((options) =>
      provider(way.account).simplePayments.quote(quoteRequestOf(way), options),
    );
    const price = reply instanceof ProviderFailure ? null : priceOf(reply.value, way);
    if (price !== null) await keepIndicativePrice(database, way, price);
    return { left };
  };
}

function quoteRequestOf({ sellCurrency, buyCurrency, channel, side, amount }: WayToPay) {
  return {
    beneficiaryId: null,
    ...{ sellCurrency, buyCurrency, amount, fixedSide: side },
    ...(channel === '' ? {} : { paymentChannel: channel as (typeof PAYMENT_CHANNELS)[number] }),
  };
}

/**
 * The fee of the conversion is a share of the amount sold, and what is left of the fees is for each payment: the contract does not say how
 * they are composed. Null: the quote is for something else.
 */
export function priceOf(quote: Quote, way: Pick<WayToPay, 'sellCurrency' | 'buyCurrency'>): IndicativePrice | null {
  if (quote.sellCurrency !== way.sellCurrency || quote.buyCurrency !== way.buyCurrency) return null;
  const sells = withoutFloatNoise(quote.sellAmount);
  const buys = withoutFloatNoise(quote.buyAmount);
  const conversionFee = withoutFloatNoise(quote.conversionFee ?? '0');
  const feePerPayment = subtractAmounts(withoutFloatNoise(quote.totalAmount), addAmounts(sells, conversionFee));
  if ([sells, buys].some((amount) => compareAmounts(amount, '0') <= 0)) return null;
  return {
    rate: quotient(buys, sells, RATE_DECIMALS, 'half_up'),
    feeShare: quotient(conversionFee, sells, RATE_DECIMALS, 'half_up'),
    feePerPayment: compareAmounts(feePerPayment, '0') < 0 ? '0' : feePerPayment,
  };
}
