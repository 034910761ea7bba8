import type { Metrics } from './metrics.ts';

/** Scrapes that come closer together than this share one reading. */
export const METRICS_MIN_AGE_MS = 10_000;

/** Reading takes at most this share of the time, however slow the database or Temporal is. */
const MAX_SHARE = 1 / 20;

/** A scrape that waits longer is answered without these metrics; Prometheus gives up after 10 seconds. */
const MAX_WAIT_MS = 5_000;

export interface MetricSourceOptions<Values> {
  /** The label `source` of `payrun_metric_source_up`. */
  source: string;
  read: () => Promise<Values>;
  /** Sets the gauges; null: the values could not be read, so that the gauges are to be empty. */
  show: (values: Values | null) => void;
  minAgeMs?: number;
  maxWaitMs?: number;
  /** A clock that only goes forward, in milliseconds. */
  monotonicNow?: () => number;
}

/**
 * Reads metrics when somebody scrapes, one reading at a time, and not again while they are young: so neither many scrapers
 * nor a slow service cause load.
 */
export function addMetricSource<Values>(metrics: Metrics, options: MetricSourceOptions<Values>): void {
  const { source, read, show, minAgeMs = METRICS_MIN_AGE_MS, maxWaitMs = MAX_WAIT_MS } = options;
  const now = options.monotonicNow ?? ((): number => performance.now());
  let current: Promise<void> | null = null;
  let youngUntilMs = Number.NEGATIVE_INFINITY;
  const fail = (): void => {
    show(null);
    metrics.set('payrun_metric_source_up', { source }, 0);
  };
  const readNow = async (): Promise<void> => {
    const begunMs = now();
    try {
      show(await read());
      metrics.set('payrun_metric_source_up', { source }, 1);
    } catch {
      fail();
    }
    const tookMs = now() - begunMs;
    youngUntilMs = now() + Math.max(minAgeMs, tookMs / MAX_SHARE);
  };
  metrics.beforeEach(async () => {
    if (current === null && now() < youngUntilMs) return;
    current ??= readNow().finally(() => {
      current = null;
    });
    const isInTime = await Promise.race([current.then(() => true), after(maxWaitMs)]);
    if (!isInTime) fail();
  });
}

function after(waitMs: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), waitMs).unref();
  });
}
