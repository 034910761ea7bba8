import type Big from 'big.js';
import type { Chance } from '../core/seeded-random.ts';
import type { Clock } from '../core/clock.ts';
import { invalidField, notFound } from '../core/refusal.ts';
import type { Balance, Ledger } from './ledger.ts';

export const fundingStatuses = ['awaiting_funds', 'pending', 'completed', 'failed'] as const;

export type FundingStatus = (typeof fundingStatuses)[number];

/** Money that comes in to a balance. Contract: account 2.7. */
export interface Funding {
  readonly id: string;
  readonly number: number;
  readonly balance: Balance;
  readonly amount: Big;
  readonly reference: string;
  /** Whether it only reports money that a deposit on a virtual account brought already. */
  readonly reportsDeposit: boolean;
  status: FundingStatus;
  /** Whether the balance got the money, which no later status takes back. */
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
  readonly chance: Chance;
  readonly ledger: Ledger;
  /** Told of every status that a funding takes, the first included. */
  readonly announce: (funding: Funding) => void;
}

/** The fundings of one API key: awaiting_funds → pending → completed or failed; completed credits the balance. */
export class FundingBook {
  readonly #given: FundingDependencies;
  readonly #byId = new Map<string, Funding>();

  constructor(given: FundingDependencies) {
    this.#given = given;
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

  /** Fundings begin outside the API, so this is for the control door. */
  add(order: FundingOrder, status: FundingStatus): Funding {
    const { chance, ledger } = this.#given;
    const funding: Funding = {
      id: chance.uuid(),
      number: ledger.nextNumber(),
      balance: order.balance,
      amount: order.amount,
      reference: order.reference ?? `FD${chance.code(8)}`,
      reportsDeposit: order.reportsDeposit ?? false,
      status,
      credited: false,
    };
    this.#byId.set(funding.id, funding);
    this.#take(funding, status);
    return funding;
  }

  force(funding: Funding, status: FundingStatus): void {
    if (funding.status === status) throw invalidField('status', `the funding is ${status} already`);
    this.#take(funding, status);
  }

  #take(funding: Funding, status: FundingStatus): void {
    const { clock, ledger, announce } = this.#given;
    funding.status = status;
    if (status === 'completed' && !funding.credited && !funding.reportsDeposit) {
      ledger.write(funding.balance, funding.amount, 'funding', funding.number, clock.now());
      funding.credited = true;
    }
    announce(funding);
  }
}
