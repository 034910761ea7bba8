import { Refusal } from './refusal.ts';
import type { SimulatedProvider } from './simulated-provider.ts';

/**
 * Conversions of the simulated provider. Where the contract is silent it is not kinder than it: the status of one that is funded stays
 * the same until it is completed, and nothing names its lines in the history. Contract: payments 2.3, 2.4, 4.3.
 */

export interface ProviderConversion {
  id: string;
  referenceId: string;
  status: 'awaiting_funds' | 'completed';
  pair: Pair;
  sell: number;
  buy: number;
  fee: number;
  createdMs: number;
  /** Lookups by reference show it from then on. */
  listedMs: number;
  cutOffMs: number;
  /** The lines of the history that are its debits: more than one if it was funded twice. */
  lineIds: string[];
  isCredited: boolean;
}

export interface Pair {
  sellCurrency: string;
  buyCurrency: string;
  fixedSide: 'sell' | 'buy';
}

/** Of what is sold. No conversion costs as much as a payment: equal debits are another matter. */
const PRICES: Readonly<Record<string, number>> = { 'USD/SGD': 1.25, 'EUR/SGD': 1.6, 'USD/EUR': 0.8 };
const FEE = 250;
/** A quote is used at once. */
const QUOTE_MS = 2 * 60_000;
const HOUR_MS = 3_600_000;
const LIST_LAG_MS = 40_000;

export class SimulatedConversions {
  readonly all: ProviderConversion[] = [];
  /**
   * It takes the money of a conversion again when it is asked to fund it again; then it carries out what it was asked within
   * minutes or never. Another provider refuses the second request, and may carry out the first one days later.
   */
  readonly takesMoneyTwice: boolean;
  readonly #quotes = new Map<string, { pair: Pair; sell: number; buy: number; quotedMs: number }>();
  /** It may be funded for so long. */
  readonly #cutOffMs: number;
  readonly #provider: SimulatedProvider;
  readonly #now: () => number;

  constructor(provider: SimulatedProvider, now: () => number, isLate: boolean) {
    this.#provider = provider;
    this.#now = now;
    this.#cutOffMs = (isLate ? 2 : 24) * HOUR_MS;
    this.takesMoneyTwice = !isLate && provider.dice.chance(0.5);
  }

  /** In units bought per unit sold. */
  static priceOf(pair: Pick<Pair, 'sellCurrency' | 'buyCurrency'>): number {
    const price = PRICES[`${pair.sellCurrency}/${pair.buyCurrency}`];
    if (price === undefined) throw new Refusal(400, 'no such pair');
    return price;
  }

  quote(pair: Pair, amount: number): { quoteId: string; sell: number; buy: number; fee: number } {
    const price = SimulatedConversions.priceOf(pair);
    const isOfSold = pair.fixedSide === 'sell';
    const [sell, buy] = isOfSold ? [amount, Math.round(amount * price)] : [Math.round(amount / price), amount];
    const quoteId = this.#provider.id('conversion-quote');
    this.#quotes.set(quoteId, { pair, sell, buy, quotedMs: this.#now() });
    return { quoteId, sell, buy, fee: FEE };
  }

  /** `priceFactor`: not 1, at another price than quoted. */
  create(quoteId: string, referenceId: string, acceptedMs: number, priceFactor: number): ProviderConversion {
    const quote = this.#quotes.get(quoteId);
    if (quote === undefined) throw new Refusal(404, 'no such quote');
    if (acceptedMs - quote.quotedMs > QUOTE_MS) throw new Refusal(400, 'the quote has expired');
    if (this.all.some((other) => other.referenceId === referenceId)) throw new Refusal(409, 'reference in use');
    this.#quotes.delete(quoteId);
    const { pair, sell, buy } = quote;
    const nowMs = this.#now();
    const { dice } = this.#provider;
    const conversion: ProviderConversion = {
      ...{ id: this.#provider.id('conversion'), referenceId, status: 'awaiting_funds', pair, sell, buy },
      ...{ fee: FEE * priceFactor, createdMs: nowMs, cutOffMs: nowMs + this.#cutOffMs },
      listedMs: nowMs + (dice.chance(0.2) ? dice.below(LIST_LAG_MS) : 0),
      ...{ lineIds: [], isCredited: false },
    };
    this.all.push(conversion);
    return conversion;
  }

  fund(id: string, acceptedMs: number): ProviderConversion {
    const conversion = this.find(id);
    if (conversion.status === 'completed') throw new Refusal(409, 'the conversion is completed');
    if (conversion.cutOffMs <= acceptedMs) throw new Refusal(409, 'the cut-off has passed');
    if (conversion.lineIds.length > 0 && !this.takesMoneyTwice) throw new Refusal(409, 'the conversion is funded');
    const { sellCurrency } = conversion.pair;
    const total = conversion.sell + conversion.fee;
    if (this.#provider.balanceOf(sellCurrency) < total) throw new Refusal(400, 'the balance is too small');
    conversion.lineIds.push(this.#provider.post(sellCurrency, -total));
    return conversion;
  }

  find(id: string): ProviderConversion {
    const conversion = this.all.find((candidate) => candidate.id === id);
    if (conversion === undefined) throw new Refusal(404, 'no such conversion');
    return conversion;
  }

  /** The bought money comes now, or later. */
  complete(conversion: ProviderConversion, isCredited: boolean): void {
    conversion.status = 'completed';
    if (isCredited) this.credit(conversion);
  }

  credit(conversion: ProviderConversion): void {
    conversion.isCredited = true;
    this.#provider.post(conversion.pair.buyCurrency, conversion.buy);
  }
}
