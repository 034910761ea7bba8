import type { SandboxOptions } from '../config/defaults.ts';
import type { Fault } from '../faults/faults.ts';
import { newestFirst, type TimeRange } from './time-range.ts';

/** What find keeps back of what there is. */
export interface FindLimits {
  /** What is not older than this is not found. */
  readonly lagMs: number;
  /** So many are found, the newest; infinite: all. */
  readonly most: number;
}

/** What the options say, and beyond it the fault that strikes the call. */
export function findLimits(
  options: Pick<SandboxOptions, 'findLagMs' | 'findMost'>,
  fault: Readonly<Fault> | undefined,
): FindLimits {
  const faultLagMs = fault?.kind === 'find_lags' ? (fault.delayMs ?? 0) : 0;
  const faultMost = fault?.kind === 'find_capped' ? fault.most : null;
  return {
    lagMs: Math.max(options.findLagMs, faultLagMs),
    most: Math.min(options.findMost > 0 ? options.findMost : Infinity, faultMost ?? Infinity),
  };
}

/** What find shows of a list in the order of creation: created in the range, newest first, less what is kept back. */
export function found<Item extends { readonly createdAtMs: number }>(
  items: readonly Item[],
  range: TimeRange,
  { lagMs, most }: FindLimits,
  nowMs: number,
): Item[] {
  const toMs = lagMs > 0 ? Math.min(range.toMs, nowMs - lagMs + 1) : range.toMs;
  const all = newestFirst(items, ({ createdAtMs }) => createdAtMs, { fromMs: range.fromMs, toMs });
  return most < all.length ? all.slice(0, most) : all;
}
