import Big from 'big.js';
import type { Chance } from '../core/seeded-random.ts';
import { type Currency, currencies } from '../market/currencies.ts';

/**
 * `payment` and `conversion` debit; `refund` credits what a payment had taken, `conversion_credit` what a conversion
 * bought; `funding`, `deposit` and `adjustment` come from outside.
 */
export type EntryType =
  | 'payment'
  | 'refund'
  | 'conversion'
  | 'conversion_credit'
  | 'funding'
  | 'deposit'
  | 'adjustment';

/** One change of a balance. `change` is negative for a debit. Contract: payments 2.7. */
export interface LedgerEntry {
  readonly id: string;
  readonly balance: Balance;
  readonly amountBefore: Big;
  readonly amountAfter: Big;
  readonly change: Big;
  /** The number of the payment, conversion, funding or deposit; null where none is concerned. */
  readonly transactionId: number | null;
  readonly type: EntryType;
  readonly atMs: number;
}

/** What one API key holds in one currency. */
export interface Balance {
  readonly id: string;
  readonly currency: Currency;
  readonly initial: Big;
  amount: Big;
  /** Whether it was ever held; the others exist with nothing in them. */
  opened: boolean;
}

/** The balances of one API key, and every change to them in order. All amounts are exact. */
export class Ledger {
  readonly #byCurrency = new Map<string, Balance>();
  readonly #byId = new Map<string, Balance>();
  readonly #chance: Chance;
  #lastNumber = 0;
  /** In the order of time. */
  readonly entries: LedgerEntry[] = [];

  constructor(chance: Chance, initial: Readonly<Record<string, string>>) {
    this.#chance = chance;
    for (const currency of currencies.values()) {
      const amount = new Big(initial[currency.code] ?? '0');
      const balance = { id: chance.uuid(), currency, initial: amount, amount, opened: currency.code in initial };
      this.#byCurrency.set(currency.code, balance);
      this.#byId.set(balance.id, balance);
    }
  }

  /** The balance of a supported currency, or undefined. */
  in(currency: string): Balance | undefined {
    return this.#byCurrency.get(currency);
  }

  withId(balanceId: string): Balance | undefined {
    return this.#byId.get(balanceId);
  }

  /** The number that the history calls the next transaction by: payments and all others count together. */
  nextNumber(): number {
    this.#lastNumber += 1;
    return this.#lastNumber;
  }

  opened(): Balance[] {
    return [...this.#byCurrency.values()].filter(({ opened }) => opened);
  }

  /** Writes a change. Whether there is enough is for the caller to ask first. */
  write(balance: Balance, change: Big, type: EntryType, transactionId: number | null, atMs: number): void {
    const amountBefore = balance.amount;
    balance.amount = amountBefore.plus(change);
    balance.opened = true;
    const id = this.#chance.uuid();
    this.entries.push({ id, balance, amountBefore, amountAfter: balance.amount, change, transactionId, type, atMs });
  }
}
