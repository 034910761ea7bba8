import type { RunReview } from '../../api/runs/review.ts';
import { keyOfFinding } from '../../domain/runs/finding-words.ts';

/** How a review differs from the one that somebody has read: a decision is about what was read. Null: in nothing. */
export type ReviewChange = { kind: 'content' } | { kind: 'findings'; came: number; went: number } | null;

export function changeSince(seen: RunReview, now: RunReview): ReviewChange {
  if (seen.contentHash !== now.contentHash) return { kind: 'content' };
  const [before, after] = [keysOf(seen), keysOf(now)];
  const came = [...after].filter((key) => !before.has(key)).length;
  const went = [...before].filter((key) => !after.has(key)).length;
  const isSame = came === 0 && went === 0 && unlistedOf(seen) === unlistedOf(now);
  return isSame ? null : { kind: 'findings', came, went };
}

/** The answers to findings that are still exactly what was answered: none becomes the answer to another one. */
export function answersThatHold(answers: ReadonlyMap<string, string>, now: RunReview): ReadonlyMap<string, string> {
  const keys = keysOf(now);
  return new Map([...answers].filter(([key]) => keys.has(key)));
}

function keysOf({ findings }: RunReview): Set<string> {
  return new Set(findings.map(keyOfFinding));
}

function unlistedOf({ unlistedCounts }: RunReview): string {
  return JSON.stringify(Object.entries(unlistedCounts).sort());
}
