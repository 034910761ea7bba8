/**
 * Answers come wrapped as `{data: …}`, as `{value: […]}`, both, or bare, and the wrapping differs between endpoints
 * and versions. Contract: payments (notation), account 4.
 */

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The one record of an answer, out of its envelope. */
export function unwrapRecord(answer: unknown): unknown {
  return isObject(answer) && 'data' in answer ? answer.data : answer;
}

/**
 * The list of an answer, out of its envelopes. What is no list stays as it is, for the schema to refuse: an answer
 * that was misread as "nothing found" could have a payment made twice.
 */
export function unwrapList(answer: unknown): unknown {
  const inner = unwrapRecord(answer);
  return isObject(inner) && Array.isArray(inner.value) ? inner.value : inner;
}
