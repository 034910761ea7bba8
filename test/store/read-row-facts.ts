import type { RowFacts } from '../../domain/runs/run-findings.ts';
import type { Queryable } from '../../store/database/database.ts';
import { openReviewedRows, type ReviewScope } from '../../store/runs/review-facts.ts';

/** All reviewed rows of a small run. */
export async function readRowFacts(transaction: Queryable, scope: ReviewScope): Promise<RowFacts[]> {
  const facts: RowFacts[] = [];
  await (await openReviewedRows(transaction, scope)).forEach((row) => facts.push(row));
  return facts;
}
