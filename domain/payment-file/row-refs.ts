import { sha256Bytes } from '../sha256.ts';
import { canonicalText } from './canonical-text.ts';
import type { RawRow } from './raw-row.ts';

/** What of a hash is kept: 128 bits, by which the rows are named in the database as well. */
const HASH_WORDS = 4;
const FIRST_LINE = HASH_WORDS;
const SECOND_LINE = HASH_WORDS + 1;
const ENTRY_WORDS = HASH_WORDS + 2;
const SMALLEST = 1024;

/**
 * The lines of a file by their `row_ref`, in about 40 bytes for each: of a reference only its hash is kept. Two references with the same
 * hash are as unlikely as two payments with the same id, and the second of those could not be stored.
 */
export class RowRefs {
  /** Numbers of entries from 1, at the places that their hashes say; 0: none. Never full. */
  #places = new Uint32Array(2 * SMALLEST);
  #entries = new Uint32Array(ENTRY_WORDS * SMALLEST);
  #count = 0;
  #hasRepeated = false;
  /** Of the reference that was asked for last. */
  readonly #hash = new Uint32Array(HASH_WORDS);

  add({ cells, line }: Pick<RawRow, 'cells' | 'line'>): void {
    const rowRef = canonicalText('row_ref', cells.row_ref ?? '');
    if (rowRef === '') return;
    const found = this.#find(rowRef);
    if (found !== null) {
      this.#hasRepeated = true;
      const second = found + SECOND_LINE;
      if (this.#entries[second] === 0) this.#entries[second] = line;
      return;
    }
    if (ENTRY_WORDS * this.#count === this.#entries.length) this.#grow();
    const at = ENTRY_WORDS * this.#count;
    this.#entries.set(this.#hash, at);
    this.#entries[at + FIRST_LINE] = line;
    this.#count += 1;
    this.#place(this.#hash[0] ?? 0, this.#count);
  }

  /** Another line that has the same `row_ref`, in its canonical form, as the given line: the first one, or for that the second. Null: there is none. */
  otherLine(rowRef: string, line: number): number | null {
    if (!this.#hasRepeated) return null;
    const found = this.#find(rowRef);
    const second = found === null ? 0 : (this.#entries[found + SECOND_LINE] ?? 0);
    if (found === null || second === 0) return null;
    const first = this.#entries[found + FIRST_LINE] ?? 0;
    return first === line ? second : first;
  }

  /** Where its entry begins. */
  #find(rowRef: string): number | null {
    const hash = this.#hash;
    const bytes = new DataView(sha256Bytes(rowRef).buffer);
    for (let word = 0; word < HASH_WORDS; word += 1) hash[word] = bytes.getUint32(4 * word);
    const mask = this.#places.length - 1;
    for (let place = (hash[0] ?? 0) & mask; ; place = (place + 1) & mask) {
      const number = this.#places[place] ?? 0;
      if (number === 0) return null;
      const at = ENTRY_WORDS * (number - 1);
      if (hash.every((word, index) => this.#entries[at + index] === word)) return at;
    }
  }

  #place(word: number, number: number): void {
    const mask = this.#places.length - 1;
    let place = word & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = number;
  }

  #grow(): void {
    const entries = new Uint32Array(2 * this.#entries.length);
    entries.set(this.#entries);
    this.#entries = entries;
    this.#places = new Uint32Array(2 * this.#places.length);
    for (let number = 1; number <= this.#count; number += 1) {
      this.#place(entries[ENTRY_WORDS * (number - 1)] ?? 0, number);
    }
  }
}
