import type { HistoryEntry } from './history-entry.ts';
import { type DatedLink, type Group, isConsistent, openingOf, orderGroup, withoutCopies } from './history-group.ts';

/** `after` is null where the chain does not begin with the opening balance. Amounts are canonical decimal strings. */
export interface HistoryGap<Entry extends HistoryEntry> {
  readonly after: Entry | null;
  readonly before: Entry;
  readonly expected: string;
  readonly found: string;
}

/** So that a broken history takes linear time, too. */
const MAX_GROUPS_BEFORE = 4;
const MAX_GROUPS_AFTER = 4;

/** Puts groups of entries into order, one after another. */
export class HistoryChain<Entry extends HistoryEntry> {
  readonly #groups: Group<Entry>[] = [];
  readonly #opening: string | null;
  readonly #inversionMs: number;
  #balance: string | null;

  constructor(opening: string | null, inversionMs: number) {
    this.#opening = opening;
    this.#balance = opening;
    this.#inversionMs = inversionMs;
  }

  /** Once, in the order of their dates. */
  addAll(groups: readonly DatedLink<Entry>[][]): void {
    this.#balance ??= openingOf(groups);
    for (let next = 0; next < groups.length; ) next += this.#addNext(groups, next);
  }

  /** How many of the groups were added. */
  #addNext(groups: readonly DatedLink<Entry>[][], next: number): number {
    const links = groups[next] ?? [];
    const alone = orderGroup(links, this.#balance);
    if (isConsistent(alone)) return this.#push(alone, 1);
    for (let size = 1; size <= MAX_GROUPS_BEFORE + MAX_GROUPS_AFTER; size += 1) {
      const lessBefore = Math.max(0, size - MAX_GROUPS_AFTER);
      for (let before = lessBefore; before <= Math.min(size, MAX_GROUPS_BEFORE, this.#groups.length); before += 1) {
        const merged = this.#merge(groups.slice(next, next + 1 + size - before), before);
        if (merged === null || !isConsistent(merged)) continue;
        this.#groups.splice(this.#groups.length - before, before);
        return this.#push(merged, 1 + size - before);
      }
    }
    return this.#push(withoutCopies(alone), 1);
  }

  /** Null if their dates are too far apart. */
  #merge(next: readonly DatedLink<Entry>[][], before: number): Group<Entry> | null {
    const last = before === 0 ? [] : this.#groups.slice(-before);
    const links = [...last.flatMap((group) => group.links), ...next.flat()];
    const [firstMs, lastMs] = [links[0]?.dateMs ?? 0, links.at(-1)?.dateMs ?? 0];
    if (!(lastMs - firstMs <= this.#inversionMs)) return null;
    // What the first entry alone tells about the opening balance does not count once another may precede it.
    if (before === this.#groups.length) return orderGroup(links, this.#opening);
    return orderGroup(links, last[0] === undefined ? this.#balance : last[0].start);
  }

  #push(group: Group<Entry>, taken: number): number {
    this.#groups.push(group);
    this.#balance = group.trails.at(-1)?.at(-1)?.to ?? this.#balance;
    return taken;
  }

  result(): { entries: Entry[]; gaps: HistoryGap<Entry>[]; copies: Entry[] } {
    const gaps: HistoryGap<Entry>[] = [];
    const entries: Entry[] = [];
    let balance = this.#groups[0]?.start ?? null;
    for (const trail of this.#groups.flatMap(({ trails }) => trails)) {
      const [first] = trail;
      if (first !== undefined && balance !== null && first.from !== balance) {
        gaps.push({ after: entries.at(-1) ?? null, before: first.entry, expected: balance, found: first.from });
      }
      for (const { entry } of trail) entries.push(entry);
      balance = trail.at(-1)?.to ?? balance;
    }
    return { entries, gaps, copies: this.#groups.flatMap(({ copies }) => copies.map(({ entry }) => entry)) };
  }
}
