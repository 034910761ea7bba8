import { Account } from './account/account.ts';
import { type AnswerForm, answerFormOf } from './answers/answer-form.ts';
import type { SandboxOptions } from './config/options.ts';
import { type ResolvedOptions, resolvedOptions } from './config/resolved-options.ts';
import { Clock } from './core/clock.ts';
import { writeAsRead } from './core/json.ts';
import { Rates } from './market/rates.ts';
import type { Journal, JournalEntry, ReplayHandler } from './state/journal.ts';
import { recordedOptions } from './state/recorded-options.ts';
import type { DeliveryResult } from './webhooks/webhooks.ts';

// These names are in state files.
const RESET = 'reset';
const DELIVERY_ENDED = 'delivery-ended';

/** The simulated provider without its HTTP: its accounts, its market and its clock. */
export class World {
  readonly options: ResolvedOptions;
  readonly clock: Clock;
  readonly rates: Rates;
  readonly answers: AnswerForm;
  /** The base URL of the sandbox; known once it listens. */
  url = '';
  /** How to replay a journal entry, by the entry's name. */
  readonly replayHandlers = new Map<string, ReplayHandler>();
  readonly #journal: Journal | null;
  readonly #accounts = new Map<string, Account>();
  readonly #startedAtMs: number;
  #resets: number;
  #isReplaying: boolean;

  /**
   * With an existing journal the world starts at the time in its header; replay the journal, then call `finishReplay`.
   * @throws Error when no account is configured, or two share an API key
   */
  constructor(given: SandboxOptions, journal: Journal | null = null) {
    const header = journal?.header ?? undefined;
    const options = resolvedOptions(given, header?.options ?? null);
    const { frozenAtMs, clockBehindMs } = options;
    const wallNow = (): number => options.wallNow() - clockBehindMs;
    this.options = options;
    this.clock = new Clock(frozenAtMs === null ? wallNow : () => frozenAtMs, frozenAtMs !== null, header?.clock);
    this.rates = new Rates(options.seed);
    this.answers = answerFormOf(options);
    this.#journal = journal;
    this.#startedAtMs = header?.startedAtMs ?? this.clock.now();
    this.#resets = header?.resets ?? 0;
    this.#isReplaying = header !== undefined;
    for (const { apiKey } of options.accounts) {
      if (this.#accounts.has(apiKey)) throw new Error('accounts: two accounts have the same apiKey');
      this.#accounts.set(apiKey, this.#newAccount(apiKey));
    }
    if (this.#accounts.size === 0) throw new Error('accounts: at least one account is needed');
    this.#addReplayHandlers();
    if (!header) this.#startJournal();
  }

  account(apiKey: string): Account | undefined {
    return this.#accounts.get(apiKey);
  }

  accounts(): Account[] {
    return [...this.#accounts.values()];
  }

  /** The first account, which is used for requests that name none. */
  firstAccount(): Account {
    const first = this.#accounts.values().next().value;
    if (!first) throw new Error('accounts: at least one account is needed');
    return first;
  }

  /**
   * Performs a call at one point in time, after all events that are due by then. A call that may change the state comes
   * with a journal entry, which is written first; a call that only reads comes with null.
   * @throws Refusal 503 `state_not_kept` when the entry cannot be written; then the call has no effect
   */
  perform<Result>(entry: JournalEntry | null, effect: () => Result): Result {
    return this.clock.freeze(() => {
      // An account that was reset while its call was waiting is no longer part of the state.
      const isCurrent = entry !== null && this.account(entry.account.credentials.apiKey) === entry.account;
      if (isCurrent) this.#journal?.write(this.clock.now(), entry);
      return effect();
    });
  }

  /** Resets one account, or all, to the initial state: new tokens, no payments, the initial balances, no faults. */
  reset(apiKey?: string): void {
    const account = apiKey === undefined ? undefined : this.account(apiKey);
    this.perform(account ? { name: RESET, account } : null, () => {
      if (!account) this.#startJournal(this.#resets + 1);
      this.#replaceAccounts(apiKey);
    });
  }

  /** Whether changes are written to a state file for the next start. */
  get keepsState(): boolean {
    return this.#journal !== null;
  }

  /** Moves the clock forward, as the control call does. */
  advance(byMs: number): void {
    const entry = { name: 'POST clock', account: this.firstAccount(), body: { advanceMs: byMs } };
    this.perform(entry, () => this.clock.advance(byMs));
  }

  /** Ends a replay: events that became due since then run. */
  finishReplay(): void {
    this.#isReplaying = false;
    this.clock.finishReplay();
  }

  /** Sends the notifications that were not delivered when the sandbox stopped. */
  resumeWebhooks(): void {
    for (const account of this.accounts()) account.webhooks.resume();
  }

  close(): void {
    this.clock.close();
    for (const account of this.#accounts.values()) account.close();
    this.#journal?.close();
  }

  #addReplayHandlers(): void {
    this.replayHandlers.set(RESET, ({ account }) => {
      return () => this.#replaceAccounts(account.credentials.apiKey);
    });
    this.replayHandlers.set(DELIVERY_ENDED, ({ account, body }) => {
      const result = JSON.parse(writeAsRead(body)) as DeliveryResult;
      return () => account.webhooks.restoreResult(result);
    });
  }

  #replaceAccounts(apiKey: string | undefined): void {
    this.#resets += 1;
    for (const key of apiKey === undefined ? [...this.#accounts.keys()] : [apiKey]) {
      this.#accounts.get(key)?.close();
      this.#accounts.set(key, this.#newAccount(key));
    }
  }

  #startJournal(resets = 0): void {
    const { clock, options } = this;
    const startedAtMs = this.#startedAtMs;
    this.#journal?.start({ startedAtMs, resets, clock: clock.reading(), options: recordedOptions(options) });
  }

  #newAccount(apiKey: string): Account {
    const { options, clock, rates, answers } = this;
    const credentials = options.accounts.find((account) => account.apiKey === apiKey);
    if (!credentials) throw new Error('accounts: no account has this apiKey');
    const seed = `${options.seed}/${this.#startedAtMs}/${this.#resets}`;
    const onDeliveryEnded = (result: DeliveryResult): void => this.#recordDelivery(account, result);
    const isPaused = this.#isReplaying;
    const account = new Account(credentials, { options, clock, rates, answers, seed, onDeliveryEnded, isPaused });
    return account;
  }

  /** A result that cannot be written is not fatal: the notification is sent again, and receivers expect duplicates. */
  #recordDelivery(account: Account, result: DeliveryResult): void {
    if (!this.#journal) return;
    try {
      this.perform({ name: DELIVERY_ENDED, account, body: result }, () => undefined);
    } catch (error) {
      this.options.report?.(`a notification will be sent again after the next start: ${String(error)}`);
    }
  }
}
