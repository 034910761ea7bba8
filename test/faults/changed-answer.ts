import type { Answer } from './provider-proxy.ts';

const FUNDED = /"status":"(processing|under_review|in_transit|completed)"/;

/** The answer of a stale replica that does not have the funding yet. */
export function asBeforeFunding(answer: Answer): Answer {
  if (answer.status !== 200) return answer;
  return withText(answer, (text) => text.replace(FUNDED, '"status":"awaiting_funds"'));
}

/** The answer without the payment's creation time. */
export function withoutCreationTime(answer: Answer): Answer {
  return withText(answer, (text) => text.replace(/,"createdAt":"[^"]*"/, '').replace(/"createdAt":"[^"]*",/, ''));
}

function withText(answer: Answer, change: (text: string) => string): Answer {
  const bytes = Buffer.from(change(answer.bytes.toString('utf8')));
  return { ...answer, bytes, headers: { ...answer.headers, 'content-length': String(bytes.length) } };
}
