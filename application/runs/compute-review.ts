import { dayOf } from '../../domain/calendar-date.ts';
import type { FindingKind, RowMark, RunReview } from '../../domain/runs/run-finding.ts';
import { allRowFindings, laterDays, marksOf } from '../../domain/runs/run-findings.ts';
import { type Database, inTransaction } from '../../store/database/database.ts';
import { readReviewedRun, readRowFacts } from '../../store/runs/review-facts.ts';
import { orNotFound } from '../application-error.ts';
import { composeFindings } from './compose-findings.ts';

/** The findings listed of each kind; further ones are only counted. */
const MAX_FINDINGS_PER_KIND = 1_000;

export interface ComputedReview {
  review: RunReview;
  marks: Readonly<Record<RowMark, readonly number[]>>;
}

/** What stands out in the rows of a run, as the record has them now. */
export async function computeReview(database: Database, runId: string, nowMs: number): Promise<ComputedReview> {
  const today = dayOf(nowMs);
  return inTransaction(database, async (transaction) => {
    // All of it, the hash included, is of one snapshot.
    await transaction.query('set transaction isolation level repeatable read, read only');
    const run = orNotFound(await readReviewedRun(transaction, runId), 'there is no such run');
    const rows = await readRowFacts(transaction, run);
    const found = allRowFindings(rows);
    const later = laterDays(rows, today).map((day) => ({ kind: 'pays_later', ...day }) as const);
    const listed = await composeFindings(transaction, run, firstOfEachKind(found));
    const findings = [...listed, ...firstOfEachKind(later)];
    const review = { contentHash: run.contentHash, findings, unlistedCounts: unlisted([...found, ...later]) };
    return { review, marks: marksOf(found) };
  });
}

function firstOfEachKind<T extends { kind: FindingKind }>(found: readonly T[]): T[] {
  const counts = new Map<FindingKind, number>();
  return found.filter(({ kind }) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return (counts.get(kind) ?? 0) <= MAX_FINDINGS_PER_KIND;
  });
}

function unlisted(found: readonly { kind: FindingKind }[]): RunReview['unlistedCounts'] {
  const more: RunReview['unlistedCounts'] = {};
  for (const { kind } of found) more[kind] = (more[kind] ?? -MAX_FINDINGS_PER_KIND) + 1;
  return Object.fromEntries(Object.entries(more).filter(([, count]) => count > 0));
}
