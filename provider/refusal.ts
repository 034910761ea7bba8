import { readErrorBody } from './error-body.ts';
import { ProviderFailure } from './failure.ts';
import { carriesReference, type Operation } from './operations.ts';
import { DEFAULT_PAUSE_MS, retryAfterMs } from './retry-after.ts';

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

/**
 * How long everyone must wait after this answer, or null when it asks for no pause: a 429 always does, a 403 or 503
 * only with `Retry-After` (without, they mean a wrong key and a fault). The contract does not show the answer to an
 * exceeded limit. Contract: account 8.
 */
export function pauseAskedForMs(answer: HttpAnswer, nowMs: number): number | null {
  const wishMs = retryAfterMs(answer.headers['retry-after'], nowMs);
  if (answer.status === 429) return wishMs ?? DEFAULT_PAUSE_MS;
  return answer.status === 403 || answer.status === 503 ? wishMs : null;
}

/** The failure that an answer outside 2xx means. */
export function failureOfAnswer(
  operation: Operation,
  answer: HttpAnswer,
  context: { nowMs: number; secrets: readonly string[] },
): ProviderFailure {
  const words = readErrorBody(answer.body, context.secrets);
  const facts = {
    operation,
    httpStatus: answer.status,
    providerCode: words.code,
    providerMessage: words.message,
  };
  const pauseMs = pauseAskedForMs(answer, context.nowMs);
  const http = `HTTP ${answer.status}`;
  if (pauseMs !== null) {
    const reason = `the provider asked for a pause (${http})`;
    return new ProviderFailure({ ...facts, kind: 'rate_limited', reason, retryAfterMs: pauseMs });
  }
  if (answer.status === 401) {
    return new ProviderFailure({ ...facts, kind: 'unauthenticated', reason: `not authenticated (${http})` });
  }
  if (meansTakenReference(operation, answer)) {
    const reason = `the reference may be taken (${http}); look it up`;
    return new ProviderFailure({ ...facts, kind: 'duplicate_reference', reason });
  }
  if (answer.status >= 400 && answer.status < 500 && !mayHaveBegun(answer.status)) {
    return new ProviderFailure({ ...facts, kind: 'refused', reason: `the provider refused the request (${http})` });
  }
  const reason = answer.status < 400 ? `answered by a redirect (${http}); check the base address` : `failed (${http})`;
  return new ProviderFailure({ ...facts, kind: 'unknown_outcome', reason });
}

/** 408 and 499 are said by something in between that stopped waiting: the provider behind it may yet act. */
function mayHaveBegun(status: number): boolean {
  return status === 408 || status === 499;
}

/**
 * Whether a refusal may come from a reference that exists already. A wrong yes costs one look-up; a wrong no could
 * pay twice, so only texts that plainly speak of another kind of reference are left out. Contract: payments 2.6, 4.3.
 */
function meansTakenReference(operation: Operation, answer: HttpAnswer): boolean {
  if (!carriesReference(operation)) return false;
  if (answer.status === 409) return true;
  if (answer.status !== 400 && answer.status !== 422) return false;
  const otherReferences = /(payment|funding)[\s_-]?reference/gi;
  const speaksOfTaken = /duplicat|unique|already|exist|taken|in use/i;
  if (speaksOfTaken.test(answer.body)) return /reference/i.test(answer.body);
  return /reference/i.test(answer.body.replace(otherReferences, ''));
}
