import { setTimeout as sleep } from 'node:timers/promises';
import type { FindingKind, RowMark, RunReview } from '../../domain/runs/run-finding.ts';
import { dayOf } from '../../domain/calendar-date.ts';
import { type RunState, stageOfRun } from '../../domain/runs/run-state.ts';
import { allRowFindings, laterDays, marksOf } from '../../domain/runs/run-findings.ts';
import { type Database, inTransaction } from '../../store/database/database.ts';
import { readReviewedRun, readReviewScope, readRowFacts, type ReviewScope } from '../../store/runs/review-facts.ts';
import { composeFindings } from './compose-findings.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import type { Reviews, RowRange } from './reviews.ts';
import { ApplicationError, orNotFound } from '../application-error.ts';

/** The findings listed of each kind; further ones are only counted. */
const MAX_FINDINGS_PER_KIND = 1_000;

/** How long the review of an undecided run is cached: other runs may pay meanwhile. */
const CACHED_FOR_MS = 120_000;
const MAX_CACHED_RUNS = 10;
/** Long enough for runs of the usual size, and hardly noticed by who waits. */
const KNOWN_WITHIN_MS = 200;

interface ComputedReview {
  review: RunReview;
  marks: Readonly<Record<RowMark, readonly number[]>>;
}

interface CacheEntry {
  scope: string;
  computedAtMs: number;
  computed: Promise<ComputedReview>;
}

export function createReviews({ database, now }: ApplicationDependencies): Reviews {
  const cache = new Map<string, CacheEntry>();

  /** After the decision the review no longer changes; before it, the cache expires. */
  function cachedOf(run: ReviewScope): Promise<ComputedReview> | null {
    const known = cache.get(run.runId);
    if (known === undefined || known.scope !== scopeOf(run)) return null;
    return run.asOf !== null || now() - known.computedAtMs < CACHED_FOR_MS ? known.computed : null;
  }

  /** Concurrent callers share one computation. */
  function computeOnce(run: ReviewScope): Promise<ComputedReview> {
    const { runId } = run;
    const computed = computeReview(database, runId, now());
    cache.delete(runId);
    cache.set(runId, { scope: scopeOf(run), computedAtMs: now(), computed });
    for (const oldest of [...cache.keys()].slice(0, -MAX_CACHED_RUNS)) cache.delete(oldest);
    computed.catch(() => {
      if (cache.get(runId)?.computed === computed) cache.delete(runId);
    });
    return computed;
  }

  return {
    find: async (runId) => {
      const run = await readReviewedRun(database, runId);
      if (run === null) return null;
      if (isUnderCheck(run))
        throw new ApplicationError('conflict', 'the run is still being checked; try again in a moment');
      const known = await cachedOf(run);
      if (known?.review.contentHash === run.contentHash) return known.review;
      return (await computeOnce(run)).review;
    },
    marksOf: async (runId, rows) => {
      const run = await readReviewScope(database, runId);
      if (run === null || isUnderCheck(run)) return new Map();
      return marksBetween(await (cachedOf(run) ?? computeOnce(run)), rows);
    },
    marksIfKnown: async (runId, rows) => {
      const run = await readReviewScope(database, runId);
      if (run === null || isUnderCheck(run)) return new Map();
      const computed = await Promise.race([cachedOf(run) ?? computeOnce(run), sleep(KNOWN_WITHIN_MS, null)]);
      return computed === null ? null : marksBetween(computed, rows);
    },
  };
}

/** What the findings of a run depend on beside its content. */
function scopeOf({ isApproved, asOf }: ReviewScope): string {
  return `${isApproved} ${asOf?.toISOString() ?? ''}`;
}

function marksBetween({ marks }: ComputedReview, { first, last }: RowRange): Map<number, RowMark[]> {
  const byRow = new Map<number, RowMark[]>();
  for (const [mark, numbers] of Object.entries(marks) as [RowMark, readonly number[]][]) {
    for (const number of numbers) {
      if (number >= first && number <= last) byRow.set(number, [...(byRow.get(number) ?? []), mark]);
    }
  }
  return byRow;
}

function isUnderCheck({ state }: { state: RunState }): boolean {
  return stageOfRun(state) === 'checking';
}

async function computeReview(database: Database, runId: string, nowMs: number): Promise<ComputedReview> {
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
