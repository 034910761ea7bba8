import type { Chance } from '../core/seeded-random.ts';
import type { Clock } from '../core/clock.ts';
import { endingOf, isSlow, isStuck } from '../core/magic-values.ts';
import type { SandboxOptions } from '../config/defaults.ts';
import { invalidField, notFound, Refusal } from '../core/refusal.ts';
import { type Beneficiary, namesOf } from './beneficiaries.ts';
import { type FindLimits, found } from './find-limits.ts';
import type { Ledger } from './ledger.ts';
import type { Quote } from './quotes.ts';
import type { Refund, RefundBook } from './refund-book.ts';
import { isoTime, type PaymentInstruction, type PaymentStatus, type SimplePayment } from './simple-payment.ts';
import type { TimeRange } from './time-range.ts';

type BookOptions = Pick<
  SandboxOptions,
  'fundingWindowMs' | 'completionMinMs' | 'secondFunding' | 'completionMaxMs' | 'slowCompletionMs' | 'failureReason'
>;

export interface BookDependencies {
  readonly options: BookOptions;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly ledger: Ledger;
  readonly refunds: RefundBook;
  /** The statuses beyond the contract that a payment passes through once it was funded. */
  readonly statusesOnTheWay: (paymentId: string) => readonly string[];
  /** Told of every status that a payment takes, the first included. */
  readonly announce: (payment: SimplePayment) => void;
}

/**
 * The simple payments of one API key and their states: awaiting_funds → processing → completed, rejected or failed.
 * The total is debited when a payment is funded; when it ends badly a refund credits it again.
 */
export class PaymentBook {
  readonly #given: BookDependencies;
  readonly #byId = new Map<string, SimplePayment>();
  readonly #byReferenceId = new Map<string, SimplePayment[]>();
  /** In the order of creation, which is the order of createdAt. */
  readonly #inOrder: SimplePayment[] = [];
  #closed = false;
  /** How many payments are in each status. */
  readonly counts: Partial<Record<PaymentStatus, number>> = {};
  readonly createdMoreThanOnce = new Set<string>();
  readonly fundedMoreThanOnce = new Set<string>();

  constructor(given: BookDependencies) {
    this.#given = given;
  }

  create(quote: Quote, beneficiary: Beneficiary, instruction: PaymentInstruction): SimplePayment {
    const { options, clock, chance, ledger, announce } = this.#given;
    const createdAtMs = clock.now();
    const payment: SimplePayment = {
      id: chance.uuid(),
      number: ledger.nextNumber(),
      quote,
      beneficiary,
      instruction,
      reference: `SP${isoTime(createdAtMs).slice(2, 10).replaceAll('-', '')}${chance.code(8)}`,
      fundingReference: chance.code(6),
      createdAtMs,
      fundingCutoffAtMs: createdAtMs + options.fundingWindowMs,
      status: 'awaiting_funds',
      statusOnTheWay: null,
      completedAtMs: null,
      reason: null,
      failureReason: null,
      timesFunded: 0,
      timesRefunded: 0,
      written: null,
    };
    this.#byId.set(payment.id, payment);
    this.#inOrder.push(payment);
    this.#keepReference(payment);
    this.counts.awaiting_funds = (this.counts.awaiting_funds ?? 0) + 1;
    announce(payment);
    return payment;
  }

  /** @throws Refusal 404 `not_found` */
  get(simplePaymentId: string): SimplePayment {
    const payment = this.#byId.get(simplePaymentId);
    if (!payment) throw notFound('simple payment');
    return payment;
  }

  withReferenceId(referenceId: string): readonly SimplePayment[] {
    return this.#byReferenceId.get(referenceId) ?? [];
  }

  refundsOf(payment: SimplePayment): readonly Refund[] {
    return this.#given.refunds.of(payment);
  }

  all(): readonly SimplePayment[] {
    return this.#inOrder;
  }

  /** What find shows: created in the range, newest first, less what is kept back. */
  find(range: TimeRange, referenceId: string | undefined, limits: FindLimits): SimplePayment[] {
    const from = referenceId === undefined ? this.#inOrder : this.withReferenceId(referenceId);
    return found(from, range, limits, this.#given.clock.now());
  }

  /**
   * Funds a payment from the balance and lets it take its course.
   * @throws Refusal 409 `not_fundable` or `funding_cutoff_passed`, 400 `insufficient_balance`
   */
  fund(simplePaymentId: string): SimplePayment {
    const payment = this.get(simplePaymentId);
    const nowMs = this.#given.clock.now();
    const { totalAmount, sell } = payment.quote;
    const { secondFunding } = this.#given.options;
    const isAgain = payment.status === 'processing' && secondFunding !== 'refuse';
    if (isAgain && secondFunding === 'same') return payment;
    if (payment.status !== 'awaiting_funds' && !isAgain) {
      throw new Refusal(409, 'not_fundable', `the payment is ${payment.status}, not awaiting_funds`);
    }
    if (nowMs > payment.fundingCutoffAtMs) {
      throw new Refusal(409, 'funding_cutoff_passed', 'the payment could be funded until its fundingCutoffTime');
    }
    const balance = this.#given.ledger.in(sell.code);
    if (!balance || balance.amount.lt(totalAmount)) {
      throw new Refusal(400, 'insufficient_balance', `the ${sell.code} balance is less than the payment's totalAmount`);
    }
    this.#given.ledger.write(balance, totalAmount.times(-1), 'payment', payment.number, nowMs);
    payment.timesFunded += 1;
    if (payment.timesFunded > 1) this.fundedMoreThanOnce.add(payment.id);
    if (isAgain) return payment;
    this.#move(payment, 'processing', null);
    this.#settleLater(payment);
    return payment;
  }

  /** Puts a payment into any status, as an operator would; what was debited for one that ends badly is refunded. */
  force(payment: SimplePayment, status: PaymentStatus, reason: string | null): void {
    if (payment.status === status) throw invalidField('status', `the payment is ${status} already`);
    this.#move(payment, status, reason);
  }

  /** Stops what was going to happen: after a reset nothing of the past may happen or be told any more. */
  close(): void {
    this.#closed = true;
  }

  #keepReference(payment: SimplePayment): void {
    const { referenceId } = payment.instruction;
    if (referenceId === undefined || referenceId === null) return;
    const others = this.#byReferenceId.get(referenceId);
    if (others) this.createdMoreThanOnce.add(referenceId);
    if (others) others.push(payment);
    else this.#byReferenceId.set(referenceId, [payment]);
  }

  #settleLater(payment: SimplePayment): void {
    const { options, clock, chance } = this.#given;
    const { amount, fixedSide, sell, buy } = payment.quote;
    const names = namesOf(payment.beneficiary);
    const usualMs = chance.between(options.completionMinMs, options.completionMaxMs);
    const withinMs = isSlow(names) ? options.slowCompletionMs : usualMs;
    this.#passOnTheWay(payment, withinMs);
    if (isStuck(names)) return;
    const ending = endingOf(amount, (fixedSide === 'sell' ? sell : buy).decimalPlaces);
    clock.after(withinMs, () => {
      if (this.#closed || payment.status !== 'processing') return;
      this.#move(payment, ending?.status ?? 'completed', ending?.reason ?? null);
    });
  }

  #passOnTheWay(payment: SimplePayment, withinMs: number): void {
    const { clock, statusesOnTheWay, announce } = this.#given;
    const statuses = statusesOnTheWay(payment.id);
    for (const [place, status] of statuses.entries()) {
      clock.after(Math.round(((place + 1) * withinMs) / (statuses.length + 1)), () => {
        if (this.#closed || payment.status !== 'processing') return;
        payment.statusOnTheWay = status;
        payment.written = null;
        announce(payment);
      });
    }
  }

  #move(payment: SimplePayment, status: PaymentStatus, reason: string | null): void {
    const { options, clock, refunds, announce } = this.#given;
    const endsBadly = status === 'rejected' || status === 'failed';
    this.counts[payment.status] = (this.counts[payment.status] ?? 0) - 1;
    this.counts[status] = (this.counts[status] ?? 0) + 1;
    payment.status = status;
    payment.statusOnTheWay = null;
    payment.completedAtMs = status === 'completed' ? clock.now() : null;
    payment.reason = endsBadly ? (reason ?? 'No reason was given') : null;
    payment.failureReason = status === 'failed' || options.failureReason === 'both' ? payment.reason : null;
    payment.written = null;
    announce(payment);
    while (endsBadly && this.refundsOf(payment).length < payment.timesFunded) refunds.issueFor(payment);
  }
}
