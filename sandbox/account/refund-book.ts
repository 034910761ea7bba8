import Big from 'big.js';
import type { SeededRandom } from '../core/seeded-random.ts';
import type { Clock } from '../core/clock.ts';
import type { SandboxOptions } from '../config/options.ts';
import type { Currency } from '../market/currencies.ts';
import { invalidField, notFound } from '../core/refusal.ts';
import type { Ledger } from './ledger.ts';
import type { SimplePayment } from './simple-payment.ts';

export const refundStatuses = ['pending', 'completed', 'failed'] as const;

export type RefundStatus = (typeof refundStatuses)[number];

/** The refund of one debit of a payment, or of a part of it. Callers do not see its status. Contract: account 2.8. */
export interface Refund {
  readonly id: string;
  readonly payment: SimplePayment;
  readonly currency: Currency;
  readonly amount: Big;
  readonly remarks: string;
  /** Whether notifications of it are sent. */
  readonly isNotified: boolean;
  status: RefundStatus;
  /** Whether the balance was credited, which no later status reverses. */
  credited: boolean;
}

interface RefundDependencies {
  readonly options: Pick<SandboxOptions, 'refundMs' | 'refundEvents'>;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly ledger: Ledger;
  /** Called for every new status, including the first. */
  readonly notify: (refund: Refund) => void;
}

/** The refunds of one API key: pending → completed or failed. The balance is credited when one completes. */
export class RefundBook {
  readonly #deps: RefundDependencies;
  readonly #byId = new Map<string, Refund>();
  readonly #byPayment = new Map<SimplePayment, Refund[]>();
  #closed = false;

  constructor(deps: RefundDependencies) {
    this.#deps = deps;
  }

  /** @throws Refusal 404 `not_found` */
  get(refundId: string): Refund {
    const refund = this.#byId.get(refundId);
    if (!refund) throw notFound('refund');
    return refund;
  }

  of(payment: SimplePayment): readonly Refund[] {
    return this.#byPayment.get(payment) ?? [];
  }

  /** Oldest first. */
  all(): Refund[] {
    return [...this.#byId.values()];
  }

  /** Refunds one debit of a rejected or failed payment after `refundMs`. */
  issueFor(payment: SimplePayment): void {
    const { options, clock } = this.#deps;
    const refund = this.#add(payment, payment.reason ?? 'No reason was given', options.refundEvents === 'on');
    const complete = (): void => {
      if (!this.#closed && refund.status === 'pending') this.#transition(refund, 'completed');
    };
    if (options.refundMs === 0) complete();
    else clock.after(options.refundMs, complete);
  }

  /**
   * Refunds a payment as an operator would, e.g. after it completed; the payment keeps its status. Without an amount, one
   * debit as a whole.
   * @throws Refusal 400 when more would be refunded than was debited
   */
  issueManually(payment: SimplePayment, remarks: string, status: RefundStatus, part?: Big): Refund {
    const amount = part ?? payment.quote.totalAmount;
    const refunded = this.of(payment).reduce((sum, refund) => sum.plus(refund.amount), new Big(0));
    if (refunded.plus(amount).gt(payment.quote.totalAmount.times(payment.timesFunded))) {
      throw invalidField('simplePaymentId', 'the payment has no debit that was not refunded already');
    }
    const refund = this.#add(payment, remarks, true, amount);
    if (status !== 'pending') this.#transition(refund, status);
    return refund;
  }

  force(refund: Refund, status: RefundStatus): void {
    if (refund.status === status) throw invalidField('status', `the refund is ${status} already`);
    this.#transition(refund, status);
  }

  close(): void {
    this.#closed = true;
  }

  #add(payment: SimplePayment, remarks: string, isNotified: boolean, amount = payment.quote.totalAmount): Refund {
    const { sell: currency } = payment.quote;
    const id = this.#deps.random.uuid();
    const refund: Refund = { id, payment, currency, amount, remarks, isNotified, status: 'pending', credited: false };
    this.#byId.set(id, refund);
    this.#byPayment.set(payment, [...this.of(payment), refund]);
    if (isNotified) this.#deps.notify(refund);
    return refund;
  }

  #transition(refund: Refund, status: RefundStatus): void {
    const { clock, ledger, notify } = this.#deps;
    refund.status = status;
    const balance = ledger.in(refund.currency.code);
    if (status === 'completed' && balance && !refund.credited) {
      ledger.write(balance, refund.amount, 'refund', refund.payment.number, clock.now());
      refund.credited = true;
      refund.payment.timesRefunded += 1;
    }
    if (refund.isNotified) notify(refund);
  }
}
