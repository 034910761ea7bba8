import type { FailureKind } from '../domain/request-result.ts';
import { readErrorBody } from './error-body.ts';
import { retryAfterMs } from './retry-after.ts';
import { carriesReference, isUpload, namesARecord, type Operation } from './operations.ts';

/** What is judged of an answer. Header names are in lower case. */
export interface JudgedAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
}

interface Meaning {
  /** Statuses: the first and the last one. */
  from: number;
  to: number;
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
  { from: 401, to: 401, kind: 'unauthenticated', reason: 'not authenticated' },
  { from: 429, to: 429, kind: 'rate_limited', reason: 'the provider asked for a pause' },
  { from: 403, to: 403, when: asksForPause, kind: 'rate_limited', reason: 'the provider asked for a pause' },
  // Where a file goes it means that the address is over; else it is about who asks, and never about the row.
  { from: 403, to: 403, when: isUpload, kind: 'refused', reason: 'the address does not admit it' },
  {
    from: 403,
    to: 403,
    kind: 'unauthenticated',
    reason: 'the provider forbids it: check the API key and what it may do',
  },
  {
    from: 400,
    to: 499,
    when: isReferenceTaken,
    kind: 'duplicate_reference',
    reason: 'the reference may be taken; look it up',
  },
  // Said by something in between that stopped waiting: the provider behind it may yet act.
  { from: 408, to: 408, kind: 'unknown_outcome', reason: 'failed' },
  { from: 499, to: 499, kind: 'unknown_outcome', reason: 'failed' },
  {
    from: 405,
    to: 405,
    when: isOfTheApi,
    kind: 'unknown_outcome',
    reason: 'answered by something that is not the provider',
  },
  {
    from: 400,
    to: 499,
    when: isOfAGateway,
    kind: 'unknown_outcome',
    reason: 'answered by something that is not the provider',
  },
  { from: 400, to: 499, kind: 'refused', reason: 'the provider refused the request' },
  { from: 300, to: 399, kind: 'unknown_outcome', reason: 'answered by a redirect; check the base address' },
  // A 503 with `Retry-After` too: whoever says it may have passed the request on.
  { from: 0, to: 999, kind: 'unknown_outcome', reason: 'failed' },
];

export function meaningOf(operation: Operation, answer: JudgedAnswer): Pick<Meaning, 'kind' | 'reason'> {
  const { status } = answer;
  const fitting = MEANINGS.find(
    ({ from, to, when }) => from <= status && status <= to && (when === undefined || when(operation, answer)),
  );
  return fitting ?? { kind: 'unknown_outcome', reason: 'failed' };
}

function isOfTheApi(operation: Operation): boolean {
  return !isUpload(operation);
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
 * A page, or a "not found" in no words, which a gateway in front of the provider says of a route that it does not know. The
 * provider itself says it in no words only of a record that was asked for by its id. Storage answers in its own ways.
 */
function isOfAGateway(operation: Operation, { status, headers, body }: JudgedAnswer): boolean {
  if (isUpload(operation)) return false;
  if (/^\s*</.test(body) || (headers['content-type'] ?? '').startsWith('text/html')) return true;
  const needsWords = (status === 404 || status === 410 || status === 413) && !namesARecord(operation);
  return needsWords && !isJsonWithWords(body);
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
