import type { HistoryGap } from '../accounts/history-chain.ts';
import type { HistoryEntry } from '../accounts/history-entry.ts';
import {
  type DatedLink,
  type Group,
  isConsistent,
  openingOf,
  orderGroup,
  withoutCopies,
} from '../accounts/history-group.ts';
import { trailsOf } from '../accounts/history-trails.ts';
import { chainSegments, closeGaps, insertLoops, joinSegments, segmentsOf } from './posting-segments.ts';

/** How many groups before and after one are ordered together with it: as few as possible. */
const SPANS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [0, 2],
  [2, 0],
  [2, 2],
  [4, 4],
  [8, 8],
  [16, 16],
] as const;

/** So that a broken history takes linear time, too. */
const MAX_GROUPS_TOGETHER = 8;
const MAX_GROUPS_AHEAD = 8;
const MAX_MOVED_IN_A_ROW = 32;

export interface PostingTerms<Entry> {
  readonly opening: string | null;
  readonly inversionMs: number;
  /** Not moved from their dates, whatever follows. */
  readonly fixed?: ReadonlySet<Entry>;
  /** Equal entries are taken for copies only if this is not set. */
  readonly keepsCopies?: boolean;
}

/** Puts groups of entries into order, one after another. */
export class PostingChain<Entry extends HistoryEntry> {
  readonly #groups: Group<Entry>[] = [];
  /** Entries that do not continue the chain at their dates, while it is complete without them: posted later than dated. */
  readonly #moved: DatedLink<Entry>[] = [];
  readonly #terms: PostingTerms<Entry>;
  #balance: string | null;

  constructor(terms: PostingTerms<Entry>) {
    this.#terms = terms;
    this.#balance = terms.opening;
  }

  /** Once, in the order of their dates. */
  addAll(groups: readonly DatedLink<Entry>[][]): this {
    this.#balance ??= openingOf(groups);
    for (let next = 0; next < groups.length; ) next += this.#addNext(groups, next);
    this.#placeAllMoved();
    return this;
  }

  /** How many of the groups were added. */
  #addNext(groups: readonly DatedLink<Entry>[][], next: number): number {
    const alone = orderGroup(groups[next] ?? [], this.#balance);
    if (isConsistent(alone)) return this.#push(alone);
    const taken = this.#addMerged(groups, next, (merged) => merged);
    if (taken > 0) return taken;
    const takenOnce = this.#terms.keepsCopies === true ? 0 : this.#addWithoutCopies(alone, groups, next);
    if (takenOnce > 0) return takenOnce;
    if (this.#placeMovedBefore(alone.links) || this.#placeMovedWithin(alone)) return 1;
    if (this.#moveMisfits(alone, groups.slice(next + 1, next + 1 + MAX_GROUPS_AHEAD))) return 1;
    // Before a gap, what continues the chain belongs there.
    if (this.#placeAllMoved()) return this.#addNext(groups, next);
    return this.#addWithFewestGaps(groups, next);
  }

  #addWithoutCopies(alone: Group<Entry>, groups: readonly DatedLink<Entry>[][], next: number): number {
    const single = withoutCopies(alone);
    return isConsistent(single) ? this.#push(single) : this.#addMerged(groups, next, withoutCopies);
  }

  /** Where entries are missing, some dates close to each other may be in the opposite order as well. */
  #addWithFewestGaps(groups: readonly DatedLink<Entry>[][], next: number): number {
    let best: { taken: number; group: Group<Entry>; saved: number } | null = null;
    let balance = this.#balance;
    let gaps = 0;
    for (let taken = 1; taken <= MAX_GROUPS_TOGETHER; taken += 1) {
      const last = orderGroup(groups[next + taken - 1] ?? [], balance);
      gaps += gapsIn(last);
      balance = last.trails.at(-1)?.at(-1)?.to ?? balance;
      const group = this.#merge(groups.slice(next, next + taken), 0);
      if (group === null) break;
      const saved = gaps - gapsIn(group);
      if (best === null || saved > best.saved) best = { taken, group, saved };
    }
    if (best === null) return this.#push(orderGroup(groups[next] ?? [], this.#balance));
    this.#push(best.group);
    return best.taken;
  }

  /** Together with groups shortly before and after it, as few as possible. */
  #addMerged(
    groups: readonly DatedLink<Entry>[][],
    next: number,
    adjust: (group: Group<Entry>) => Group<Entry>,
  ): number {
    for (const [before, after] of SPANS) {
      if (before > this.#groups.length) continue;
      const together = this.#merge(groups.slice(next, next + 1 + after), before);
      const merged = together === null ? null : adjust(together);
      if (merged === null || !isConsistent(merged)) continue;
      this.#groups.splice(this.#groups.length - before, before);
      this.#push(merged);
      return 1 + Math.min(after, groups.length - next - 1);
    }
    return 0;
  }

  /** Null if their dates are too far apart. */
  #merge(next: readonly DatedLink<Entry>[][], before: number): Group<Entry> | null {
    const last = before === 0 ? [] : this.#groups.slice(-before);
    const links = [...last.flatMap((group) => group.links), ...next.flat()];
    const [firstMs, lastMs] = [links[0]?.dateMs ?? 0, links.at(-1)?.dateMs ?? 0];
    if (!(lastMs - firstMs <= this.#terms.inversionMs)) return null;
    // What the first entry alone tells about the opening balance does not count once another may precede it.
    if (before === this.#groups.length) return orderGroup(links, this.#terms.opening);
    return orderGroup(links, last[0] === undefined ? this.#balance : last[0].start);
  }

  #push(group: Group<Entry>): 1 {
    this.#groups.push(group);
    this.#balance = group.trails.at(-1)?.at(-1)?.to ?? this.#balance;
    return 1;
  }

  /** Puts moved entries before the links, if the chain is complete with them. */
  #placeMovedBefore(links: readonly DatedLink<Entry>[]): boolean {
    const path: DatedLink<Entry>[] = [];
    let balance = this.#balance;
    while (path.length < MAX_MOVED_IN_A_ROW) {
      const next = this.#moved.find((link) => link.from === balance && !path.includes(link));
      if (next === undefined) return false;
      path.push(next);
      balance = next.to;
      const group = orderGroup(links, balance);
      if (!isConsistent(group)) continue;
      this.#pushMoved(path);
      this.#push(group);
      return true;
    }
    return false;
  }

  /** Puts moved entries between links of one date. */
  #placeMovedWithin({ links, trails, start }: Group<Entry>): boolean {
    const ends = new Set([start, ...trails.map((trail) => trail.at(-1)?.to)]);
    const beginnings = new Set(trails.map((trail) => trail[0]?.from));
    const joining = this.#moved.filter(({ from, to }) => ends.has(from) && beginnings.has(to));
    if (joining.length === 0) return false;
    const group = orderGroup([...links, ...joining.slice(0, MAX_MOVED_IN_A_ROW)], start);
    if (!isConsistent(group)) return false;
    this.#take(joining);
    this.#push(group);
    return true;
  }

  /** Puts moved entries where the chain is, as far as they continue it. */
  #placeAllMoved(): boolean {
    const count = this.#moved.length;
    for (;;) {
      const next = this.#moved.find(({ from }) => from === this.#balance);
      if (next === undefined) return this.#moved.length < count;
      this.#pushMoved([next]);
    }
  }

  #pushMoved(path: readonly DatedLink<Entry>[]): void {
    this.#take(path);
    this.#push({ links: path, trails: [[...path]], copies: [], start: this.#balance });
  }

  #take(links: readonly DatedLink<Entry>[]): void {
    for (const link of links) this.#moved.splice(this.#moved.indexOf(link), 1);
  }

  /** Sets entries aside for a later place, if one of the next groups continues the chain without them. */
  #moveMisfits({ trails, copies, start }: Group<Entry>, ahead: readonly DatedLink<Entry>[][]): boolean {
    const [first] = trails;
    const kept = first?.[0] !== undefined && first[0].from === start ? first : [];
    const misfits = trails.filter((trail) => trail !== kept).flat();
    const balance = kept.at(-1)?.to ?? start;
    if (balance === null || misfits.some(({ entry }) => this.#terms.fixed?.has(entry) === true)) return false;
    const reachable = this.#reachableFrom(balance);
    const continues = (links: readonly DatedLink<Entry>[]): boolean =>
      reachable.some((start) => trailsOf(links, start)[0]?.[0]?.from === start);
    if (!ahead.some(continues)) return false;
    this.#moved.push(...misfits);
    if (kept.length > 0) this.#push({ links: kept, trails: [kept], copies, start });
    return true;
  }

  /** The balance itself, and those that moved entries lead to from there. */
  #reachableFrom(balance: string): string[] {
    const path: DatedLink<Entry>[] = [];
    const reachable = [balance];
    while (path.length < MAX_MOVED_IN_A_ROW) {
      const next = this.#moved.find((link) => link.from === reachable.at(-1) && !path.includes(link));
      if (next === undefined) break;
      path.push(next);
      reachable.push(next.to);
    }
    return reachable;
  }

  /** Strays continue the chain nowhere. `byBalances`: where gaps are left, whatever the dates; see `chainSegments`. */
  result({
    byBalances = false,
  } = {}): Record<'entries' | 'copies' | 'strays', Entry[]> & { gaps: HistoryGap<Entry>[] } {
    const gaps: HistoryGap<Entry>[] = [];
    const entries: Entry[] = [];
    let balance = this.#groups[0]?.start ?? null;
    const { segments, left } = this.#segments(byBalances);
    for (const segment of segments) {
      const [first] = segment;
      if (first !== undefined && balance !== null && first.from !== balance) {
        gaps.push({ after: entries.at(-1) ?? null, before: first.entry, expected: balance, found: first.from });
      }
      for (const { entry } of segment) entries.push(entry);
      balance = segment.at(-1)?.to ?? balance;
    }
    const copies = this.#groups.flatMap((group) => group.copies);
    return { entries, gaps, copies: copies.map(({ entry }) => entry), strays: left.map(({ entry }) => entry) };
  }

  #segments(byBalances: boolean): { segments: DatedLink<Entry>[][]; left: DatedLink<Entry>[] } {
    const segments = segmentsOf(this.#groups.flatMap(({ trails }) => trails));
    const trails = this.#moved.length === 0 ? [] : trailsOf(this.#moved, null);
    if (byBalances) {
      return { segments: chainSegments([...segments, ...trails], this.#groups[0]?.start ?? null), left: [] };
    }
    const closed = segments.length > 1 ? joinSegments(closeGaps(segments)) : segments;
    if (trails.length === 0) return { segments: closed, left: [] };
    const isLoop = (trail: readonly DatedLink<Entry>[]): boolean => trail[0]?.from === trail.at(-1)?.to;
    const inserted = insertLoops(closed, trails.filter(isLoop));
    return { ...inserted, left: [...inserted.left, ...trails.filter((trail) => !isLoop(trail)).flat()] };
  }
}

function gapsIn({ trails, start }: Group<HistoryEntry>): number {
  const continues = start === null || trails[0]?.[0]?.from === start;
  return trails.length - (continues ? 1 : 0);
}
