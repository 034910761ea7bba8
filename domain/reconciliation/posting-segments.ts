import { type Link, trailsOf } from '../accounts/history-trails.ts';

/** Links that continue each other, between two gaps. */
type Segment<L extends Link> = readonly L[];

interface DatedLink extends Link {
  readonly dateMs: number;
}

/** So that joining takes linear time. */
const MAX_SPAN = 3;
const MAX_NEAR = 64;

/** Longer ones are not entries that were posted late. */
const MAX_MOVED = 32;

/** The trails as segments: a trail that continues the one before is joined to it. `start` is the balance before them. */
export function segmentsOf<L extends Link>(trails: readonly (readonly L[])[]): L[][] {
  const segments: L[][] = [];
  for (const trail of trails) {
    const last = segments.at(-1);
    const continues = last !== undefined && last.at(-1)?.to === trail[0]?.from;
    if (continues) for (const link of trail) last.push(link);
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

/**
 * Inserts trails that end where they begin where the chain has one of their balances: the first time at or after their dates,
 * else the last time. Returns the segments with them, and the trails for which there is no place.
 */
export function insertLoops<L extends DatedLink>(
  segments: readonly Segment<L>[],
  loops: readonly (readonly L[])[],
): { segments: L[][]; left: L[] } {
  const placesOf = new Map<string, L[]>();
  for (const link of segments.flat()) {
    const places = placesOf.get(link.to);
    if (places === undefined) placesOf.set(link.to, [link]);
    else places.push(link);
  }
  const opening = segments[0]?.[0]?.from;
  const after = new Map<L, L[]>();
  const atStart: L[] = [];
  const left: L[] = [];
  for (const loop of loops) {
    const dateMs = Math.max(...loop.map((link) => link.dateMs));
    const first = loop.findIndex(({ from }) => placesOf.has(from) || from === opening);
    const rotated = [...loop.slice(first), ...loop.slice(0, Math.max(0, first))];
    const places = placesOf.get(loop[first]?.from ?? '') ?? [];
    const place = places.find((link) => link.dateMs >= dateMs) ?? places.at(-1);
    if (first === -1) left.push(...loop);
    else if (place === undefined) atStart.push(...rotated);
    else after.set(place, [...(after.get(place) ?? []), ...rotated]);
  }
  const extended = segments.map((segment) => segment.flatMap((link) => [link, ...(after.get(link) ?? [])]));
  return { segments: segmentsOf([atStart, ...extended]), left };
}

/**
 * Joins segments whose links around the gaps have a consistent order, if not that of their dates. Only links near a gap are
 * moved, and only as far as the segment after the next but two.
 */
export function joinSegments<L extends DatedLink>(segments: readonly Segment<L>[]): L[][] {
  const result = segments.map((segment) => [...segment]);
  for (let at = 0; at + 1 < result.length; ) {
    if (!joinFrom(result, at)) at += 1;
  }
  return result;
}

/**
 * Chains all links through their balances, whatever their dates: among many entries of one moment, one that was posted late cuts
 * the others into pieces that are out of place. There are as few gaps as the balances allow. Where several links leave one balance,
 * the one that comes first in the segments does.
 */
export function chainSegments<L extends DatedLink>(segments: readonly Segment<L>[], opening: string | null): L[][] {
  const pieces = piecesOf(segments);
  const [first = [], ...others] = trailsOf(pieces, opening).map((trail) => trail.flatMap(({ links }) => links));
  const beginsAtOpening = first[0]?.from === opening;
  const rest = beginsAtOpening ? others : [first, ...others];
  // An entry may be posted after its date, never before: the last date tells when the others were posted.
  const byTime = rest
    .map((links) => ({ links, lastMs: latestOf(links) }))
    .sort((a, b) => Number(a.lastMs > b.lastMs) - Number(a.lastMs < b.lastMs));
  return segmentsOf([...(beginsAtOpening ? [first] : []), ...byTime.map(({ links }) => links)]);
}

/** The segments, cut at each balance that several links leave. */
function piecesOf<L extends DatedLink>(segments: readonly Segment<L>[]): (Link & { links: L[] })[] {
  const left = new Set<string>();
  const leftOften = new Set<string>();
  for (const segment of segments) {
    for (const { from } of segment) (left.has(from) ? leftOften : left).add(from);
  }
  return segments.flatMap((segment) => {
    const pieces: L[][] = [];
    for (const link of segment) {
      const piece = pieces.at(-1);
      if (piece === undefined || leftOften.has(link.from)) pieces.push([link]);
      else piece.push(link);
    }
    return pieces.map((links) => ({ from: links[0]?.from ?? '', to: links.at(-1)?.to ?? '', links }));
  });
}

function latestOf(links: readonly DatedLink[]): number {
  return links.reduce((latest, { dateMs }) => Math.max(latest, dateMs), -Infinity);
}

function joinFrom(segments: DatedLink[][], at: number): boolean {
  for (let span = 1; span <= MAX_SPAN && at + span < segments.length; span += 1) {
    const [first = [], ...others] = segments.slice(at, at + span + 1);
    const last = others.pop() ?? [];
    const between = others.flat();
    if (between.length > 2 * MAX_NEAR) return false;
    const near = [...first.slice(-MAX_NEAR), ...between, ...last.slice(0, MAX_NEAR)];
    const trails = trailsOf(near, near[0]?.from ?? null);
    const rest = last.slice(MAX_NEAR);
    const continues = rest.length === 0 || trails[0]?.at(-1)?.to === rest[0]?.from;
    if (trails.length !== 1 || !continues) continue;
    segments.splice(at, span + 1, [...first.slice(0, -MAX_NEAR), ...(trails[0] ?? []), ...rest]);
    return true;
  }
  return false;
}

function gapKey(from: string | undefined, to: string | undefined): string {
  return `${from ?? ''} ${to ?? ''}`;
}
