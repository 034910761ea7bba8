import type { RowMark, RunReview } from '../../api/runs/review.ts';

/** Numbers of rows, both included. */
export interface RowRange {
  first: number;
  last: number;
}

/**
 * What stands out in the rows of runs, computed from the database on request. It is cached in memory only, so that a login
 * to the database cannot change what checkers see.
 */
export interface Reviews {
  /**
   * For the rows that a run would pay, or was approved to pay. Null when there is no such run.
   * @throws ApplicationError `conflict` while the run is still being checked.
   */
  find(runId: string): Promise<RunReview | null>;
  /** The marks of rows by their numbers, from the first to the last one given; none while the run is being checked. */
  marksOf(runId: string, rows: RowRange): Promise<Map<number, RowMark[]>>;
  /** The numbers of all rows of a finding, by its id; none while the run is being checked, and of a finding that is not listed. */
  rowsOf(runId: string, finding: string): Promise<readonly number[]>;
  /** The same as `marksOf`, if it is known now or in a moment. Null: it is still being computed, which goes on without this request. */
  marksIfKnown(runId: string, rows: RowRange): Promise<Map<number, RowMark[]> | null>;
}
