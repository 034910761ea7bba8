import type { FailureKind } from '../../domain/payments/request-result.ts';
import type { Operation } from '../operations.ts';

export interface FailureDetails {
  operation: Operation;
  kind: FailureKind;
  /** Our own text, for logs: never the provider's. */
  reason: string;
  httpStatus?: number | null;
  providerCode?: string | null;
  providerMessage?: string | null;
  retryAfterMs?: number | null;
  cause?: unknown;
}

/** A call that failed, was not sent, or whose outcome is unknown. `message` is safe for logs. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly operation: Operation;
  readonly kind: FailureKind;
  readonly httpStatus: number | null;
  readonly retryAfterMs: number | null;
  /**
   * The provider's own code and message, bounded and without secrets. They may name a beneficiary, so they are shown to
   * the run's users and never logged: both are left out when the failure is inspected or serialized.
   */
  declare readonly providerCode: string | null;
  declare readonly providerMessage: string | null;

  constructor(details: FailureDetails) {
    super(`${details.operation}: ${details.reason}`, details.cause === undefined ? {} : { cause: details.cause });
    this.operation = details.operation;
    this.kind = details.kind;
    this.httpStatus = details.httpStatus ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    Object.defineProperty(this, 'providerCode', { value: details.providerCode ?? null, enumerable: false });
    Object.defineProperty(this, 'providerMessage', { value: details.providerMessage ?? null, enumerable: false });
  }
}
