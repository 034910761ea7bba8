import Big from 'big.js';
import type { Currency } from './currencies.ts';

export type PaymentChannel = 'LOCAL' | 'SWIFT-SHA' | 'SWIFT-OUR';

export interface Fees {
  readonly conversionFee: Big;
  readonly paymentFee: Big;
  readonly totalFee: Big;
  /** Only with SWIFT-OUR, where the sender bears the other banks' charges. */
  readonly bankCharges: Big;
}

/** A quarter of a percent of the sell amount; zero without a currency exchange. */
const conversionFeeShare = '0.0025';

/** In US dollars, charged in the sell currency at its base rate. */
const paymentFeeUsd: Readonly<Record<PaymentChannel, string>> = {
  LOCAL: '1.5',
  'SWIFT-SHA': '10',
  'SWIFT-OUR': '15',
};
const bankChargesUsd = '20';

/** From this value in US dollars on, at base rates, a payment needs supporting documents. */
const documentsFromUsd = '100000';

/** The sell amount from which a quote requires supporting documents, in the sell currency. */
export const documentsThreshold = (sell: Currency): Big => new Big(documentsFromUsd).times(sell.perUsd);

/** The fee of a currency exchange, in the sell currency. Contract: payments 2.3. */
export const conversionFeeOf = (sell: Currency, sellAmount: Big): Big =>
  sellAmount.times(conversionFeeShare).round(sell.decimalPlaces);

/** All fees are in the sell currency, rounded half up to its decimals. Contract: payments 2.5. */
export function feesOf(sell: Currency, buy: Currency, sellAmount: Big, channel: PaymentChannel): Fees {
  const inSell = (usd: string): Big => new Big(usd).times(sell.perUsd).round(sell.decimalPlaces);
  const conversionFee = sell.code === buy.code ? new Big(0) : conversionFeeOf(sell, sellAmount);
  const paymentFee = inSell(paymentFeeUsd[channel]);
  const bankCharges = channel === 'SWIFT-OUR' ? inSell(bankChargesUsd) : new Big(0);
  return { conversionFee, paymentFee, totalFee: conversionFee.plus(paymentFee), bankCharges };
}
