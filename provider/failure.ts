import { isSafeToRepeat, type Operation } from './operations.ts';

/**
 * What a failed call means for the money, which is what decides the next step:
 * - `not_sent`: it provably never reached the provider; send it again.
 * - `rate_limited`: the provider turned it away unread; send it again after `retryAfterMs`.
 * - `unauthenticated`: the credentials do not work, or a fresh token was refused; nothing happened.
 * - `refused`: the provider read it and said no; nothing happened.
 * - `duplicate_reference`: the reference may be taken; look it up before anything else.
 * - `unknown_outcome`: it may or may not have happened; look it up, unless the operation is safe to repeat.
 *
 * The contract shows two answers of failure, and no more. Contract: account 7.
 */
export type FailureKind =
  | 'not_sent'
  | 'rate_limited'
  | 'unauthenticated'
  | 'refused'
  | 'duplicate_reference'
  | 'unknown_outcome';

export interface FailureFacts {
  operation: Operation;
  kind: FailureKind;
  /** Our own words for a log: never the provider's. */
  reason: string;
  httpStatus?: number | null;
  providerCode?: string | null;
  providerMessage?: string | null;
  retryAfterMs?: number | null;
  cause?: unknown;
}

/** A call that the provider did not answer with what was asked for. `message` is safe for logs. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly operation: Operation;
  readonly kind: FailureKind;
  /** Whether the very same call may be made again without looking anything up first. */
  readonly retryable: boolean;
  readonly httpStatus: number | null;
  readonly retryAfterMs: number | null;
  /**
   * The provider's own code and words, bounded and without secrets. They may name a payee, so they are shown to the
   * people of the run and never logged: both are left out when the failure is inspected or serialised.
   */
  declare readonly providerCode: string | null;
  declare readonly providerMessage: string | null;

  constructor(facts: FailureFacts) {
    super(`${facts.operation}: ${facts.reason}`, facts.cause === undefined ? {} : { cause: facts.cause });
    this.operation = facts.operation;
    this.kind = facts.kind;
    this.retryable = isRetryable(facts.kind, facts.operation);
    this.httpStatus = facts.httpStatus ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    Object.defineProperty(this, 'providerCode', { value: facts.providerCode ?? null, enumerable: false });
    Object.defineProperty(this, 'providerMessage', { value: facts.providerMessage ?? null, enumerable: false });
  }
}

function isRetryable(kind: FailureKind, operation: Operation): boolean {
  switch (kind) {
    case 'not_sent':
    case 'rate_limited':
      return true;
    case 'unknown_outcome':
      return isSafeToRepeat(operation);
    case 'unauthenticated':
    case 'refused':
    case 'duplicate_reference':
      return false;
  }
}
