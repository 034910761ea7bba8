import Big from 'big.js';
import type { Chance } from '../core/seeded-random.ts';
import { asksForDocuments } from '../core/magic-values.ts';
import { type Currency, currencies } from '../market/currencies.ts';
import { documentsThreshold, type Fees, feesOf, type PaymentChannel } from '../market/fees.ts';
import type { Rates } from '../market/rates.ts';
import { invalidField } from '../core/refusal.ts';

/** What is to be exchanged: `amount` is that of the fixed side. */
export interface Exchange {
  readonly sell: Currency;
  readonly buy: Currency;
  readonly amount: Big;
  readonly fixedSide: 'buy' | 'sell';
}

/** What a payment quote was asked with, the channel already chosen. */
export interface QuoteRequest extends Exchange {
  readonly beneficiaryId: string | null;
  readonly channel: PaymentChannel;
  /** Only an ultimate partner's: a fee in the sell currency, a markup in percent. */
  readonly partner: { readonly fee: Big; readonly markup: Big };
}

/** A price, good for one payment until `expiresAtMs`. Contract: payments 2.5. */
export interface Quote extends QuoteRequest, Fees {
  readonly id: string;
  readonly issuedAtMs: number;
  expiresAtMs: number;
  readonly midRate: Big;
  /** Units of the buy currency for one of the sell currency, as the caller gets it and as the partner does. */
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
 * Finds a currency that a field names.
 * @throws Refusal `validation_failed` when it is not dealt in
 */
export function currencyNamed(place: string, code: string): Currency {
  const currency = currencies.get(code);
  if (!currency) throw invalidField(place, 'must be a supported currency code, e.g. USD');
  return currency;
}

/** The quotes of one API key. */
export class Quotes {
  readonly #quotes = new Map<string, Quote>();
  readonly #chance: Chance;
  readonly #rates: Rates;

  constructor(chance: Chance, rates: Rates) {
    this.#chance = chance;
    this.#rates = rates;
  }

  get(quoteId: string): Quote | undefined {
    return this.#quotes.get(quoteId);
  }

  /** Lets a quote be too late to be used, before its time. */
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
    const own = sidesAt(request, rate);
    const partners = sidesAt(request, bid);
    const fees = feesOf(sell, buy, own.sellAmount, request.channel);
    const totalFee = fees.totalFee.plus(partner.fee);
    const quote: Quote = {
      ...request,
      ...own,
      id: this.#chance.uuid(),
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
        asksForDocuments(amount, (fixedSide === 'sell' ? sell : buy).decimalPlaces),
      used: false,
    };
    this.#forgetExpired(nowMs);
    this.#quotes.set(quote.id, quote);
    return quote;
  }

  /** Quotes of a day ago are of no use to anybody; a long benchmark issues hundreds of thousands. */
  #forgetExpired(nowMs: number): void {
    for (const [id, quote] of this.#quotes) {
      if (quote.expiresAtMs + 86_400_000 > nowMs) return;
      this.#quotes.delete(id);
    }
  }
}

/** @throws Refusal `validation_failed` for a pair that is not dealt in */
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

/** Both sides at a rate; the one that is not fixed is rounded half up to its currency's decimals. @throws Refusal */
export function sidesAt(request: Exchange, rate: Big): { sellAmount: Big; buyAmount: Big } {
  const { amount, sell, buy, fixedSide } = request;
  const amounts =
    fixedSide === 'sell'
      ? { sellAmount: amount, buyAmount: amount.times(rate).round(buy.decimalPlaces) }
      : { sellAmount: amount.div(rate).round(sell.decimalPlaces), buyAmount: amount };
  if (amounts.buyAmount.lte(0) || amounts.sellAmount.lte(0))
    throw invalidField('amount', 'is too small to be exchanged');
  return amounts;
}
