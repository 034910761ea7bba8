import type { FailureKind } from '../../domain/payments/request-result.ts';
import { readErrorBody } from './error-body.ts';
import { carriesReference, isWithStorage, namesARecord, type Operation } from '../operations.ts';
import { retryAfterMs } from '../gate/retry-after.ts';

/** What is judged of an answer. Header names are in lower case. */
export interface JudgedAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
}

interface Meaning {
  /** Absent: every status. */
  statuses?: readonly number[];
  /** What else must hold. */
  when?: (operation: Operation, answer: JudgedAnswer) => boolean;
  kind: FailureKind;
  /** Our own words for a log. */
  reason: string;
}

/**
 * What an answer outside 2xx means for the money: the one place that says so, and the first line that fits counts. The
 * contract shows 403 for a missing key and 401 for a missing token, and no other answer of failure, so whatever could be
 * read either way is taken for an unknown outcome. Contract: account 7, 8.
 */
const MEANINGS: readonly Meaning[] = [
  { statuses: [401], kind: 'unauthenticated', reason: 'not authenticated' },
  { statuses: [429], kind: 'rate_limited', reason: 'the provider asked for a pause' },
  { statuses: [403], when: asksForPause, kind: 'rate_limited', reason: 'the provider asked for a pause' },
  // Of a storage it means that the address is over; else it is about who asks, and never about the row.
  { statuses: [403], when: isWithStorage, kind: 'refused', reason: 'the address does not admit it' },
  { statuses: [403], kind: 'unauthenticated', reason: 'the provider forbids it: check the API key and what it may do' },
  { when: isReferenceTaken, kind: 'duplicate_reference', reason: 'the reference may be taken; look it up' },
  // Said by something in between that stopped waiting: the provider behind it may yet act.
  { statuses: [408, 499], kind: 'unknown_outcome', reason: 'failed' },
  { when: isOfAGateway, kind: 'unknown_outcome', reason: 'answered by something that is not the provider' },
  { when: isClientError, kind: 'refused', reason: 'the provider refused the request' },
  { when: isRedirect, kind: 'unknown_outcome', reason: 'answered by a redirect; check the base address' },
];

/** A 503 with `Retry-After` too: whoever says it may have passed the request on. */
const FAILED = { kind: 'unknown_outcome', reason: 'failed' } as const;

export function meaningOf(operation: Operation, answer: JudgedAnswer): Pick<Meaning, 'kind' | 'reason'> {
  const fitting = MEANINGS.find(
    ({ statuses, when }) =>
      (statuses === undefined || statuses.includes(answer.status)) && (when === undefined || when(operation, answer)),
  );
  return fitting ?? FAILED;
}

function isClientError(_operation: Operation, { status }: JudgedAnswer): boolean {
  return status >= 400 && status < 500;
}

function isRedirect(_operation: Operation, { status }: JudgedAnswer): boolean {
  return status >= 300 && status < 400;
}

function asksForPause(_operation: Operation, { headers }: JudgedAnswer): boolean {
  return retryAfterMs(headers['retry-after'], 0) !== null;
}

/**
 * Whether a refusal may come from a reference that exists already. A wrong yes costs one look-up; a wrong no could
 * pay twice, so only texts that plainly speak of another kind of reference are left out. Contract: payments 2.6, 4.3.
 */
function isReferenceTaken(operation: Operation, { status, body }: JudgedAnswer): boolean {
  if (!carriesReference(operation)) return false;
  if (status === 409) return true;
  if (status !== 400 && status !== 422) return false;
  const otherReferences = /(payment|funding)[\s_-]?reference/gi;
  const speaksOfTaken = /duplicat|unique|already|exist|taken|in use/i;
  if (speaksOfTaken.test(body)) return /reference/i.test(body);
  return /reference/i.test(body.replace(otherReferences, ''));
}

/**
 * A page, a method that is not allowed, or a "not found" in no words, which a gateway in front of the provider says of a
 * route that it does not know. The provider itself says it in no words only of a record that was asked for by its id.
 * Storage answers in its own ways.
 */
function isOfAGateway(operation: Operation, answer: JudgedAnswer): boolean {
  if (isWithStorage(operation) || !isClientError(operation, answer)) return false;
  const { status, headers, body } = answer;
  if (status === 405 || /^\s*</.test(body) || (headers['content-type'] ?? '').startsWith('text/html')) return true;
  return [404, 410, 413].includes(status) && !namesARecord(operation) && !isJsonWithWords(body);
}

function isJsonWithWords(body: string): boolean {
  if (!/^\s*[{["]/.test(body)) return false;
  const { code, message } = readErrorBody(body, []);
  return code !== null || message !== null;
}

/**
 * Whether a refused creation speaks of its quote: it has expired, was used, or is not known. The contract gives no code for
 * that. Another quote costs one request, so a wrong yes is cheap. Contract: payments 2.5, 2.6.
 */
export function speaksOfQuote(words: { providerCode: string | null; providerMessage: string | null }): boolean {
  return /quote/i.test(`${words.providerCode ?? ''} ${words.providerMessage ?? ''}`);
}
