import { sha256Bytes } from '../sha256.ts';
import { canonicalText } from './canonical-text.ts';
import { CSV_COLUMNS, type PaymentColumn } from './csv-columns.ts';
import type { RawRow } from './raw-row.ts';

/** What of a hash is kept: 128 bits, by which the rows are named in the database as well. */
const HASH_WORDS = 4;
const FIRST_LINE = HASH_WORDS;
const SECOND_LINE = HASH_WORDS + 1;
/** Of the payment in the first line, two words; and 1 if the second line has the same. */
const FIRST_PAYMENT = HASH_WORDS + 2;
const IS_SECOND_SAME = HASH_WORDS + 4;
const ENTRY_WORDS = HASH_WORDS + 5;
const SMALLEST = 1024;

/** Who is paid how much. References to documents may be written in two ways for one invoice. */
const PAYMENT_COLUMNS: readonly PaymentColumn[] = CSV_COLUMNS.filter(
  ({ name, identifies }) =>
    (identifies && !['row_ref', 'payment_reference', 'supporting_files'].includes(name)) ||
    ['amount_side', 'sell_currency', 'buy_currency', 'bank_country'].includes(name),
).map(({ name }) => name);

/** Another row with the same `row_ref`. */
export interface SameRowRef {
  line: number;
  /** Whether it pays the same amount to the same beneficiary and account. */
  isSamePayment: boolean;
}

type Row = Pick<RawRow, 'cells' | 'line' | 'unread'>;

/**
 * The lines of a file by their `row_ref`, in about 50 bytes for each: of a reference only its hash is kept. Two references with the same
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

  add(row: Row): void {
    const rowRef = rowRefOf(row);
    if (rowRef === '') return;
    const found = this.#find(rowRef);
    if (found !== null) {
      this.#hasRepeated = true;
      if (this.#entries[found + SECOND_LINE] === 0) {
        this.#entries[found + SECOND_LINE] = row.line;
        this.#entries[found + IS_SECOND_SAME] = this.#isFirstPayment(found, row) ? 1 : 0;
      }
      return;
    }
    if (ENTRY_WORDS * this.#count === this.#entries.length) this.#grow();
    const at = ENTRY_WORDS * this.#count;
    this.#entries.set(this.#hash, at);
    this.#entries[at + FIRST_LINE] = row.line;
    this.#entries.set(paymentWords(row), at + FIRST_PAYMENT);
    this.#count += 1;
    this.#place(this.#hash[0] ?? 0, this.#count);
  }

  /** Another row that has the `row_ref` of the given one: the first one, or for that the second. Null: there is none. */
  otherOf(row: Row): SameRowRef | null {
    const rowRef = this.#hasRepeated ? rowRefOf(row) : '';
    const found = rowRef === '' ? null : this.#find(rowRef);
    const second = found === null ? 0 : (this.#entries[found + SECOND_LINE] ?? 0);
    if (found === null || second === 0) return null;
    const first = this.#entries[found + FIRST_LINE] ?? 0;
    if (first === row.line) return { line: second, isSamePayment: this.#entries[found + IS_SECOND_SAME] === 1 };
    return { line: first, isSamePayment: this.#isFirstPayment(found, row) };
  }

  #isFirstPayment(entry: number, row: Row): boolean {
    return paymentWords(row).every((word, index) => this.#entries[entry + FIRST_PAYMENT + index] === word);
  }

  /** Where its entry begins. */
  #find(rowRef: string): number | null {
    const hash = this.#hash;
    hash.set(wordsOf(rowRef, HASH_WORDS));
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

function rowRefOf({ cells }: Row): string {
  return canonicalText('row_ref', cells.row_ref ?? '');
}

/** Of what could not be read it is not known whether it is the same: such a row is like no other. */
function paymentWords({ cells, line, unread }: Row): Uint32Array {
  if (unread.length > 0) return wordsOf(String(line), 2);
  let text = '';
  for (const column of PAYMENT_COLUMNS) {
    const cell = cells[column];
    text += cell === undefined ? '\n' : `${canonicalText(column, cell)}\n`;
  }
  return wordsOf(text, 2);
}

/** The first words of a text's hash. */
function wordsOf(text: string, count: number): Uint32Array {
  const bytes = new DataView(sha256Bytes(text).buffer);
  const words = new Uint32Array(count);
  for (let word = 0; word < count; word += 1) words[word] = bytes.getUint32(4 * word);
  return words;
}
