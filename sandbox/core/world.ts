import { Account } from '../account/account.ts';
import { Clock } from './clock.ts';
import { type AnswerForm, answerFormOf } from '../answers/answer-form.ts';
import type { SandboxOptions } from '../config/defaults.ts';
import { writeAsRead } from './json.ts';
import { Rates } from '../market/rates.ts';
import { decidingOptions } from '../state/deciding-options.ts';
import type { Deed, Redo } from '../state/journal-entry.ts';
import type { Journal } from '../state/journal.ts';
import type { EndedDelivery } from '../webhooks/webhooks.ts';

const RESET = 'reset';
const DELIVERY_ENDED = 'delivery-ended';

/** The whole simulated provider, without its HTTP: its accounts, its market and its clock. */
export class World {
  readonly options: SandboxOptions;
  readonly clock: Clock;
  readonly rates: Rates;
  readonly answers: AnswerForm;
  /** Where the sandbox can be reached; known once it listens. */
  url = '';
  /** How whatever `perform` writes down is done again, by its name. */
  readonly redos = new Map<string, Redo>();
  readonly #journal: Journal | null;
  readonly #accounts = new Map<string, Account>();
  readonly #startedAtMs: number;
  #resets: number;
  #settingUp: boolean;

  /**
   * With a journal that is not new the world begins where that does, in the past: it is to be replayed, then `goOn`.
   * @throws Error when no account is configured, or two share an API key
   */
  constructor(options: SandboxOptions, journal: Journal | null = null) {
    const { standingAtMs, wallNow } = options;
    const beginning = journal?.beginning ?? undefined;
    this.options = options;
    this.clock = new Clock(
      standingAtMs === null ? wallNow : () => standingAtMs,
      standingAtMs !== null,
      beginning?.clock,
    );
    this.rates = new Rates(options.seed);
    this.answers = answerFormOf(options);
    this.#journal = journal;
    this.#startedAtMs = beginning?.startedAtMs ?? this.clock.now();
    this.#resets = beginning?.resets ?? 0;
    this.#settingUp = beginning !== undefined;
    for (const { apiKey } of options.accounts) {
      if (this.#accounts.has(apiKey)) throw new Error('accounts: two accounts have the same apiKey');
      this.#accounts.set(apiKey, this.#opened(apiKey));
    }
    if (this.#accounts.size === 0) throw new Error('accounts: at least one account is needed');
    this.redos.set(
      RESET,
      ({ account }) =>
        () =>
          this.#reopen(account.credentials.apiKey),
    );
    this.redos.set(DELIVERY_ENDED, ({ account, body }) => {
      const ended = JSON.parse(writeAsRead(body)) as EndedDelivery;
      return () => account.webhooks.end(ended);
    });
    if (!beginning) this.#beginJournal();
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

  /**
   * Performs a call at one moment, after all that is due by then. What may change the state comes with a deed, which is
   * written down first; what only reads comes with null.
   * @throws Refusal 503 `state_not_kept` when it cannot be written down, and then nothing is done
   */
  perform<Result>(deed: Deed | null, effect: () => Result): Result {
    return this.clock.hold(() => {
      // An account that was reset while its call was on the way is no part of the state any more.
      const counts = deed !== null && this.account(deed.account.credentials.apiKey) === deed.account;
      if (counts) this.#journal?.write(this.clock.now(), deed);
      return effect();
    });
  }

  /** Puts one account, or all, back to how it began: new tokens, no payments, the initial balances, no faults. */
  reset(apiKey?: string): void {
    const account = apiKey === undefined ? undefined : this.account(apiKey);
    this.perform(account ? { name: RESET, account } : null, () => {
      if (!account) this.#beginJournal(this.#resets + 1);
      this.#reopen(apiKey);
    });
  }

  /** Whether what is done is written down for the next start. */
  get keepsState(): boolean {
    return this.#journal !== null;
  }

  /** Moves the clock forward, as the control call does. */
  advance(byMs: number): void {
    const deed = { name: 'POST clock', account: this.firstAccount(), body: { advanceMs: byMs } };
    this.perform(deed, () => this.clock.advance(byMs));
  }

  /** Ends the past: what fell due since then happens. */
  goOn(): void {
    this.#settingUp = false;
    this.clock.catchUp();
  }

  /** Sends again what was not delivered when the sandbox stopped. */
  sendWaiting(): void {
    for (const account of this.accounts()) account.webhooks.goOn();
  }

  close(): void {
    this.clock.close();
    for (const account of this.#accounts.values()) account.close();
    this.#journal?.close();
  }

  #reopen(apiKey: string | undefined): void {
    this.#resets += 1;
    for (const key of apiKey === undefined ? [...this.#accounts.keys()] : [apiKey]) {
      this.#accounts.get(key)?.close();
      this.#accounts.set(key, this.#opened(key));
    }
  }

  #beginJournal(resets = 0): void {
    const { clock, options } = this;
    const startedAtMs = this.#startedAtMs;
    this.#journal?.begin({ startedAtMs, resets, clock: clock.reading(), options: decidingOptions(options) });
  }

  #opened(apiKey: string): Account {
    const { options, clock, rates, answers } = this;
    const credentials = options.accounts.find((account) => account.apiKey === apiKey);
    if (!credentials) throw new Error('accounts: no account has this apiKey');
    const seed = `${options.seed}/${this.#startedAtMs}/${this.#resets}`;
    const deliveryEnded = (ended: EndedDelivery): void => this.#keepDelivery(account, ended);
    const quiet = this.#settingUp;
    const account = new Account(credentials, { options, clock, rates, answers, seed, deliveryEnded, quiet });
    return account;
  }

  /** One that cannot be written down is sent once more after the next start, which receivers must bear. */
  #keepDelivery(account: Account, ended: EndedDelivery): void {
    if (!this.#journal) return;
    try {
      this.perform({ name: DELIVERY_ENDED, account, body: ended }, () => undefined);
    } catch (error) {
      this.options.report?.(`a notification will be sent again after the next start: ${String(error)}`);
    }
  }
}
