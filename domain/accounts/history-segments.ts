import type { Link } from './history-trails.ts';

/** Links that continue each other, between two gaps. */
type Segment<L extends Link> = readonly L[];

/** Longer ones are not entries that were posted late. */
const MAX_MOVED = 32;

/** The trails as segments: a trail that continues the one before is joined to it. `start` is the balance before them. */
export function segmentsOf<L extends Link>(trails: readonly (readonly L[])[]): L[][] {
  const segments: L[][] = [];
  for (const trail of trails) {
    const last = segments.at(-1);
    if (last !== undefined && last.at(-1)?.to === trail[0]?.from) last.push(...trail);
    else if (trail.length > 0) segments.push([...trail]);
  }
  return segments;
}

/** Moves short segments into gaps elsewhere that they close exactly. */
export function closeGaps<L extends Link>(segments: readonly Segment<L>[]): L[][] {
  const moved = new Map<number, number>();
  const gaps = new Map<string, number>();
  for (const [at, segment] of segments.entries()) {
    const before = segments[at - 1]?.at(-1)?.to;
    if (before !== undefined) gaps.set(gapKey(before, segment[0]?.from), at);
  }
  for (const [at, segment] of segments.entries()) {
    const gap = segment.length > MAX_MOVED ? undefined : gaps.get(gapKey(segment[0]?.from, segment.at(-1)?.to));
    // Not into the gap beside itself, and one into each gap.
    if (gap === undefined || gap === at || gap === at + 1 || [...moved.values()].includes(gap)) continue;
    moved.set(at, gap);
  }
  if (moved.size === 0) return segments.map((segment) => [...segment]);
  const insertedAt = new Map([...moved].map(([at, gap]) => [gap, at]));
  const order = segments.flatMap((segment, at) => {
    const inserted = segments[insertedAt.get(at) ?? -1] ?? [];
    return moved.has(at) ? [inserted] : [inserted, segment];
  });
  return segmentsOf(order);
}

function gapKey(from: string | undefined, to: string | undefined): string {
  return `${from ?? ''} ${to ?? ''}`;
}
