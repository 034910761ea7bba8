import type { FailureKind } from '../../domain/payments/request-result.ts';
import type { Operation } from '../operations.ts';
import { ProviderFailure } from './failure.ts';

/** How a request ended. `httpStatus` is null without an answer, and where it took effect. */
export interface RequestEnd {
  outcome: 'success' | FailureKind;
  httpStatus: number | null;
}

/** Is notified of every request of an account, for metrics and traces: operations and outcomes, no content. It must not throw. */
export interface RequestObserver {
  /** Called when the request is sent, after the rate limiter. Returns what to call at its end. */
  begin(operation: Operation): (end: RequestEnd) => void;
  /** A request that was never sent. */
  notSent(operation: Operation): void;
}

/**
 * Runs a call and tells the observer of it. `work` calls `sent` just before the request is sent. `endOf` judges what it
 * returns; without it, whatever is returned took effect.
 */
export async function observed<T>(
  observer: RequestObserver | undefined,
  operation: Operation,
  work: (sent: () => void) => Promise<T>,
  endOf: (result: T) => RequestEnd = () => ({ outcome: 'success', httpStatus: null }),
): Promise<T> {
  if (observer === undefined) return work(() => undefined);
  const request: { end: ((end: RequestEnd) => void) | null } = { end: null };
  try {
    const result = await work(() => {
      request.end = observer.begin(operation);
    });
    request.end?.(endOf(result));
    return result;
  } catch (error) {
    if (request.end === null) observer.notSent(operation);
    else request.end(endOfFailure(error));
    throw error;
  }
}

/** What is not our own failure came while an answer was read: nobody knows what happened. */
function endOfFailure(error: unknown): RequestEnd {
  if (error instanceof ProviderFailure) return { outcome: error.kind, httpStatus: error.httpStatus };
  return { outcome: 'unknown_outcome', httpStatus: null };
}
