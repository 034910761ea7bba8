import {
  type PaymentErrorCode,
  type ProviderErrorCode,
  providerErrorCode,
} from '../../domain/payments/payment-error-codes.ts';
import { ANSWER_TABLE } from '../../domain/payments/request-result.ts';
import type { ProviderFailure } from '../../provider/calls/failure.ts';

/** HTTP 403: about the credentials, or about one row. */
export const FORBIDDEN = 403;

/** Whether the request provably changed nothing, so that it may be sent again. */
export function hadNoEffect(failure: ProviderFailure): boolean {
  // guard: no-effect-is-proven
  return !ANSWER_TABLE[failure.kind].mayHaveTakenEffect;
}

/** Whether the provider does not do it, for this request or for these credentials. */
export function isDenied(failure: ProviderFailure): boolean {
  return ANSWER_TABLE[failure.kind].isDenied;
}

/** The reason shown to people: the provider's own text where it gave one. Stored in Postgres only, never logged. */
export function refusalReason(failure: ProviderFailure): {
  error_code: PaymentErrorCode | ProviderErrorCode;
  error_message: string;
} {
  return {
    error_code: failure.providerCode === null ? 'refused_by_provider' : providerErrorCode(failure.providerCode),
    error_message: failure.providerMessage ?? failure.message,
  };
}
