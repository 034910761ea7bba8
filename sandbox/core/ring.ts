/** The latest so many entries; older ones are forgotten, so that a log of requests cannot fill the memory. */
export class Ring<Entry> {
  readonly #most: number;
  readonly #entries: Entry[] = [];
  #next = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(entry: Entry): void {
    this.#entries[this.#next] = entry;
    this.#next = (this.#next + 1) % this.#most;
  }

  /** Oldest first. */
  list(): Entry[] {
    if (this.#entries.length < this.#most) return [...this.#entries];
    return [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)];
  }
}
