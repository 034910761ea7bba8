import type { SandboxOptions } from '../config/options.ts';
import type { Fault } from '../faults/faults.ts';
import { newestFirst, type TimeRange } from './time-range.ts';

/** What find does not return although it exists. */
export interface FindLimits {
  /** Entries created within this time are not found. */
  readonly lagMs: number;
  /** The maximum number of results, the newest; Infinity: all. */
  readonly maxResults: number;
}

/** The limits of the options and of the fault injected into the call, whichever is stricter. */
export function findLimits(
  options: Pick<SandboxOptions, 'findLagMs' | 'maxFindResults'>,
  fault: Readonly<Fault> | undefined,
): FindLimits {
  const faultLagMs = fault?.kind === 'find_lags' ? (fault.delayMs ?? 0) : 0;
  const faultMax = fault?.kind === 'find_capped' ? fault.maxResults : null;
  return {
    lagMs: Math.max(options.findLagMs, faultLagMs),
    maxResults: Math.min(options.maxFindResults > 0 ? options.maxFindResults : Infinity, faultMax ?? Infinity),
  };
}

/** The result of find in a list ordered by creation: created in the range, newest first, within the limits. */
export function findWithin<Item extends { readonly createdAtMs: number }>(
  items: readonly Item[],
  range: TimeRange,
  { lagMs, maxResults }: FindLimits,
  nowMs: number,
): Item[] {
  const toMs = lagMs > 0 ? Math.min(range.toMs, nowMs - lagMs + 1) : range.toMs;
  const all = newestFirst(items, ({ createdAtMs }) => createdAtMs, { fromMs: range.fromMs, toMs });
  return maxResults < all.length ? all.slice(0, maxResults) : all;
}
