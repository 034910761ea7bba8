import type { FindingKind, RowMark, RunReview } from '../../domain/run-finding.ts';
import { allFound, laterDays, marksOf } from '../../domain/run-findings.ts';
import { type Database, inTransaction } from '../../store/database.ts';
import { type ReviewedRun, readReviewedRun, readRowFacts } from '../../store/review-facts.ts';
import { readFindings, readMarks, saveFindings } from '../../store/run-findings.ts';
import { composeFindings } from './compose-findings.ts';
import type { EngineDependencies } from './engine-dependencies.ts';
import { EngineError } from './engine-error.ts';

/** Of each kind so many findings are kept and told; of the others their number. */
const MOST_FINDINGS = 1_000;

/**
 * What stands out in the rows that a run would pay, or was approved to pay: worked out from the record when somebody asks,
 * and kept there. Null when there is no such run. @throws EngineError `conflict` while the run is still being checked.
 */
export async function findReview({ database, now }: EngineDependencies, runId: string): Promise<RunReview | null> {
  const run = await readReviewedRun(database, runId);
  if (run === null) return null;
  if (isUnderCheck(run)) throw new EngineError('conflict', 'the run is still being checked; try again in a moment');
  return (await readFindings(database, run)) ?? workOut(database, runId, now());
}

/** The marks of rows by their numbers, from the first to the last one given; none while the run is being checked. */
export async function rowMarks(
  { database, now }: EngineDependencies,
  runId: string,
  rows: { first: number; last: number },
): Promise<Map<number, RowMark[]>> {
  const known = await readMarks(database, runId, rows);
  if (known !== null) return known;
  const run = await readReviewedRun(database, runId);
  if (run === null || isUnderCheck(run)) return new Map();
  await workOut(database, runId, now());
  return (await readMarks(database, runId, rows)) ?? new Map<number, RowMark[]>();
}

function isUnderCheck({ state }: ReviewedRun): boolean {
  return state === 'draft' || state === 'validating';
}

async function workOut(database: Database, runId: string, nowMs: number): Promise<RunReview> {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const { found, review } = await inTransaction(database, async (transaction) => {
    // All of it, the hash among it, is of one moment.
    await transaction.query('set transaction isolation level repeatable read, read only');
    const run = await readReviewedRun(transaction, runId);
    if (run === null) throw new EngineError('not_found', 'there is no such run');
    const rows = await readRowFacts(transaction, run);
    const found = allFound(rows);
    const later = laterDays(rows, today).map((day) => ({ kind: 'pays_later', ...day }) as const);
    const listed = await composeFindings(transaction, run, firstOfEachKind(found));
    const findings = [...listed, ...firstOfEachKind(later)];
    return { found, review: { contentHash: run.contentHash, findings, more: unlisted([...found, ...later]) } };
  });
  await saveFindings(database, runId, review, marksOf(found));
  return review;
}

function firstOfEachKind<T extends { kind: FindingKind }>(found: readonly T[]): T[] {
  const counts = new Map<FindingKind, number>();
  return found.filter(({ kind }) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return (counts.get(kind) ?? 0) <= MOST_FINDINGS;
  });
}

function unlisted(found: readonly { kind: FindingKind }[]): RunReview['more'] {
  const more: RunReview['more'] = {};
  for (const { kind } of found) more[kind] = (more[kind] ?? -MOST_FINDINGS) + 1;
  return Object.fromEntries(Object.entries(more).filter(([, count]) => count > 0));
}
