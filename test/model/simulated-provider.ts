import { Dice } from './dice.ts';
import { Refusal } from './refusal.ts';
import { SimulatedConversions } from './simulated-conversions.ts';

/**
 * A provider in memory that follows the contract, and where that is silent is not kinder than it: what was asked may be done much
 * later, lists lag, an answer may be lost. Amounts are in minor units. Contract: payments 2.5 to 2.7, 4.4, 4.5.
 */

export type PaymentStatus = 'awaiting_funds' | 'processing' | 'completed' | 'rejected' | 'failed';

export interface ProviderPayment {
  id: string;
  referenceId: string;
  status: PaymentStatus;
  sell: number;
  fee: number;
  /** Of the quote: it may have been created at another price. */
  quotedFee: number;
  currency: string;
  createdMs: number;
  /** Lists and lookups by reference show it from then on. */
  listedMs: number;
  cutOffMs: number;
  isDebited: boolean;
  /** The lines of the history that are its debit. */
  lineIds: string[];
  /** Its money is back in the balance, or is certain to come. */
  isReversed: boolean;
}

export interface HistoryLine {
  id: string;
  currency: string;
  before: number;
  after: number;
  dateMs: number;
  listedMs: number;
  transactionId: string | null;
}

export interface Listed {
  id: string;
  currency: string;
  amount: number;
  /** Of a refund: the payment. */
  resourceId: string | null;
  listedMs: number;
}

/** What was asked, and is done later or never. */
export interface Pending {
  kind: 'create' | 'fund';
  referenceId: string;
  /** It is not done later than that. */
  untilMs?: number;
  carryOut: () => void;
}

const HOUR = 3_600_000;

export class SimulatedProvider {
  readonly payments: ProviderPayment[] = [];
  readonly history: HistoryLine[] = [];
  readonly refunds: Listed[] = [];
  readonly fundings: Listed[] = [];
  /** Refunds that were announced, and whose money is not there yet. */
  readonly owed: Listed[] = [];
  pending: Pending[] = [];
  readonly conversions: SimulatedConversions;
  /** What it shows of a payment has no amounts, which the contract allows. */
  hidesAmounts = false;
  readonly #quotes = new Map<string, { sell: number; fee: number; currency: string; expiresMs: number }>();
  readonly #balances = new Map<string, number>();
  readonly #now: () => number;
  readonly #name: string;
  /** Of all payments or of none: nobody could tell a payment's first part, without the fee, from a whole one without a fee. */
  readonly #takesFees: boolean;
  #ids = 0;
  /** How it behaves in this history, wherever the contract does not say. */
  dice: Dice;

  constructor(name: string, now: () => number, { seed, isLate }: { seed: number; isLate: boolean }) {
    this.#name = name;
    this.#now = now;
    this.dice = new Dice(seed);
    this.#takesFees = this.dice.chance(0.6);
    this.conversions = new SimulatedConversions(this, now, isLate);
  }

  id(kind: string): string {
    this.#ids += 1;
    return `${this.#name}-${kind}-${this.#ids}`;
  }

  balances(): { currency: string; amount: number }[] {
    return [...this.#balances].map(([currency, amount]) => ({ currency, amount }));
  }

  balanceOf(currency: string): number {
    return this.#balances.get(currency) ?? 0;
  }

  /** The first money, which the history shows at once. */
  open(balances: Readonly<Record<string, number>>): void {
    for (const [currency, amount] of Object.entries(balances)) {
      this.post(currency, amount);
      for (const line of this.history) line.listedMs = line.dateMs;
    }
  }

  /** A line of the history: shown at once, or within minutes. */
  post(currency: string, change: number, transactionId: string | null = null): string {
    const before = this.balanceOf(currency);
    this.#balances.set(currency, before + change);
    const nowMs = this.#now();
    const lagMs = this.dice.chance(0.3) ? this.dice.below(5 * 60_000) : 0;
    const id = this.id('line');
    this.history.push({
      ...{ id, currency, before, after: before + change },
      ...{ dateMs: nowMs, listedMs: nowMs + lagMs, transactionId },
    });
    return id;
  }

  quote(sell: number, currency: string): { quoteId: string; sell: number; fee: number; expiresMs: number } {
    const quoteId = this.id('quote');
    const fee = this.#takesFees ? this.dice.pick([150, 200]) : 0;
    const quote = { sell, fee, currency, expiresMs: this.#now() + 10 * 60_000 };
    this.#quotes.set(quoteId, quote);
    return { quoteId, ...quote };
  }

  /** `acceptedMs`: a quote that was valid then is used, however much later. `priceFactor`: not 1, at another price than quoted. */
  create(quoteId: string, referenceId: string, acceptedMs: number, priceFactor = 1): ProviderPayment {
    const quote = this.#quotes.get(quoteId);
    if (quote === undefined) throw new Refusal(404, 'no such quote');
    if (quote.expiresMs <= acceptedMs) throw new Refusal(400, 'the quote has expired');
    if (this.payments.some((other) => other.referenceId === referenceId)) throw new Refusal(409, 'reference in use');
    this.#quotes.delete(quoteId);
    const nowMs = this.#now();
    const payment: ProviderPayment = {
      ...{
        id: this.id('payment'),
        referenceId,
        status: 'awaiting_funds',
        sell: quote.sell,
        fee: quote.fee * priceFactor,
      },
      ...{ quotedFee: quote.fee },
      ...{ currency: quote.currency, createdMs: nowMs, cutOffMs: nowMs + 48 * HOUR },
      listedMs: nowMs + (this.dice.chance(0.2) ? this.dice.below(40_000) : 0),
      ...{ isDebited: false, lineIds: [], isReversed: false },
    };
    this.payments.push(payment);
    return payment;
  }

  fund(id: string, acceptedMs: number): ProviderPayment {
    const payment = this.payment(id);
    if (payment === null) throw new Refusal(404, 'no such payment');
    if (payment.status !== 'awaiting_funds') throw new Refusal(409, 'the payment does not wait for funds');
    if (payment.cutOffMs <= acceptedMs) throw new Refusal(409, 'the cut-off has passed');
    const total = payment.sell + payment.fee;
    if (this.balanceOf(payment.currency) < total) throw new Refusal(400, 'the balance is too small');
    payment.status = 'processing';
    payment.isDebited = true;
    const transactionId = this.dice.chance(0.5) ? this.id('transaction') : null;
    const isApart = payment.fee > 0 && this.dice.chance(0.3);
    const legs = isApart ? [payment.sell, payment.fee] : [total];
    payment.lineIds = legs.map((leg) => this.post(payment.currency, -leg, transactionId));
    return payment;
  }

  payment(id: string): ProviderPayment | null {
    return this.payments.find((payment) => payment.id === id) ?? null;
  }

  /** As its lists show them now. */
  listed<T extends { listedMs: number }>(all: readonly T[]): T[] {
    return all.filter(({ listedMs }) => listedMs <= this.#now());
  }

  /** How a payment ends: what was taken for one that is not carried out comes back, by a refund. */
  end(payment: ProviderPayment, status: 'completed' | 'rejected' | 'failed'): void {
    payment.status = status;
    if (status !== 'completed' && payment.isDebited) this.refund(payment, payment.sell + payment.fee);
  }

  /** Announces that money of a payment comes back. */
  refund(payment: ProviderPayment, amount: number): Listed {
    const listedMs = this.#now() + (this.dice.chance(0.3) ? this.dice.below(HOUR) : 0);
    const { currency, id: resourceId } = payment;
    const refund = { id: this.id('refund'), currency, amount, resourceId, listedMs };
    this.refunds.push(refund);
    this.owed.push(refund);
    payment.isReversed = true;
    return refund;
  }

  /** A refund that was announced fails: the provider keeps the money. */
  keep(refund: Listed): void {
    this.owed.splice(this.owed.indexOf(refund), 1);
    const payment = this.payment(refund.resourceId ?? '');
    if (payment?.status === 'completed') payment.isReversed = false;
  }

  /** The money of a refund is in the balance. */
  payOut(refund: Listed): void {
    this.owed.splice(this.owed.indexOf(refund), 1);
    this.post(refund.currency, refund.amount);
  }

  deposit(currency: string, amount: number, isListed: boolean): void {
    this.post(currency, amount);
    const listedMs = this.#now() + this.dice.below(10 * 60_000);
    if (isListed) this.fundings.push({ id: this.id('funding'), currency, amount, resourceId: null, listedMs });
  }

  /** What was asked long ago is done, unless it cannot be done any more. */
  carryOut(pending: Pending): void {
    this.pending = this.pending.filter((other) => other !== pending);
    if (this.#now() > (pending.untilMs ?? Infinity)) return;
    try {
      pending.carryOut();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  drop(pending: readonly Pending[]): void {
    this.pending = this.pending.filter((other) => !pending.includes(other));
  }
}
