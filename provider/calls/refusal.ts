import { readErrorBody } from './error-body.ts';
import { meaningOf } from './answer-meanings.ts';
import { ProviderFailure } from './failure.ts';
import type { Operation } from '../operations.ts';
import { DEFAULT_PAUSE_MS, retryAfterMs } from '../gate/retry-after.ts';

/** An answer as it came over the wire. Header names are in lower case. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  /** The content as text, and as it came. */
  body: string;
  bytes: Uint8Array;
  /** From the moment the request could leave, connection made, to the first of the answer. */
  roundTripMs: number;
}

export function isSuccess(answer: HttpAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** A pause that an answer asks for. */
export interface AskedPause {
  /** Null: it does not say for how long. */
  forMs: number | null;
}

/**
 * Whether everyone must wait after this answer: a 429 always says so, a 403 or 503 only with `Retry-After` (without, they
 * mean a wrong key and a fault). The contract does not show the answer to an exceeded limit. Contract: account 8.
 */
export function pauseAskedFor(answer: HttpAnswer, nowMs: number): AskedPause | null {
  const forMs = retryAfterMs(answer.headers['retry-after'], nowMs);
  if (answer.status === 429) return { forMs };
  return (answer.status === 403 || answer.status === 503) && forMs !== null ? { forMs } : null;
}

/** The failure that an answer outside 2xx means. */
export function failureOfAnswer(
  operation: Operation,
  answer: HttpAnswer,
  context: { nowMs: number; secrets: readonly string[] },
): ProviderFailure {
  const words = readErrorBody(answer.body, context.secrets);
  const { kind, reason } = meaningOf(operation, answer);
  const pause = pauseAskedFor(answer, context.nowMs);
  return new ProviderFailure({
    operation,
    kind,
    reason: `${reason} (HTTP ${answer.status})`,
    httpStatus: answer.status,
    providerCode: words.code,
    providerMessage: words.message,
    retryAfterMs: pause === null ? null : (pause.forMs ?? DEFAULT_PAUSE_MS),
  });
}
