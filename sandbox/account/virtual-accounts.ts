import type Big from 'big.js';
import type { SeededRandom } from '../core/seeded-random.ts';
import type { Clock } from '../core/clock.ts';
import type { Currency } from '../market/currencies.ts';
import { invalidField, notFound } from '../core/refusal.ts';
import type { Balance, Ledger } from './ledger.ts';

export const virtualAccountStatuses = ['pending', 'approved', 'cancelled', 'rejected'] as const;

export type VirtualAccountStatus = (typeof virtualAccountStatuses)[number];

/** The fields that a caller sends to request a virtual account. Contract: payments 2.8. */
export interface VirtualAccountOrder {
  readonly name: string;
  readonly provider: string;
  readonly currency: Currency;
  readonly description: string;
  readonly type: 'open' | 'fixed';
  readonly approveAsync: boolean;
  /** Null for an open account. */
  readonly amount: Big | null;
  readonly expiryDuration: number | null;
}

export interface VirtualAccountRequest extends VirtualAccountOrder {
  readonly id: string;
  readonly createdAtMs: number;
  updatedAtMs: number;
  status: VirtualAccountStatus;
  /** Null until the number is issued. */
  number: string | null;
  approval: { readonly atMs: number; readonly virtualAccountId: string } | null;
}

/** A deposit on a virtual account; it is credited when its status is completed. */
export interface Deposit {
  readonly number: number;
  readonly balance: Balance;
  readonly amount: Big;
  readonly account: { readonly id: string; readonly number: string };
  readonly status: string;
}

interface VirtualAccountDependencies {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly ledger: Ledger;
  /** Called for approval, cancellation and rejection, not for the creation. */
  readonly notifyRequest: (request: VirtualAccountRequest) => void;
  readonly notifyDeposit: (deposit: Deposit) => void;
}

const NUMBER_DIGITS = 16;

/** The virtual accounts of one API key: an operator approves, cancels or rejects a pending request. */
export class VirtualAccounts {
  readonly #deps: VirtualAccountDependencies;
  readonly #byId = new Map<string, VirtualAccountRequest>();
  readonly deposits: Deposit[] = [];

  constructor(deps: VirtualAccountDependencies) {
    this.#deps = deps;
  }

  request(order: VirtualAccountOrder): VirtualAccountRequest {
    const { clock, random } = this.#deps;
    const nowMs = clock.now();
    const request: VirtualAccountRequest = {
      ...order,
      id: random.uuid(),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      status: 'pending',
      number: order.approveAsync ? null : this.#newNumber(),
      approval: null,
    };
    this.#byId.set(request.id, request);
    return request;
  }

  /** @throws Refusal 404 `not_found` */
  get(requestId: string): VirtualAccountRequest {
    const request = this.#byId.get(requestId);
    if (!request) throw notFound('virtual account request');
    return request;
  }

  /** Oldest first. */
  all(): VirtualAccountRequest[] {
    return [...this.#byId.values()];
  }

  force(request: VirtualAccountRequest, status: VirtualAccountStatus): void {
    const { clock, random, notifyRequest } = this.#deps;
    if (request.status === status) throw invalidField('status', `the request is ${status} already`);
    request.status = status;
    request.updatedAtMs = clock.now();
    if (status === 'approved') {
      request.number ??= this.#newNumber();
      request.approval ??= { atMs: clock.now(), virtualAccountId: random.uuid() };
    }
    if (status !== 'pending') notifyRequest(request);
  }

  /** @throws Refusal 400 when the request was never approved, so that there is no account */
  deposit(request: VirtualAccountRequest, amount: Big, status: string): Deposit {
    const { clock, ledger, notifyDeposit } = this.#deps;
    const balance = ledger.in(request.currency.code);
    if (!request.approval || request.number === null || !balance) {
      throw invalidField('requestId', 'the request was never approved, so there is no account yet');
    }
    const account = { id: request.approval.virtualAccountId, number: request.number };
    const deposit: Deposit = { number: ledger.nextNumber(), balance, amount, account, status };
    this.deposits.push(deposit);
    if (status === 'completed') ledger.write(balance, amount, 'deposit', deposit.number, clock.now());
    notifyDeposit(deposit);
    return deposit;
  }

  #newNumber(): string {
    let digits = '8';
    while (digits.length < NUMBER_DIGITS) digits += String(this.#deps.random.between(0, 9));
    return digits;
  }
}
