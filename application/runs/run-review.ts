import { setTimeout as sleep } from 'node:timers/promises';
import { RowMarks } from '../../domain/runs/collected-findings.ts';
import type { RowMark } from '../../domain/runs/run-finding.ts';
import { type RunState, stageOfRun } from '../../domain/runs/run-state.ts';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import { answerOfThread } from '../../store/database/answer-of-thread.ts';
import { readReviewedRun, readReviewScope, type ReviewScope } from '../../store/runs/review-facts.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import type { Reviews, RowRange } from './reviews.ts';
import { configuredKeys, readable } from '../data-keys.ts';
import { ApplicationError } from '../application-error.ts';
import { type ComputedReview, computeReview } from './compute-review.ts';

/** How long the review of an undecided run is cached: other runs may pay meanwhile. */
const CACHED_FOR_MS = 120_000;
const MAX_CACHED_RUNS = 10;
/** Long enough for runs of the usual size, and hardly noticed by who waits. */
const KNOWN_WITHIN_MS = 200;
/** The review of more rows would keep other requests waiting for longer than a tenth of a second. */
const MAX_ROWS_HERE = 20_000;

interface CacheEntry {
  scope: string;
  /** Infinity while it is being computed: however long that takes, it is not begun again. */
  computedAtMs: number;
  computed: Promise<ComputedReview>;
}

export function createReviews(
  dependencies: Pick<ApplicationDependencies, 'database' | 'dataKeys' | 'now'>,
  maxRowsHere = MAX_ROWS_HERE,
): Reviews {
  const { database, now } = dependencies;
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
    const keys = configuredKeys(dependencies);
    const databaseUrl = database.options.connectionString;
    const computed =
      run.rowCount > maxRowsHere && databaseUrl !== undefined
        ? reviewInThread({ databaseUrl, keys: keysForThread(keys), runId, nowMs: now() })
        : readable(computeReview(database, keys, runId, now()));
    cache.delete(runId);
    const entry = { scope: scopeOf(run), computedAtMs: Number.POSITIVE_INFINITY, computed };
    cache.set(runId, entry);
    computed.then(
      () => {
        entry.computedAtMs = now();
        dropOldest();
      },
      () => {
        if (cache.get(runId) === entry) cache.delete(runId);
      },
    );
    return computed;
  }

  /** Its review, without waiting for it; null: there is none as long as the run is being checked. */
  async function reviewOf(runId: string): Promise<{ computed: Promise<ComputedReview> | null }> {
    const run = await readReviewScope(database, runId);
    if (run === null || isUnderCheck(run)) return { computed: null };
    return { computed: cachedOf(run) ?? computeOnce(run) };
  }

  function dropOldest(): void {
    const ready = [...cache].filter(([, { computedAtMs }]) => computedAtMs !== Number.POSITIVE_INFINITY);
    for (const [runId] of ready.slice(0, -MAX_CACHED_RUNS)) cache.delete(runId);
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
      const { computed } = await reviewOf(runId);
      return computed === null ? new Map() : marksBetween(await computed, rows);
    },
    rowsOf: async (runId, finding) => {
      const { computed } = await reviewOf(runId);
      return Array.from((await computed)?.rowsOf[finding] ?? []);
    },
    marksIfKnown: async (runId, rows) => {
      const { computed } = await reviewOf(runId);
      if (computed === null) return new Map();
      const known = await Promise.race([computed, sleep(KNOWN_WITHIN_MS, null)]);
      return known === null ? null : marksBetween(known, rows);
    },
  };
}

/** A thread cannot read the file of the keys again. */
function keysForThread(keys: DataKeys): DataKeys {
  keys.reread?.();
  return { current: keys.current, all: keys.all };
}

/** What the findings of a run depend on beside its content. */
function scopeOf({ isApproved, asOf }: ReviewScope): string {
  return `${isApproved} ${asOf?.toISOString() ?? ''}`;
}

function marksBetween({ marks }: ComputedReview, { first, last }: RowRange): Map<number, RowMark[]> {
  const byRow = new Map<number, RowMark[]>();
  const ofRows = new RowMarks(marks);
  for (let number = first; number <= last && number < marks.length; number += 1) {
    const found = ofRows.of(number);
    if (found.length > 0) byRow.set(number, found);
  }
  return byRow;
}

function isUnderCheck({ state }: { state: RunState }): boolean {
  return stageOfRun(state) === 'checking';
}

export interface ReviewForThread {
  databaseUrl: string;
  keys: DataKeys;
  runId: string;
  /** Milliseconds since the epoch. */
  nowMs: number;
}

/** Far more than a review needs: 100,000 rows, each of a new beneficiary, take about 20 MiB beside the program. */
const MEMORY_MIB = 1_024;

/** The last review that was asked for: they are made one after another, as each may take a processor. */
let lastInThread: Promise<unknown> = Promise.resolve();

/** Reviews a run in a thread of its own, with one connection to the database, so that this one goes on answering. */
function reviewInThread(run: ReviewForThread): Promise<ComputedReview> {
  const file = new URL('./review-thread.mjs', import.meta.url);
  const work = { file, data: run, memoryMib: MEMORY_MIB, purpose: 'reviews a run' };
  const review = lastInThread.then(() => answerOfThread<ComputedReview>(work));
  lastInThread = review.catch(() => undefined);
  return review;
}
