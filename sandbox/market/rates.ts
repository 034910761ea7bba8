import Big from 'big.js';
import { hash32 } from '../core/seeded-random.ts';
import { type Currency, currencies, currencyPairs } from './currencies.ts';

/** The price of one unit of the sell currency in the buy currency; callers get the `bid`. */
export interface Rate {
  readonly bid: Big;
  readonly ask: Big;
  readonly mid: Big;
}

/** A separate Big constructor, so that the precision set elsewhere does not change a rate. */
const Exact = Big();
Exact.DP = 30;

const SIGNIFICANT_DIGITS = 8;
const SPREAD = new Exact('0.0015');
const MAX_MOVE_PPM = 1000;
const supportedPairs = new Set(currencyPairs);

/**
 * Rates that change every minute by at most 0.1 % per currency around their base. They depend only on the seed and the
 * minute. Contract: payments 2.2.
 */
export class Rates {
  readonly #seed: number;
  readonly #cache = new Map<string, Rate>();
  #minute = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The rate of a pair at a moment (milliseconds since 1970); undefined for an unsupported pair. */
  at(buy: string, sell: string, nowMs: number): Rate | undefined {
    const minute = Math.floor(nowMs / 60_000);
    if (minute !== this.#minute) this.#cache.clear();
    this.#minute = minute;
    const pair = `${buy}${sell}`;
    const cached = this.#cache.get(pair);
    if (cached) return cached;
    const [buyCurrency, sellCurrency] = [currencies.get(buy), currencies.get(sell)];
    if (!buyCurrency || !sellCurrency || !supportedPairs.has(pair)) return undefined;
    const mid = this.#perUsd(buyCurrency, minute).div(this.#perUsd(sellCurrency, minute));
    const rate = {
      mid: mid.prec(SIGNIFICANT_DIGITS),
      bid: mid.times(new Exact(1).minus(SPREAD)).prec(SIGNIFICANT_DIGITS),
      ask: mid.times(new Exact(1).plus(SPREAD)).prec(SIGNIFICANT_DIGITS),
    };
    this.#cache.set(pair, rate);
    return rate;
  }

  #perUsd(currency: Currency, minute: number): Big {
    if (currency.code === 'USD') return new Exact(1);
    const movePpm = (hash32(`${this.#seed}/${currency.code}/${minute}`) % (2 * MAX_MOVE_PPM + 1)) - MAX_MOVE_PPM;
    return new Exact(currency.perUsd).times(1_000_000 + movePpm).div(1_000_000);
  }
}
