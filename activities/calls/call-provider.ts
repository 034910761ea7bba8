import { cancellationSignal } from '@temporalio/activity';
import type { PaymentErrorCode } from '../../domain/payments/payment-error-codes.ts';
import type { CallOptions } from '../../provider/calls/api-call.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { InvalidRequest } from '../../provider/calls/invalid-request.ts';
import { retryLater } from './temporal-failures.ts';

export interface ProviderReply<T> {
  value: T;
  httpStatus: number | null;
}

/**
 * Sends one request. A failure is returned, not thrown: each activity decides what it means for its payment. `beforeSend`
 * runs once the request has its lease, and keeps it from being sent by throwing.
 */
export async function callProvider<T>(
  call: (options: CallOptions) => Promise<T>,
  beforeSend?: () => Promise<void>,
): Promise<ProviderReply<T> | ProviderFailure> {
  let httpStatus: number | null = null;
  try {
    const value = await call({
      signal: cancellationSignal(),
      ...(beforeSend === undefined ? {} : { beforeSend }),
      onAnswer: (answer) => {
        httpStatus = answer.httpStatus;
      },
    });
    return { value, httpStatus };
  } catch (error) {
    if (error instanceof ProviderFailure) return error;
    if (error instanceof InvalidRequest) return asRefusal(error);
    throw error;
  }
}

/** As `callProvider`, for requests that are safe to repeat: a failure is thrown, and Temporal retries the activity. */
export async function callRepeatable<T>(call: (options: CallOptions) => Promise<T>): Promise<ProviderReply<T>> {
  const reply = await callProvider(call);
  if (reply instanceof ProviderFailure) throw retryLater(reply);
  return reply;
}

/** Our own checks did not let the request out. The provider would have refused it: the row has to be corrected. */
function asRefusal(invalid: InvalidRequest): ProviderFailure {
  return new ProviderFailure({
    operation: invalid.operation,
    kind: 'refused',
    reason: `not sent: ${invalid.field} is invalid`,
    providerCode: 'invalid_request' satisfies PaymentErrorCode,
    providerMessage: invalid.message,
  });
}
