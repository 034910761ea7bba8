import type Big from 'big.js';
import type { SeededRandom } from '../core/seeded-random.ts';
import type { Clock } from '../core/clock.ts';
import { invalidField, notFound } from '../core/refusal.ts';
import type { Balance, Ledger } from './ledger.ts';

export const fundingStatuses = ['awaiting_funds', 'pending', 'completed', 'failed'] as const;

export type FundingStatus = (typeof fundingStatuses)[number];

/** Incoming money for a balance. Contract: account 2.7. */
export interface Funding {
  readonly id: string;
  readonly number: number;
  readonly balance: Balance;
  readonly amount: Big;
  readonly reference: string;
  /** Whether it only reports money that a deposit on a virtual account has credited already. */
  readonly reportsDeposit: boolean;
  status: FundingStatus;
  /** Whether the balance was credited, which no later status reverses. */
  credited: boolean;
}

export interface FundingOrder {
  readonly balance: Balance;
  readonly amount: Big;
  readonly reference?: string | undefined;
  readonly reportsDeposit?: boolean | undefined;
}

interface FundingDependencies {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly ledger: Ledger;
  /** Called for every new status, including the first. */
  readonly notify: (funding: Funding) => void;
}

/** The fundings of one API key: awaiting_funds → pending → completed or failed; completed credits the balance. */
export class FundingBook {
  readonly #deps: FundingDependencies;
  readonly #byId = new Map<string, Funding>();

  constructor(deps: FundingDependencies) {
    this.#deps = deps;
  }

  /** @throws Refusal 404 `not_found` */
  get(fundingId: string): Funding {
    const funding = this.#byId.get(fundingId);
    if (!funding) throw notFound('funding');
    return funding;
  }

  /** Oldest first. */
  all(): Funding[] {
    return [...this.#byId.values()];
  }

  /** Fundings start outside the API, so that the control API adds them. */
  add(order: FundingOrder, status: FundingStatus): Funding {
    const { random, ledger } = this.#deps;
    const funding: Funding = {
      id: random.uuid(),
      number: ledger.nextNumber(),
      balance: order.balance,
      amount: order.amount,
      reference: order.reference ?? `FD${random.code(8)}`,
      reportsDeposit: order.reportsDeposit ?? false,
      status,
      credited: false,
    };
    this.#byId.set(funding.id, funding);
    this.#setStatus(funding, status);
    return funding;
  }

  force(funding: Funding, status: FundingStatus): void {
    if (funding.status === status) throw invalidField('status', `the funding is ${status} already`);
    this.#setStatus(funding, status);
  }

  #setStatus(funding: Funding, status: FundingStatus): void {
    const { clock, ledger, notify } = this.#deps;
    funding.status = status;
    if (status === 'completed' && !funding.credited && !funding.reportsDeposit) {
      ledger.write(funding.balance, funding.amount, 'funding', funding.number, clock.now());
      funding.credited = true;
    }
    notify(funding);
  }
}
