import { amountsOf, type Form, keyOf, type Leg } from './leg.ts';
import { amountKey, append, type MovementIndex } from './movement.ts';

/** Dates of one moment, some of them written to the second. */
const SAME_DATE_MS = 1_000;

/** Entries that make up one leg: the one without fees first. */
export type Split = readonly number[];

/**
 * Free entries that make up legs of the form, which are of one currency: neighbours in the chain, or entries with one transaction id. An entry is in
 * one split at most. By the key of the legs that they may belong to, in the order of their dates.
 */
export function splitsOf(form: Form, legs: readonly Leg[], index: MovementIndex): Map<string, Split[]> {
  const wanted = new Map<string, Map<string, readonly string[]>>();
  for (const leg of legs) {
    const principal = amountKey(leg.currency, leg.principal);
    const keys = wanted.get(principal) ?? new Map<string, readonly string[]>();
    wanted.set(principal, keys.set(keyOf(leg, form), amountsOf(leg, form).slice(1)));
  }
  const used = new Set<number>();
  const splits = new Map<string, Split[]>();
  const isUsable = (entry: number): boolean => index.isFree(entry) && !used.has(entry);
  const search = (partsAround: (entry: number, parts: readonly string[]) => number[] | null): void => {
    for (const entry of index.free(legs[0]?.currency)) {
      const keys = wanted.get(amountKey(index.currencyOf(entry), index.changeOf(entry)));
      if (keys === undefined || !isUsable(entry)) continue;
      for (const [key, parts] of keys) {
        const around = partsAround(entry, parts);
        if (around === null) continue;
        for (const part of [entry, ...around]) used.add(part);
        append(splits, key, [entry, ...around]);
        break;
      }
    }
  };
  // One transaction id says more than the place in the chain, and one date more than another.
  search((entry, parts) => pick(parts, index.companionsOf(entry).filter(isUsable), index));
  for (const apartMs of [SAME_DATE_MS, Infinity]) {
    const isUsableWith = (entry: number, other: number): boolean =>
      isUsable(other) && Math.abs(index.dateOf(other) - index.dateOf(entry)) <= apartMs;
    search((entry, parts) => inChain(entry, parts, index, isUsableWith));
  }
  for (const list of splits.values()) {
    list.sort(([a = 0], [b = 0]) => index.dateOf(a) - index.dateOf(b) || a - b);
  }
  return splits;
}

/** One for each amount, in their order, or null. */
function pick(amounts: readonly string[], from: readonly number[], index: MovementIndex): number[] | null {
  const left = [...from];
  const picked: number[] = [];
  for (const amount of amounts) {
    const at = left.findIndex((entry) => index.changeOf(entry) === amount);
    if (at === -1) return null;
    picked.push(...left.splice(at, 1));
  }
  return picked;
}

/** Unbroken stretches of the chain with the entry. The earliest first: that leaves later entries their own neighbours. */
function inChain(
  entry: number,
  parts: readonly string[],
  index: MovementIndex,
  isUsableWith: (entry: number, other: number) => boolean,
): number[] | null {
  for (let before = parts.length; before >= 0; before -= 1) {
    const stretch = stretchFrom(entry - before, parts.length + 1, index);
    if (stretch === null) continue;
    const others = stretch.filter((other) => other !== entry);
    const picked = others.every((other) => isUsableWith(entry, other)) ? pick(parts, others, index) : null;
    if (picked !== null) return picked;
  }
  return null;
}

function stretchFrom(first: number, length: number, index: MovementIndex): number[] | null {
  const stretch = [first];
  for (let entry = first; stretch.length < length; entry += 1) {
    if (!index.neighboursOf(entry).includes(entry + 1)) return null;
    stretch.push(entry + 1);
  }
  return first < 0 ? null : stretch;
}
