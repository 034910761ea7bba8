import type Big from 'big.js';
import type { Chance } from '../core/seeded-random.ts';
import type { Clock } from '../core/clock.ts';
import type { SandboxOptions } from '../config/defaults.ts';
import type { Currency } from '../market/currencies.ts';
import { invalidField, notFound } from '../core/refusal.ts';
import type { Ledger } from './ledger.ts';
import type { SimplePayment } from './simple-payment.ts';

export const refundStatuses = ['pending', 'completed', 'failed'] as const;

export type RefundStatus = (typeof refundStatuses)[number];

/** One debit of a payment that is given back. The record that callers read has no status. Contract: account 2.8. */
export interface Refund {
  readonly id: string;
  readonly payment: SimplePayment;
  readonly currency: Currency;
  readonly amount: Big;
  readonly remarks: string;
  /** Whether its notifications are sent. */
  readonly announced: boolean;
  status: RefundStatus;
  /** Whether the balance got the money, which no later status takes back. */
  credited: boolean;
}

interface RefundDependencies {
  readonly options: Pick<SandboxOptions, 'refundMs' | 'refundEvents'>;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly ledger: Ledger;
  /** Told of every status that a refund takes, the first included. */
  readonly announce: (refund: Refund) => void;
}

/** The refunds of one API key: pending → completed or failed. The balance is credited when one completes. */
export class RefundBook {
  readonly #given: RefundDependencies;
  readonly #byId = new Map<string, Refund>();
  readonly #byPayment = new Map<SimplePayment, Refund[]>();
  #closed = false;

  constructor(given: RefundDependencies) {
    this.#given = given;
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

  /** Gives one debit of a payment that ended badly back, after the time that refunds take. */
  issueFor(payment: SimplePayment): void {
    const { options, clock } = this.#given;
    const refund = this.#add(payment, payment.reason ?? 'No reason was given', options.refundEvents === 'on');
    const complete = (): void => {
      if (!this.#closed && refund.status === 'pending') this.#move(refund, 'completed');
    };
    if (options.refundMs === 0) complete();
    else clock.after(options.refundMs, complete);
  }

  /**
   * Gives a payment's money back as an operator would, e.g. after it had completed; the payment keeps its status.
   * @throws Refusal 400 when every debit of the payment has its refund already
   */
  issueByHand(payment: SimplePayment, remarks: string, status: RefundStatus): Refund {
    if (this.of(payment).length >= payment.timesFunded) {
      throw invalidField('simplePaymentId', 'the payment took no money that is not refunded already');
    }
    const refund = this.#add(payment, remarks, true);
    if (status !== 'pending') this.#move(refund, status);
    return refund;
  }

  force(refund: Refund, status: RefundStatus): void {
    if (refund.status === status) throw invalidField('status', `the refund is ${status} already`);
    this.#move(refund, status);
  }

  close(): void {
    this.#closed = true;
  }

  #add(payment: SimplePayment, remarks: string, announced: boolean): Refund {
    const { sell: currency, totalAmount: amount } = payment.quote;
    const id = this.#given.chance.uuid();
    const refund: Refund = { id, payment, currency, amount, remarks, announced, status: 'pending', credited: false };
    this.#byId.set(id, refund);
    this.#byPayment.set(payment, [...this.of(payment), refund]);
    if (announced) this.#given.announce(refund);
    return refund;
  }

  #move(refund: Refund, status: RefundStatus): void {
    const { clock, ledger, announce } = this.#given;
    refund.status = status;
    const balance = ledger.in(refund.currency.code);
    if (status === 'completed' && balance && !refund.credited) {
      ledger.write(balance, refund.amount, 'refund', refund.payment.number, clock.now());
      refund.credited = true;
      refund.payment.timesRefunded += 1;
    }
    if (refund.announced) announce(refund);
  }
}
