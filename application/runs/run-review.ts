import type { FindingKind, RowMark, RunReview } from '../../domain/runs/run-finding.ts';
import { dayOf } from '../../domain/payments/pay-day.ts';
import type { RunState } from '../../domain/runs/run-state.ts';
import { allFound, laterDays, marksOf } from '../../domain/runs/run-findings.ts';
import { type Database, inTransaction } from '../../store/database/database.ts';
import { readReviewedRun, readReviewScope, readRowFacts, type ReviewScope } from '../../store/runs/review-facts.ts';
import { composeFindings } from './compose-findings.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';

/** Of each kind so many findings are kept and told; of the others their number. */
const MOST_FINDINGS = 1_000;

/** How long findings of a run that nobody has decided on are told: meanwhile other runs may have paid. */
const FRESH_FOR_MS = 120_000;
/** Of so many runs findings are kept. */
const MOST_KEPT = 10;

/**
 * What stands out in the rows of runs, worked out from the record when somebody asks. It is kept in memory alone: what
 * those who decide are shown is nothing that a login to the database could write.
 */
export interface Reviews {
  /**
   * Of the rows that a run would pay, or was approved to pay. Null when there is no such run.
   * @throws ApplicationError `conflict` while the run is still being checked.
   */
  find(runId: string): Promise<RunReview | null>;
  /** The marks of rows by their numbers, from the first to the last one given; none while the run is being checked. */
  marksOf(runId: string, rows: { first: number; last: number }): Promise<Map<number, RowMark[]>>;
}

interface WorkedOut {
  review: RunReview;
  marks: Readonly<Record<RowMark, readonly number[]>>;
}

interface Kept {
  scope: string;
  madeAtMs: number;
  made: Promise<WorkedOut>;
}

export function createReviews({ database, now }: ApplicationDependencies): Reviews {
  const kept = new Map<string, Kept>();

  /** Findings are as of the decision, or of now while there is none. */
  function keptOf(run: ReviewScope): Promise<WorkedOut> | null {
    const known = kept.get(run.runId);
    if (known === undefined || known.scope !== scopeOf(run)) return null;
    return run.asOf !== null || now() - known.madeAtMs < FRESH_FOR_MS ? known.made : null;
  }

  /** Those who ask at once wait for the same. */
  function workOutOnce(run: ReviewScope): Promise<WorkedOut> {
    const { runId } = run;
    const made = workOut(database, runId, now());
    kept.delete(runId);
    kept.set(runId, { scope: scopeOf(run), madeAtMs: now(), made });
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest);
    made.catch(() => {
      if (kept.get(runId)?.made === made) kept.delete(runId);
    });
    return made;
  }

  return {
    find: async (runId) => {
      const run = await readReviewedRun(database, runId);
      if (run === null) return null;
      if (isUnderCheck(run))
        throw new ApplicationError('conflict', 'the run is still being checked; try again in a moment');
      const known = await keptOf(run);
      if (known?.review.contentHash === run.contentHash) return known.review;
      return (await workOutOnce(run)).review;
    },
    marksOf: async (runId, rows) => {
      const run = await readReviewScope(database, runId);
      if (run === null || isUnderCheck(run)) return new Map();
      return marksBetween((await (keptOf(run) ?? workOutOnce(run))).marks, rows);
    },
  };
}

/** What the findings of a run depend on beside its content. */
function scopeOf({ isApproved, asOf }: ReviewScope): string {
  return `${isApproved} ${asOf?.toISOString() ?? ''}`;
}

function marksBetween(marks: WorkedOut['marks'], { first, last }: { first: number; last: number }) {
  const byRow = new Map<number, RowMark[]>();
  for (const [mark, numbers] of Object.entries(marks) as [RowMark, readonly number[]][]) {
    for (const number of numbers) {
      if (number >= first && number <= last) byRow.set(number, [...(byRow.get(number) ?? []), mark]);
    }
  }
  return byRow;
}

function isUnderCheck({ state }: { state: RunState }): boolean {
  return state === 'draft' || state === 'validating';
}

async function workOut(database: Database, runId: string, nowMs: number): Promise<WorkedOut> {
  const today = dayOf(nowMs);
  return inTransaction(database, async (transaction) => {
    // All of it, the hash among it, is of one moment.
    await transaction.query('set transaction isolation level repeatable read, read only');
    const run = await readReviewedRun(transaction, runId);
    if (run === null) throw new ApplicationError('not_found', 'there is no such run');
    const rows = await readRowFacts(transaction, run);
    const found = allFound(rows);
    const later = laterDays(rows, today).map((day) => ({ kind: 'pays_later', ...day }) as const);
    const listed = await composeFindings(transaction, run, firstOfEachKind(found));
    const findings = [...listed, ...firstOfEachKind(later)];
    const review = { contentHash: run.contentHash, findings, more: unlisted([...found, ...later]) };
    return { review, marks: marksOf(found) };
  });
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
