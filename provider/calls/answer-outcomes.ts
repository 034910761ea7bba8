import type { FailureKind } from '../../domain/payments/request-result.ts';
import { readErrorBody } from './error-body.ts';
import { hasRecordId, isNonIdempotent, isStorageOperation, type Operation, sendsReference } from '../operations.ts';
import { retryAfterMs } from '../rate-limiter/pause-after-429.ts';

/** An answer outside 2xx. Header names are in lower case. */
export interface FailedAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
}

interface AnswerOutcome {
  /** Absent: every status. */
  statuses?: readonly number[];
  /** A further condition. */
  when?: (operation: Operation, answer: FailedAnswer) => boolean;
  kind: FailureKind;
  /** Our own text, for logs. */
  reason: string;
}

/**
 * What an answer outside 2xx says about the request: the first matching line counts. The contract shows 403 for a
 * missing key, 401 for a missing token and no other failure, so every ambiguous answer is an unknown outcome. Contract:
 * account 7, 8.
 */
const ANSWER_OUTCOMES: readonly AnswerOutcome[] = [
  // A gateway that inspects answers may replace the answer to a request that was carried out by a page of its own.
  {
    statuses: [401, 403, 429],
    when: mayBeCarriedOut,
    kind: 'unknown_outcome',
    reason: 'not answered by the provider itself',
  },
  { statuses: [401], kind: 'unauthenticated', reason: 'not authenticated' },
  // guard: limited-is-not-refused
  { statuses: [429], kind: 'rate_limited', reason: 'the provider asked for a pause' },
  { statuses: [403], when: hasRetryAfter, kind: 'rate_limited', reason: 'the provider asked for a pause' },
  // A storage answers 403 when the address has expired. The API answers it for the caller, never for the payment.
  { statuses: [403], when: isStorageOperation, kind: 'refused', reason: 'the address refused it' },
  { statuses: [403], kind: 'unauthenticated', reason: 'the provider forbids it: check the API key and what it may do' },
  // guard: taken-reference-is-looked-up
  { when: isReferenceTaken, kind: 'duplicate_reference', reason: 'the reference may be taken; look it up' },
  // From a proxy that stopped waiting: the provider behind it may still act on the request.
  // guard: given-up-in-between
  { statuses: [408, 499], kind: 'unknown_outcome', reason: 'failed' },
  // guard: gateways-say-nothing
  { when: isFromGateway, kind: 'unknown_outcome', reason: 'not answered by the provider itself' },
  { when: isClientError, kind: 'refused', reason: 'the provider refused the request' },
  { when: isRedirect, kind: 'unknown_outcome', reason: 'answered by a redirect; check the base address' },
];

/** Also for a 503 with `Retry-After`: a proxy that answers it may have forwarded the request. */
// guard: failures-are-unknown
const DEFAULT_OUTCOME = { kind: 'unknown_outcome', reason: 'failed' } as const;

export function outcomeOf(operation: Operation, answer: FailedAnswer): Pick<AnswerOutcome, 'kind' | 'reason'> {
  const matching = ANSWER_OUTCOMES.find(
    ({ statuses, when }) =>
      (statuses === undefined || statuses.includes(answer.status)) && (when === undefined || when(operation, answer)),
  );
  return matching ?? DEFAULT_OUTCOME;
}

function isClientError(_operation: Operation, { status }: FailedAnswer): boolean {
  return status >= 400 && status < 500;
}

function isRedirect(_operation: Operation, { status }: FailedAnswer): boolean {
  return status >= 300 && status < 400;
}

function hasRetryAfter(_operation: Operation, { headers }: FailedAnswer): boolean {
  return retryAfterMs(headers['retry-after'], 0) !== null;
}

/**
 * Whether a refusal may come from a duplicate reference. A false positive costs one lookup, a false negative could pay
 * twice: so only texts that clearly name another kind of reference are excluded. Contract: payments 2.6, 4.3.
 */
function isReferenceTaken(operation: Operation, { status, body }: FailedAnswer): boolean {
  if (!sendsReference(operation)) return false;
  if (status === 409) return true;
  if (status !== 400 && status !== 422) return false;
  const otherReferences = /(payment|funding)[\s_-]?reference/gi;
  const mentionsDuplicate = /duplicat|unique|already|exist|taken|in use/i;
  if (mentionsDuplicate.test(body)) return /reference/i.test(body);
  return /reference/i.test(body.replace(otherReferences, ''));
}

/**
 * Whether a gateway in front of the provider answered: with an HTML page, "method not allowed", or, for a route that it
 * does not know, "not found" without an error message. The provider itself leaves out the message only for a record
 * that is requested by its id. Storage answers in other formats.
 */
function isFromGateway(operation: Operation, answer: FailedAnswer): boolean {
  if (isStorageOperation(operation) || !isClientError(operation, answer)) return false;
  const { status, headers, body } = answer;
  if (status === 405 || /^\s*</.test(body) || (headers['content-type'] ?? '').startsWith('text/html')) return true;
  return [404, 410, 413].includes(status) && !hasRecordId(operation) && !hasErrorDetails(body);
}

/** The message of a 401, in whatever shape. Contract: account 7. */
const NOT_AUTHENTICATED = 'authentication_failed';

/**
 * Whether a request that must not be repeated may have taken effect although it is answered as if it had not been let in: only
 * the provider's own error says that.
 */
function mayBeCarriedOut(operation: Operation, { body }: FailedAnswer): boolean {
  // guard: let-in-unless-said-otherwise
  return isNonIdempotent(operation) && !hasErrorDetails(body) && body.trim() !== NOT_AUTHENTICATED;
}

function hasErrorDetails(body: string): boolean {
  if (!/^\s*[{["]/.test(body)) return false;
  const { code, message } = readErrorBody(body, []);
  return code !== null || message !== null;
}

/**
 * Whether a refused creation mentions its quote, which has expired, was used or does not exist. The contract gives no
 * code for that. A new quote costs one request, so a false positive is cheap. Contract: payments 2.5, 2.6.
 */
export function mentionsQuote(refusal: { providerCode: string | null; providerMessage: string | null }): boolean {
  return /quote/i.test(`${refusal.providerCode ?? ''} ${refusal.providerMessage ?? ''}`);
}
