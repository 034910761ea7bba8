import type { Account } from '../account/account.ts';

/**
 * A call that may change the state, as the journal stores it. Its name selects the handler that replays it. What a
 * fault does before a call (end a token, expire a quote) is an entry of its own, written before the entry of the call.
 */
export interface JournalEntry {
  readonly name: string;
  readonly account: Account;
  /** The token of the caller; absent where none is needed. */
  readonly token?: string | null | undefined;
  /** The request before a schema parsed it: JSON whose numbers are as they were written. */
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/**
 * Parses an entry and returns the function that repeats its effect. What that function throws was answered to the
 * original call as well.
 * @throws Error when the entry cannot be parsed
 */
export type ReplayHandler = (entry: JournalEntry) => () => unknown;
