import { createHash } from 'node:crypto';
import type { StreamEvent } from '../../api/inbox/stream.ts';

/** Reads a topic: the event that tells its present state, or `unchanged` since it was read last, if that `isKnown`. */
export type ReadTopic = (isKnown: boolean) => Promise<StreamEvent | 'unchanged'>;

/** The present state of one topic, read for all who watch it, while anybody does, and forgotten when nobody does any longer. */
export class TopicSource {
  readonly #read: ReadTopic;
  readonly #pollMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #onChange = new Set<() => void>();
  #event: StreamEvent | null = null;
  #hash = '';
  #isPolling = false;
  /** Ends the pause before the next read. */
  #readNow: () => void = () => undefined;

  constructor(read: ReadTopic, pollMs: number, onError: (error: unknown) => void) {
    this.#read = read;
    this.#pollMs = pollMs;
    this.#onError = onError;
  }

  /** The latest state; null: it was not read yet. */
  get event(): StreamEvent | null {
    return this.#event;
  }

  /** Of the content, so that it is the same at every server. */
  get hash(): string {
    return this.#hash;
  }

  get isWatched(): boolean {
    return this.#onChange.size > 0;
  }

  /** Calls back at every change, until the returned function is called. */
  watch(onChange: () => void): () => void {
    this.#onChange.add(onChange);
    if (!this.#isPolling) void this.#poll();
    else if (this.#event === null) this.#readNow();
    return () => {
      this.#onChange.delete(onChange);
      // By the time that somebody watches again it may be another state.
      if (!this.isWatched) this.#event = null;
    };
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    while (this.isWatched) {
      try {
        const event = await this.#read(this.#event !== null);
        if (event !== 'unchanged') this.#publish(event);
      } catch (error) {
        // A short outage of the database must not end the streams.
        this.#onError(error);
      }
      await this.#pause();
    }
    this.#isPolling = false;
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#pollMs);
      this.#readNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#readNow = () => undefined;
  }

  #publish(event: StreamEvent): void {
    if (!this.isWatched) return;
    const hash = hashOf(JSON.stringify(event));
    if (this.#event !== null && hash === this.#hash) return;
    this.#event = event;
    this.#hash = hash;
    for (const onChange of [...this.#onChange]) onChange();
  }
}

/** Short: it only tells two states of a topic apart. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
