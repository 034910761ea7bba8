import type { Account } from '../account/account.ts';

/**
 * Something done to the sandbox that may change its state, as the journal keeps it: by a name under which the world
 * knows how to do it again. An effect that comes before a call (a token that ends, a quote that expires) is a deed of
 * its own, with a name of its own, performed before that of the call.
 */
export interface Deed {
  readonly name: string;
  readonly account: Account;
  /** The token that the caller had; absent where none is needed. */
  readonly token?: string | null | undefined;
  /** What was sent, before it was read by a schema: JSON whose numbers are as they were written. */
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/**
 * Reads what a deed was done with and returns what does it again. What that throws is a refusal that was given before.
 * @throws Error when it cannot be read
 */
export type Redo = (deed: Deed) => () => unknown;
