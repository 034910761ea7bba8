import { readErrorBody } from './error-body.ts';
import { outcomeOf } from './answer-outcomes.ts';
import { ProviderFailure } from './failure.ts';
import type { Operation } from '../operations.ts';
import { DEFAULT_PAUSE_MS, retryAfterMs } from '../rate-limiter/pause-after-429.ts';

/** An answer as it came over the wire. Header names are in lower case. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  /** The content, decoded as UTF-8. */
  body: string;
  bytes: Uint8Array;
  /** From the moment the connection was ready to the first byte of the answer. */
  roundTripMs: number;
}

export function isSuccess(answer: HttpAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** A pause that the provider requests. */
export interface RequestedPause {
  /** Null if it gives no duration. */
  forMs: number | null;
}

/**
 * The pause that this answer requests of all processes, or null. A 429 always requests one, a 403 or 503 only with
 * `Retry-After` (without it, they mean a wrong key and a fault). The contract does not show the answer to an exceeded
 * limit. Contract: account 8.
 */
export function requestedPause(answer: HttpAnswer, nowMs: number): RequestedPause | null {
  const forMs = retryAfterMs(answer.headers['retry-after'], nowMs);
  if (answer.status === 429) return { forMs };
  return (answer.status === 403 || answer.status === 503) && forMs !== null ? { forMs } : null;
}

/** The failure for an answer outside 2xx. */
export function failureOfAnswer(
  operation: Operation,
  answer: HttpAnswer,
  context: { nowMs: number; secrets: readonly string[] },
): ProviderFailure {
  const details = readErrorBody(answer.body, context.secrets);
  const { kind, reason } = outcomeOf(operation, answer);
  const pause = requestedPause(answer, context.nowMs);
  return new ProviderFailure({
    operation,
    kind,
    reason: `${reason} (HTTP ${answer.status})`,
    httpStatus: answer.status,
    providerCode: details.code,
    providerMessage: details.message,
    retryAfterMs: pause === null ? null : (pause.forMs ?? DEFAULT_PAUSE_MS),
  });
}
