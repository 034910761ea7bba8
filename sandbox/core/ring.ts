/** The latest entries, up to a capacity; older ones are dropped, so that a log of requests cannot fill the memory. */
export class Ring<Entry> {
  readonly #capacity: number;
  readonly #entries: Entry[] = [];
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(entry: Entry): void {
    this.#entries[this.#next] = entry;
    this.#next = (this.#next + 1) % this.#capacity;
  }

  /** Oldest first. */
  list(): Entry[] {
    if (this.#entries.length < this.#capacity) return [...this.#entries];
    return [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)];
  }
}
