import type { Answer } from './provider-door.ts';

const FUNDED = /"status":"(processing|under_review|in_transit|completed)"/;

/** The answer as a copy of the provider's data would give it that has not yet heard of the funding. */
export function asBeforeFunding(answer: Answer): Answer {
  if (answer.status !== 200) return answer;
  return withText(answer, (text) => text.replace(FUNDED, '"status":"awaiting_funds"'));
}

/** The answer without the time of the payment's creation. */
export function withoutCreationTime(answer: Answer): Answer {
  return withText(answer, (text) => text.replace(/,"createdAt":"[^"]*"/, '').replace(/"createdAt":"[^"]*",/, ''));
}

function withText(answer: Answer, change: (text: string) => string): Answer {
  const bytes = Buffer.from(change(answer.bytes.toString('utf8')));
  return { ...answer, bytes, headers: { ...answer.headers, 'content-length': String(bytes.length) } };
}
