import type { SeededRandom } from '../core/seeded-random.ts';
import type { Clock } from '../core/clock.ts';
import { badEndingOf, isSlow, isStuck } from '../core/magic-values.ts';
import type { SandboxOptions } from '../config/options.ts';
import { invalidField, notFound, Refusal } from '../core/refusal.ts';
import { type Beneficiary, namesOf } from './beneficiaries.ts';
import { type FindLimits, findWithin } from './find-limits.ts';
import type { Ledger } from './ledger.ts';
import type { Quote } from './quotes.ts';
import type { Refund, RefundBook } from './refund-book.ts';
import { isoTime, type PaymentInstruction, type PaymentStatus, type SimplePayment } from './simple-payment.ts';
import type { TimeRange } from './time-range.ts';

type BookOptions = Pick<
  SandboxOptions,
  'fundingDeadlineMs' | 'completionMinMs' | 'secondFunding' | 'completionMaxMs' | 'slowCompletionMs' | 'failureReason'
>;

export interface BookDependencies {
  readonly options: BookOptions;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly ledger: Ledger;
  readonly refunds: RefundBook;
  /** The statuses outside the contract that a funded payment goes through. */
  readonly interimStatuses: (paymentId: string) => readonly string[];
  /** Called for every new status, including the first. */
  readonly notify: (payment: SimplePayment) => void;
}

/**
 * The simple payments of one API key and their states: awaiting_funds → processing → completed, rejected or failed.
 * The total is debited when a payment is funded; when the payment is rejected or fails, a refund credits it again.
 */
export class PaymentBook {
  readonly #deps: BookDependencies;
  readonly #byId = new Map<string, SimplePayment>();
  readonly #byReferenceId = new Map<string, SimplePayment[]>();
  /** Ordered by createdAt. */
  readonly #inOrder: SimplePayment[] = [];
  #closed = false;
  /** The number of payments in each status. */
  readonly counts: Partial<Record<PaymentStatus, number>> = {};
  readonly createdMoreThanOnce = new Set<string>();
  readonly fundedMoreThanOnce = new Set<string>();

  constructor(deps: BookDependencies) {
    this.#deps = deps;
  }

  create(quote: Quote, beneficiary: Beneficiary, instruction: PaymentInstruction): SimplePayment {
    const { options, clock, random, ledger, notify } = this.#deps;
    const createdAtMs = clock.now();
    const payment: SimplePayment = {
      id: random.uuid(),
      number: ledger.nextNumber(),
      quote,
      beneficiary,
      instruction,
      reference: `SP${isoTime(createdAtMs).slice(2, 10).replaceAll('-', '')}${random.code(8)}`,
      fundingReference: random.code(6),
      createdAtMs,
      fundingCutoffAtMs: createdAtMs + options.fundingDeadlineMs,
      status: 'awaiting_funds',
      interimStatus: null,
      completedAtMs: null,
      reason: null,
      failureReason: null,
      timesFunded: 0,
      timesRefunded: 0,
      cachedAnswer: null,
    };
    this.#byId.set(payment.id, payment);
    this.#inOrder.push(payment);
    this.#indexReference(payment);
    this.counts.awaiting_funds = (this.counts.awaiting_funds ?? 0) + 1;
    notify(payment);
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
    return this.#deps.refunds.of(payment);
  }

  all(): readonly SimplePayment[] {
    return this.#inOrder;
  }

  /** The result of find: created in the range, newest first, within the limits. */
  find(range: TimeRange, referenceId: string | undefined, limits: FindLimits): SimplePayment[] {
    const from = referenceId === undefined ? this.#inOrder : this.withReferenceId(referenceId);
    return findWithin(from, range, limits, this.#deps.clock.now());
  }

  /**
   * Funds a payment from the balance and schedules its completion.
   * @throws Refusal 409 `not_fundable` or `funding_cutoff_passed`, 400 `insufficient_balance`
   */
  fund(simplePaymentId: string): SimplePayment {
    const payment = this.get(simplePaymentId);
    const nowMs = this.#deps.clock.now();
    const { totalAmount, sell } = payment.quote;
    const { secondFunding } = this.#deps.options;
    const isAgain = payment.status === 'processing' && secondFunding !== 'refuse';
    if (isAgain && secondFunding === 'same') return payment;
    if (payment.status !== 'awaiting_funds' && !isAgain) {
      throw new Refusal(409, 'not_fundable', `the payment is ${payment.status}, not awaiting_funds`);
    }
    if (nowMs > payment.fundingCutoffAtMs) {
      throw new Refusal(409, 'funding_cutoff_passed', 'the payment could be funded until its fundingCutoffTime');
    }
    const balance = this.#deps.ledger.in(sell.code);
    if (!balance || balance.amount.lt(totalAmount)) {
      throw new Refusal(400, 'insufficient_balance', `the ${sell.code} balance is less than the payment's totalAmount`);
    }
    this.#deps.ledger.write(balance, totalAmount.times(-1), 'payment', payment.number, nowMs);
    payment.timesFunded += 1;
    if (payment.timesFunded > 1) this.fundedMoreThanOnce.add(payment.id);
    if (isAgain) return payment;
    this.#transition(payment, 'processing', null);
    this.#scheduleCompletion(payment);
    return payment;
  }

  /** Sets any status, as an operator would; the debits of a rejected or failed payment are refunded. */
  force(payment: SimplePayment, status: PaymentStatus, reason: string | null): void {
    if (payment.status === status) throw invalidField('status', `the payment is ${status} already`);
    this.#transition(payment, status, reason);
  }

  /** Ignores all scheduled events: after a reset, old payments must not change or be notified any more. */
  close(): void {
    this.#closed = true;
  }

  #indexReference(payment: SimplePayment): void {
    const { referenceId } = payment.instruction;
    if (referenceId === undefined || referenceId === null) return;
    const others = this.#byReferenceId.get(referenceId);
    if (others) this.createdMoreThanOnce.add(referenceId);
    if (others) others.push(payment);
    else this.#byReferenceId.set(referenceId, [payment]);
  }

  #scheduleCompletion(payment: SimplePayment): void {
    const { options, clock, random } = this.#deps;
    const { amount, fixedSide, sell, buy } = payment.quote;
    const names = namesOf(payment.beneficiary);
    const usualMs = random.between(options.completionMinMs, options.completionMaxMs);
    const withinMs = isSlow(names) ? options.slowCompletionMs : usualMs;
    this.#scheduleInterimStatuses(payment, withinMs);
    if (isStuck(names)) return;
    const badEnding = badEndingOf(amount, (fixedSide === 'sell' ? sell : buy).decimalPlaces);
    clock.after(withinMs, () => {
      if (this.#closed || payment.status !== 'processing') return;
      this.#transition(payment, badEnding?.status ?? 'completed', badEnding?.reason ?? null);
    });
  }

  #scheduleInterimStatuses(payment: SimplePayment, withinMs: number): void {
    const { clock, interimStatuses, notify } = this.#deps;
    const statuses = interimStatuses(payment.id);
    for (const [index, status] of statuses.entries()) {
      clock.after(Math.round(((index + 1) * withinMs) / (statuses.length + 1)), () => {
        if (this.#closed || payment.status !== 'processing') return;
        payment.interimStatus = status;
        payment.cachedAnswer = null;
        notify(payment);
      });
    }
  }

  #transition(payment: SimplePayment, status: PaymentStatus, reason: string | null): void {
    const { options, clock, refunds, notify } = this.#deps;
    const endsBadly = status === 'rejected' || status === 'failed';
    this.counts[payment.status] = (this.counts[payment.status] ?? 0) - 1;
    this.counts[status] = (this.counts[status] ?? 0) + 1;
    payment.status = status;
    payment.interimStatus = null;
    payment.completedAtMs = status === 'completed' ? clock.now() : null;
    payment.reason = endsBadly ? (reason ?? 'No reason was given') : null;
    payment.failureReason = status === 'failed' || options.failureReason === 'both' ? payment.reason : null;
    payment.cachedAnswer = null;
    notify(payment);
    while (endsBadly && this.refundsOf(payment).length < payment.timesFunded) refunds.issueFor(payment);
  }
}
