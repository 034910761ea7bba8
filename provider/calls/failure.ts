import type { FailureKind } from '../../domain/payments/request-result.ts';
import { isSafeToRepeat, type Operation } from '../operations.ts';

export interface FailureDetails {
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
   * The provider's own code and words, bounded and without secrets. They may name a beneficiary, so they are shown to the
   * people of the run and never logged: both are left out when the failure is inspected or serialised.
   */
  declare readonly providerCode: string | null;
  declare readonly providerMessage: string | null;

  constructor(facts: FailureDetails) {
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
