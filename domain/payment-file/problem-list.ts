import type { RowProblem } from './row-problem.ts';

/** More than anybody corrects at once. It bounds the memory that the problems of a large file take. */
export const MAX_LISTED_PROBLEMS = 1_000;

/** The first of many problems, in the order in which they were found, and how many there are in all. */
export interface ProblemList {
  listed: RowProblem[];
  count: number;
}

export function noProblems(): ProblemList {
  return { listed: [], count: 0 };
}

export function addProblems(list: ProblemList, found: readonly RowProblem[], maxListed = MAX_LISTED_PROBLEMS): void {
  list.listed.push(...found.slice(0, Math.max(0, maxListed - list.listed.length)));
  list.count += found.length;
}
