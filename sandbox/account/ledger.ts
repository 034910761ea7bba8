import Big from 'big.js';
import type { SeededRandom } from '../core/seeded-random.ts';
import { type Currency, currencies } from '../market/currencies.ts';

/**
 * `payment` and `conversion` are debits; `refund` credits the debit of a payment, `conversion_credit` the bought amount
 * of a conversion; `funding`, `deposit` and `adjustment` come from outside.
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
  /** The number of the payment, conversion, funding or deposit; null where there is none. */
  readonly transactionId: number | null;
  readonly type: EntryType;
  readonly atMs: number;
}

/** The balance of one API key in one currency. */
export interface Balance {
  readonly id: string;
  readonly currency: Currency;
  readonly initial: Big;
  amount: Big;
  /** Whether it ever contained money; every supported currency has a balance. */
  opened: boolean;
}

/** The balances of one API key, and every change to them in order. All amounts are exact. */
export class Ledger {
  readonly #byCurrency = new Map<string, Balance>();
  readonly #byId = new Map<string, Balance>();
  readonly #random: SeededRandom;
  #lastNumber = 0;
  /** Oldest first. */
  readonly entries: LedgerEntry[] = [];

  constructor(random: SeededRandom, initial: Readonly<Record<string, string>>) {
    this.#random = random;
    for (const currency of currencies.values()) {
      const amount = new Big(initial[currency.code] ?? '0');
      const balance = { id: random.uuid(), currency, initial: amount, amount, opened: currency.code in initial };
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

  /** The number of the next transaction in the history; all types of transactions are numbered together. */
  nextNumber(): number {
    this.#lastNumber += 1;
    return this.#lastNumber;
  }

  opened(): Balance[] {
    return [...this.#byCurrency.values()].filter(({ opened }) => opened);
  }

  /** Writes a change. The caller checks first that the balance is sufficient. */
  write(balance: Balance, change: Big, type: EntryType, transactionId: number | null, atMs: number): void {
    const amountBefore = balance.amount;
    balance.amount = amountBefore.plus(change);
    balance.opened = true;
    const id = this.#random.uuid();
    this.entries.push({ id, balance, amountBefore, amountAfter: balance.amount, change, transactionId, type, atMs });
  }
}
