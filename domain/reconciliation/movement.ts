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
  readonly #byAmount = new Map<string, number[]>();
  /** Made when it is needed: only breaks of a chain do. */
  #positions: Map<Movement, number> | undefined;
  readonly #byTransaction = new Map<string, number[]>();

  /** Adds the chain of one currency. Those that were explained earlier only keep their places. */
  addChain({ entries, gaps }: OrderedHistory<Movement>, explained: ReadonlySet<string>): void {
    const afterGaps = new Set(gaps.map(({ before }) => before));
    for (const [position, movement] of entries.entries()) {
      const index = this.movements.push(movement) - 1;
      if (position === 0 || afterGaps.has(movement)) this.#beginnings.add(index);
      this.datesMs.push(dateOf(movement) ?? (position === 0 ? 0 : (this.datesMs[index - 1] ?? 0)));
      this.changes.push(canonicalAmount(subtractAmounts(movement.amountAfter, movement.amountBefore)));
      this.#taken.push(explained.has(movement.entryId));
    }
  }

  /** Once, after all chains were added. */
  build(): this {
    for (const [index, movement] of this.movements.entries()) {
      if (this.#taken[index] === true) continue;
      append(this.#byAmount, amountKey(movement.currency, this.changeOf(index)), index);
      if (movement.transactionId === null) continue;
      append(this.#byTransaction, amountKey(movement.currency, movement.transactionId), index);
    }
    for (const indexes of this.#byAmount.values()) indexes.sort((a, b) => this.dateOf(a) - this.dateOf(b) || a - b);
    return this;
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

  /** Free ones with this amount, by date. */
  freeWith(key: string): number[] {
    return (this.#byAmount.get(key) ?? []).filter((index) => this.isFree(index));
  }

  free(): number[] {
    return [...this.movements.keys()].filter((index) => this.isFree(index));
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
    const movement = this.movements[index];
    if (movement === undefined || movement.transactionId === null) return [];
    const all = this.#byTransaction.get(amountKey(movement.currency, movement.transactionId)) ?? [];
    return all.filter((other) => other !== index);
  }
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
