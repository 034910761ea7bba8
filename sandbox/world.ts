import { Account } from './account/account.ts';
import { Clock } from './clock.ts';
import type { SandboxOptions } from './defaults.ts';
import { Rates } from './market/rates.ts';

/** The whole simulated provider, without its HTTP: its accounts, its market and its clock. */
export class World {
  readonly options: SandboxOptions;
  readonly clock: Clock;
  readonly rates: Rates;
  /** Where the sandbox can be reached; known once it listens. */
  url = '';
  readonly #accounts = new Map<string, Account>();
  readonly #startedAtMs: number;
  #resets = 0;

  /** @throws Error when no account is configured, or two share an API key */
  constructor(options: SandboxOptions) {
    const { standingAtMs, wallNow } = options;
    this.options = options;
    this.clock = new Clock(standingAtMs === null ? wallNow : () => standingAtMs, standingAtMs !== null);
    this.rates = new Rates(options.seed);
    this.#startedAtMs = this.clock.now();
    for (const { apiKey } of options.accounts) {
      if (this.#accounts.has(apiKey)) throw new Error('accounts: two accounts have the same apiKey');
      this.#accounts.set(apiKey, this.#opened(apiKey));
    }
    if (this.#accounts.size === 0) throw new Error('accounts: at least one account is needed');
  }

  account(apiKey: string): Account | undefined {
    return this.#accounts.get(apiKey);
  }

  accounts(): Account[] {
    return [...this.#accounts.values()];
  }

  /** The first account, which answers for requests that name none. */
  firstAccount(): Account {
    const first = this.#accounts.values().next().value;
    if (!first) throw new Error('accounts: at least one account is needed');
    return first;
  }

  /** Puts one account, or all, back to how it began: new tokens, no payments, the initial balances, no faults. */
  reset(apiKey?: string): void {
    this.#resets += 1;
    for (const key of apiKey === undefined ? [...this.#accounts.keys()] : [apiKey]) {
      this.#accounts.get(key)?.close();
      this.#accounts.set(key, this.#opened(key));
    }
  }

  close(): void {
    this.clock.close();
    for (const account of this.#accounts.values()) account.close();
  }

  #opened(apiKey: string): Account {
    const { options, clock, rates } = this;
    const credentials = options.accounts.find((account) => account.apiKey === apiKey);
    if (!credentials) throw new Error('accounts: no account has this apiKey');
    const seed = `${options.seed}/${this.#startedAtMs}/${this.#resets}`;
    return new Account(credentials, { options, clock, rates, seed });
  }
}
