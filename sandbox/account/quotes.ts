import Big from 'big.js';
import type { SeededRandom } from '../core/seeded-random.ts';
import { requiresDocuments } from '../core/magic-values.ts';
import { type Currency, currencies } from '../market/currencies.ts';
import { documentsThreshold, type Fees, feesOf, type PaymentChannel } from '../market/fees.ts';
import type { Rates } from '../market/rates.ts';
import { invalidField } from '../core/refusal.ts';

/** A currency exchange; `amount` is the amount of the fixed side. */
export interface Exchange {
  readonly sell: Currency;
  readonly buy: Currency;
  readonly amount: Big;
  readonly fixedSide: 'buy' | 'sell';
}

/** The request for a payment quote, with the channel already chosen. */
export interface QuoteRequest extends Exchange {
  readonly beneficiaryId: string | null;
  readonly channel: PaymentChannel;
  /** For ultimate partners only: a fee in the sell currency, a markup in percent. */
  readonly partner: { readonly fee: Big; readonly markup: Big };
}

/** A price for one payment, valid until `expiresAtMs`. Contract: payments 2.5. */
export interface Quote extends QuoteRequest, Fees {
  readonly id: string;
  readonly issuedAtMs: number;
  expiresAtMs: number;
  readonly midRate: Big;
  /** Units of the buy currency for one unit of the sell currency, for the caller and for the partner. */
  readonly rate: Big;
  readonly partnerRate: Big;
  readonly sellAmount: Big;
  readonly buyAmount: Big;
  readonly partnerSellAmount: Big;
  readonly partnerBuyAmount: Big;
  readonly totalAmount: Big;
  readonly documentsRequired: boolean;
  used: boolean;
}

const roundDown = 0;

/**
 * The currency with this code.
 * @param field the name of the field, for the message
 * @throws Refusal `validation_failed` when the currency is not supported
 */
export function requireCurrency(field: string, code: string): Currency {
  const currency = currencies.get(code);
  if (!currency) throw invalidField(field, 'must be a supported currency code, e.g. USD');
  return currency;
}

/** The quotes of one API key. */
export class Quotes {
  readonly #quotes = new Map<string, Quote>();
  readonly #random: SeededRandom;
  readonly #rates: Rates;

  constructor(random: SeededRandom, rates: Rates) {
    this.#random = random;
    this.#rates = rates;
  }

  get(quoteId: string): Quote | undefined {
    return this.#quotes.get(quoteId);
  }

  /** Makes a quote expire early. */
  expire(quoteId: string, nowMs: number): void {
    const quote = this.#quotes.get(quoteId);
    if (quote) quote.expiresAtMs = Math.min(quote.expiresAtMs, nowMs - 1);
  }

  /**
   * Issues a quote. The side that is not fixed is computed by the rate, rounded half up to its currency's decimals.
   * @throws Refusal `validation_failed` for a pair or an amount that cannot be quoted
   */
  issue(request: QuoteRequest, nowMs: number, expiresAtMs: number): Quote {
    const { sell, buy, amount, fixedSide, partner } = request;
    checkAmount(amount, fixedSide === 'sell' ? sell : buy);
    const { mid, bid } = rateFor(this.#rates, buy, sell, nowMs);
    const rate = bid.times(new Big(100).minus(partner.markup)).div(100).prec(8);
    const own = amountsAt(request, rate);
    const partners = amountsAt(request, bid);
    const fees = feesOf(sell, buy, own.sellAmount, request.channel);
    const totalFee = fees.totalFee.plus(partner.fee);
    const quote: Quote = {
      ...request,
      ...own,
      id: this.#random.uuid(),
      issuedAtMs: nowMs,
      expiresAtMs,
      midRate: mid,
      rate,
      partnerRate: bid,
      partnerSellAmount: partners.sellAmount,
      partnerBuyAmount: partners.buyAmount,
      conversionFee: fees.conversionFee,
      paymentFee: fees.paymentFee.plus(partner.fee),
      totalFee,
      bankCharges: fees.bankCharges,
      totalAmount: own.sellAmount.plus(totalFee).plus(fees.bankCharges),
      documentsRequired:
        own.sellAmount.gte(documentsThreshold(sell)) ||
        requiresDocuments(amount, (fixedSide === 'sell' ? sell : buy).decimalPlaces),
      used: false,
    };
    this.#deleteExpired(nowMs);
    this.#quotes.set(quote.id, quote);
    return quote;
  }

  /** Quotes that expired a day ago are not needed; a long benchmark issues hundreds of thousands. */
  #deleteExpired(nowMs: number): void {
    for (const [id, quote] of this.#quotes) {
      if (quote.expiresAtMs + 86_400_000 > nowMs) return;
      this.#quotes.delete(id);
    }
  }
}

/** @throws Refusal `validation_failed` for an unsupported pair */
export function rateFor(rates: Rates, buy: Currency, sell: Currency, nowMs: number): { mid: Big; bid: Big } {
  if (!sell.canBeSold) throw invalidField('sellCurrency', `${sell.code} can be bought but not sold`);
  if (buy.code === sell.code) return { mid: new Big(1), bid: new Big(1) };
  const rate = rates.at(buy.code, sell.code, nowMs);
  if (!rate) throw invalidField('buyCurrency', `${buy.code}${sell.code} is not a supported pair`);
  return rate;
}

/** @throws Refusal `validation_failed` for an amount that cannot be quoted */
export function checkAmount(amount: Big, currency: Currency): void {
  if (amount.lte(0)) throw invalidField('amount', 'must be more than zero');
  if (amount.gt('999999999999')) throw invalidField('amount', 'is more than can be quoted');
  if (amount.round(currency.decimalPlaces, roundDown).cmp(amount) !== 0) {
    throw invalidField('amount', `${currency.code} has ${currency.decimalPlaces} decimal places`);
  }
}

/** Both amounts at a rate; the side that is not fixed is rounded half up to its currency's decimals. @throws Refusal */
export function amountsAt(request: Exchange, rate: Big): { sellAmount: Big; buyAmount: Big } {
  const { amount, sell, buy, fixedSide } = request;
  const amounts =
    fixedSide === 'sell'
      ? { sellAmount: amount, buyAmount: amount.times(rate).round(buy.decimalPlaces) }
      : { sellAmount: amount.div(rate).round(sell.decimalPlaces), buyAmount: amount };
  if (amounts.buyAmount.lte(0) || amounts.sellAmount.lte(0))
    throw invalidField('amount', 'is too small to be exchanged');
  return amounts;
}
