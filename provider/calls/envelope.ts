/**
 * Answers are wrapped as `{data: …}`, as `{value: […]}`, in both, or not at all; this differs between endpoints and
 * versions. Contract: payments (notation), account 4.
 */

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The record of an answer, without its envelope. */
export function unwrapRecord(answer: unknown): unknown {
  return isObject(answer) && 'data' in answer ? answer.data : answer;
}

/**
 * The list of an answer, without its envelopes. Anything but a list is returned as it is, and the schema refuses it:
 * reading it as an empty list could have a payment made twice.
 */
export function unwrapList(answer: unknown): unknown {
  const inner = unwrapRecord(answer);
  // guard: no-list-is-not-empty
  return isObject(inner) && Array.isArray(inner.value) ? inner.value : inner;
}
