import type { HistoryEntry } from '../accounts/history-entry.ts';
import type { OrderedHistory } from '../accounts/history-order.ts';
import { dayOf } from '../calendar-date.ts';
import { readInstant } from '../instant.ts';
import { canonicalAmount, subtractAmounts } from '../money.ts';

/** A history entry with the provider's number of the transaction, which may be the same for several entries. */
export interface Movement extends HistoryEntry {
  transactionId: string | null;
}

/** Milliseconds since the epoch; null if the date cannot be read. */
export function dateOf({ date }: Pick<Movement, 'date'>): number | null {
  return typeof date === 'number' ? date : readInstant(date);
}

/** The UTC day of an entry, YYYY-MM-DD; an empty text if its date cannot be read. */
export function dayOfEntry(entry: Pick<Movement, 'date'>): string {
  const dateMs = dateOf(entry);
  return dateMs === null ? '' : dayOf(dateMs);
}

/** The movements of all currencies in the order of their chains, and which of them are matched. They go by their index. */
export class MovementIndex {
  readonly movements: Movement[] = [];
  /** When it was dated; for one without a readable date, that of the one before it. */
  readonly datesMs: number[] = [];
  /** Signed, canonical. */
  readonly changes: string[] = [];
  readonly #taken: boolean[] = [];
  /** The first of each chain, and those after a gap. */
  readonly #beginnings = new Set<number>();
  /** Where the chain of a currency begins and ends. */
  readonly #chains = new Map<string, { from: number; to: number }>();
  /** Those that are not explained, for each currency by amount, date and place. */
  readonly #byAmount = new Map<string, Int32Array>();
  /** The same by transaction and place; without those that have no number. */
  readonly #byTransaction = new Map<string, Int32Array>();
  /** Made when it is needed: only breaks of a chain do. */
  #positions: Map<Movement, number> | undefined;

  /** Adds the chain of one currency, each once. Those that were explained earlier only keep their places. */
  addChain({ entries, gaps }: OrderedHistory<Movement>, explained: ReadonlySet<string>): void {
    const afterGaps = new Set(gaps.map(({ before }) => before));
    const from = this.movements.length;
    for (const [position, movement] of entries.entries()) {
      const index = this.movements.push(movement) - 1;
      if (position === 0 || afterGaps.has(movement)) this.#beginnings.add(index);
      this.datesMs.push(dateOf(movement) ?? (position === 0 ? 0 : (this.datesMs[index - 1] ?? 0)));
      this.changes.push(canonicalAmount(subtractAmounts(movement.amountAfter, movement.amountBefore)));
      this.#taken.push(explained.has(movement.entryId));
    }
    const currency = entries[0]?.currency;
    if (currency !== undefined) this.#chains.set(currency, { from, to: this.movements.length });
  }

  /** Once, after all chains were added. */
  build(): this {
    for (const currency of this.#chains.keys()) {
      const indexes = Int32Array.from(this.free(currency));
      const transactions = indexes.filter((index) => this.#transactionOf(index) !== null);
      this.#byAmount.set(
        currency,
        indexes.sort(
          (a, b) => compareTexts(this.changeOf(a), this.changeOf(b)) || this.dateOf(a) - this.dateOf(b) || a - b,
        ),
      );
      this.#byTransaction.set(
        currency,
        transactions.sort((a, b) => compareTexts(this.#transactionOf(a) ?? '', this.#transactionOf(b) ?? '') || a - b),
      );
    }
    return this;
  }

  get currencies(): string[] {
    return [...this.#chains.keys()];
  }

  dateOf(index: number): number {
    return this.datesMs[index] ?? 0;
  }

  changeOf(index: number): string {
    return this.changes[index] ?? '0';
  }

  idOf(index: number): string {
    return this.movements[index]?.entryId ?? '';
  }

  currencyOf(index: number): string {
    return this.movements[index]?.currency ?? '';
  }

  isFree(index: number): boolean {
    return this.#taken[index] === false;
  }

  take(index: number): void {
    this.#taken[index] = true;
  }

  /** -1 if it is not in a chain. */
  positionOf(movement: Movement): number {
    this.#positions ??= new Map(this.movements.map((one, index) => [one, index]));
    return this.#positions.get(movement) ?? -1;
  }

  /** Free ones with this canonical amount, by date. */
  freeWith(currency: string, amount: string): number[] {
    return equalOnes(this.#byAmount.get(currency), amount, (index) => this.changeOf(index)).filter((index) =>
      this.isFree(index),
    );
  }

  /** In the order of the chains; of all currencies unless one is named. */
  free(currency?: string): number[] {
    const all = { from: 0, to: this.movements.length };
    const { from, to } = currency === undefined ? all : (this.#chains.get(currency) ?? { from: 0, to: 0 });
    const indexes: number[] = [];
    for (let index = from; index < to; index += 1) if (this.isFree(index)) indexes.push(index);
    return indexes;
  }

  /** The neighbours in the chain, the one before first; free or not. */
  neighboursOf(index: number): number[] {
    const neighbours: number[] = [];
    if (!this.#beginnings.has(index)) neighbours.push(index - 1);
    if (index + 1 < this.movements.length && !this.#beginnings.has(index + 1)) neighbours.push(index + 1);
    return neighbours;
  }

  /** The others of the same transaction in the same currency; free or not. */
  companionsOf(index: number): number[] {
    const transaction = this.#transactionOf(index);
    if (transaction === null) return [];
    const all = this.#byTransaction.get(this.currencyOf(index));
    return equalOnes(all, transaction, (other) => this.#transactionOf(other) ?? '').filter((other) => other !== index);
  }

  #transactionOf(index: number): string | null {
    return this.movements[index]?.transactionId ?? null;
  }
}

/** Those of sorted indexes whose text is this one. */
function equalOnes(sorted: Int32Array | undefined, text: string, textOf: (index: number) => string): number[] {
  const found: number[] = [];
  if (sorted === undefined) return found;
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (textOf(sorted[middle] ?? 0) < text) low = middle + 1;
    else high = middle;
  }
  for (; low < sorted.length; low += 1) {
    const index = sorted[low] ?? 0;
    if (textOf(index) !== text) break;
    found.push(index);
  }
  return found;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** `amount` is canonical. */
export function amountKey(currency: string, amount: string): string {
  return `${currency} ${amount}`;
}

export function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** The items with one key, in the order of their first. Without a list for each key while there may be half a million. */
export function* groupsByKey<Item>(items: readonly Item[], keyOf: (item: Item) => string): Generator<[string, Item[]]> {
  const keys = items.map(keyOf);
  const order = Int32Array.from(items.keys());
  order.sort((a, b) => compareTexts(keys[a] ?? '', keys[b] ?? '') || a - b);
  const isFirst = (at: number): boolean => at === 0 || keys[order[at] ?? 0] !== keys[order[at - 1] ?? 0];
  const firsts = order.map((_, at) => at).filter(isFirst);
  firsts.sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  for (const first of firsts) {
    const group: Item[] = [];
    for (let at = first; at === first || (at < order.length && !isFirst(at)); at += 1) {
      const item = items[order[at] ?? 0];
      if (item !== undefined) group.push(item);
    }
    yield [keys[order[first] ?? 0] ?? '', group];
  }
}
