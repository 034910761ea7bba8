import { answerOfThread } from '../../store/database/answer-of-thread.ts';
import type { ComputedReview } from './compute-review.ts';

export interface ReviewForThread {
  databaseUrl: string;
  runId: string;
  /** Milliseconds since the epoch. */
  nowMs: number;
}

/** A million rows, each of a new beneficiary, take about half of it. */
const MEMORY_MIB = 4_096;

/** The last review that was asked for: they are made one after another, as each may take a processor and gigabytes. */
let last: Promise<unknown> = Promise.resolve();

/** Reviews a run in a thread of its own, with one connection to the database, so that this one goes on answering. */
export function reviewInThread(run: ReviewForThread): Promise<ComputedReview> {
  const file = new URL('./review-thread.mjs', import.meta.url);
  const work = { file, data: run, memoryMib: MEMORY_MIB, purpose: 'reviews a run' };
  const review = last.then(() => answerOfThread<ComputedReview>(work));
  last = review.catch(() => undefined);
  return review;
}
