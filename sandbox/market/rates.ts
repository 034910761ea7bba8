import Big from 'big.js';
import { hash32 } from '../core/seeded-random.ts';
import { type Currency, currencies, currencyPairs } from './currencies.ts';

/** What one unit of the sell currency is worth in the buy currency: `bid` is paid to the caller, `ask` is asked. */
export interface Rate {
  readonly bid: Big;
  readonly ask: Big;
  readonly mid: Big;
}

/** A decimal library of its own, so that no other setting of its precision changes a rate. */
const Exact = Big();
Exact.DP = 30;

const SIGNIFICANT_DIGITS = 8;
const SPREAD = new Exact('0.0015');
const WIDEST_MOVE_PPM = 1000;
const known = new Set(currencyPairs);

/**
 * Rates that move each minute by at most 0.1 % of each currency about their base: the same for the same seed and
 * minute, whoever asks and however often. Contract: payments 2.2.
 */
export class Rates {
  readonly #seed: number;
  readonly #kept = new Map<string, Rate>();
  #minute = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The rate of a pair at a moment (milliseconds since 1970); undefined when the pair is not dealt in. */
  at(buy: string, sell: string, nowMs: number): Rate | undefined {
    const minute = Math.floor(nowMs / 60_000);
    if (minute !== this.#minute) this.#kept.clear();
    this.#minute = minute;
    const pair = `${buy}${sell}`;
    const kept = this.#kept.get(pair);
    if (kept) return kept;
    const [buyCurrency, sellCurrency] = [currencies.get(buy), currencies.get(sell)];
    if (!buyCurrency || !sellCurrency || !known.has(pair)) return undefined;
    const mid = this.#perUsd(buyCurrency, minute).div(this.#perUsd(sellCurrency, minute));
    const rate = {
      mid: mid.prec(SIGNIFICANT_DIGITS),
      bid: mid.times(new Exact(1).minus(SPREAD)).prec(SIGNIFICANT_DIGITS),
      ask: mid.times(new Exact(1).plus(SPREAD)).prec(SIGNIFICANT_DIGITS),
    };
    this.#kept.set(pair, rate);
    return rate;
  }

  #perUsd(currency: Currency, minute: number): Big {
    if (currency.code === 'USD') return new Exact(1);
    const movePpm = (hash32(`${this.#seed}/${currency.code}/${minute}`) % (2 * WIDEST_MOVE_PPM + 1)) - WIDEST_MOVE_PPM;
    return new Exact(currency.perUsd).times(1_000_000 + movePpm).div(1_000_000);
  }
}
