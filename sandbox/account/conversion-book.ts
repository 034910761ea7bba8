import type { SeededRandom } from '../core/seeded-random.ts';
import type { Clock } from '../core/clock.ts';
import type { SandboxOptions } from '../config/options.ts';
import { conversionFeeOf } from '../market/fees.ts';
import type { Rates } from '../market/rates.ts';
import { invalidField, notFound, Refusal } from '../core/refusal.ts';
import type { Conversion, ConversionQuote, ConversionStatus } from './conversion.ts';
import { type FindLimits, findWithin } from './find-limits.ts';
import type { Ledger } from './ledger.ts';
import { checkAmount, type Exchange, rateFor, amountsAt } from './quotes.ts';
import type { TimeRange } from './time-range.ts';

interface ConversionDependencies {
  readonly options: Pick<
    SandboxOptions,
    'quoteTtlMs' | 'fundingDeadlineMs' | 'completionMinMs' | 'completionMaxMs' | 'secondFunding'
  >;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly rates: Rates;
  readonly ledger: Ledger;
  /** Called for every new status, including the first. */
  readonly notify: (conversion: Conversion) => void;
}

/**
 * The conversions of one API key: awaiting_funds → completed. Funding debits totalAmount at once and leaves the status
 * unchanged; some seconds later the conversion completes and buyAmount is credited. Contract: payments 4.3.
 */
export class ConversionBook {
  readonly #deps: ConversionDependencies;
  readonly #quotes = new Map<string, ConversionQuote>();
  readonly #byId = new Map<string, Conversion>();
  readonly #inOrder: Conversion[] = [];
  readonly createdMoreThanOnce = new Set<string>();
  readonly fundedMoreThanOnce = new Set<string>();
  #closed = false;

  constructor(deps: ConversionDependencies) {
    this.#deps = deps;
  }

  /** @throws Refusal `validation_failed` for a pair or an amount that cannot be quoted */
  quote(exchange: Exchange): ConversionQuote {
    const { options, clock, random, rates } = this.#deps;
    const { sell, buy, amount, fixedSide } = exchange;
    const nowMs = clock.now();
    checkAmount(amount, fixedSide === 'sell' ? sell : buy);
    if (sell.code === buy.code) throw invalidField('buyCurrency', 'must differ from sellCurrency');
    const { bid: rate } = rateFor(rates, buy, sell, nowMs);
    const { sellAmount, buyAmount } = amountsAt(exchange, rate);
    const totalFees = conversionFeeOf(sell, sellAmount);
    const expiresAtMs = nowMs + options.quoteTtlMs;
    const totalAmount = sellAmount.plus(totalFees);
    const price = { sell, buy, fixedSide, rate, sellAmount, buyAmount, totalFees, totalAmount };
    const quote: ConversionQuote = { id: random.uuid(), ...price, expiresAtMs, used: false };
    this.#quotes.set(quote.id, quote);
    return quote;
  }

  /** Makes a quote expire early. */
  expireQuote(quoteId: string): void {
    const quote = this.#quotes.get(quoteId);
    if (quote) quote.expiresAtMs = Math.min(quote.expiresAtMs, this.#deps.clock.now() - 1);
  }

  /** @throws Refusal 404 `quote_not_found`, 409 `quote_used`, 400 `quote_expired` */
  create(quoteId: string, referenceId: string | null): Conversion {
    const { options, clock, random, ledger, notify } = this.#deps;
    const createdAtMs = clock.now();
    const quote = this.#quotes.get(quoteId);
    if (!quote) throw new Refusal(404, 'quote_not_found', 'quoteId: no such quote was issued');
    if (quote.used) throw new Refusal(409, 'quote_used', 'quoteId: the quote was used already; ask for a new one');
    if (createdAtMs > quote.expiresAtMs) {
      throw new Refusal(400, 'quote_expired', 'quoteId: the quote has expired; ask for a new one');
    }
    quote.used = true;
    const conversion: Conversion = {
      id: random.uuid(),
      number: ledger.nextNumber(),
      quote,
      referenceId,
      createdAtMs,
      fundingCutoffAtMs: createdAtMs + options.fundingDeadlineMs,
      status: 'awaiting_funds',
      timesFunded: 0,
      credited: false,
    };
    this.#byId.set(conversion.id, conversion);
    this.#inOrder.push(conversion);
    if (referenceId !== null && this.withReferenceId(referenceId).length > 1) this.createdMoreThanOnce.add(referenceId);
    notify(conversion);
    return conversion;
  }

  /** @throws Refusal 404 `not_found` */
  get(conversionId: string): Conversion {
    const conversion = this.#byId.get(conversionId);
    if (!conversion) throw notFound('conversion');
    return conversion;
  }

  all(): readonly Conversion[] {
    return this.#inOrder;
  }

  withReferenceId(referenceId: string): Conversion[] {
    return this.#inOrder.filter((conversion) => conversion.referenceId === referenceId);
  }

  /** The result of find: created in the range, newest first, within the limits. */
  find(range: TimeRange, referenceId: string | undefined, limits: FindLimits): Conversion[] {
    const from = referenceId === undefined ? this.#inOrder : this.withReferenceId(referenceId);
    return findWithin(from, range, limits, this.#deps.clock.now());
  }

  /** @throws Refusal 409 `not_fundable` or `funding_cutoff_passed`, 400 `insufficient_balance` */
  fund(conversionId: string): Conversion {
    const { options, clock, random, ledger } = this.#deps;
    const conversion = this.get(conversionId);
    const { totalAmount, sell } = conversion.quote;
    const isAgain = conversion.timesFunded > 0 && options.secondFunding !== 'refuse';
    if (isAgain && options.secondFunding === 'same') return conversion;
    if (!isAgain && (conversion.timesFunded > 0 || conversion.status !== 'awaiting_funds')) {
      throw new Refusal(409, 'not_fundable', 'the conversion was funded already');
    }
    if (clock.now() > conversion.fundingCutoffAtMs) {
      throw new Refusal(409, 'funding_cutoff_passed', 'the conversion could be funded until its fundingCutoffTime');
    }
    const balance = ledger.in(sell.code);
    if (!balance || balance.amount.lt(totalAmount)) {
      throw new Refusal(400, 'insufficient_balance', `the ${sell.code} balance is less than totalAmount`);
    }
    ledger.write(balance, totalAmount.times(-1), 'conversion', conversion.number, clock.now());
    conversion.timesFunded += 1;
    if (conversion.timesFunded > 1) {
      this.fundedMoreThanOnce.add(conversion.id);
      return conversion;
    }
    clock.after(random.between(options.completionMinMs, options.completionMaxMs), () => {
      if (!this.#closed && conversion.status === 'awaiting_funds') this.#transition(conversion, 'completed');
    });
    return conversion;
  }

  /** An unfunded conversion that is forced to completed was paid by bank: buyAmount is credited and nothing is debited. */
  force(conversion: Conversion, status: ConversionStatus): void {
    if (conversion.status === status) throw invalidField('status', `the conversion is ${status} already`);
    this.#transition(conversion, status);
  }

  close(): void {
    this.#closed = true;
  }

  #transition(conversion: Conversion, status: ConversionStatus): void {
    const { clock, ledger, notify } = this.#deps;
    conversion.status = status;
    const balance = ledger.in(conversion.quote.buy.code);
    if (status === 'completed' && balance && !conversion.credited) {
      ledger.write(balance, conversion.quote.buyAmount, 'conversion_credit', conversion.number, clock.now());
      conversion.credited = true;
    }
    notify(conversion);
  }
}
