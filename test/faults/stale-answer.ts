import type { Answer } from './provider-door.ts';

const FUNDED = /"status":"(processing|under_review|in_transit|completed)"/;

/** The answer as a copy of the provider's data would give it that has not yet heard of the funding. */
export function asBeforeFunding(answer: Answer): Answer {
  if (answer.status !== 200) return answer;
  const text = answer.bytes.toString('utf8').replace(FUNDED, '"status":"awaiting_funds"');
  const bytes = Buffer.from(text);
  return { ...answer, bytes, headers: { ...answer.headers, 'content-length': String(bytes.length) } };
}
