import type { RunSummary } from '../../application/application-api.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { FeedNews } from './run-feed.ts';
import { RunFeed } from './run-feed.ts';

export interface FeedSettings {
  /** How often a watched run is read, however many watch it. */
  pollMs: number;
  /** After how much silence a subscriber is told that the line still works. */
  quietMs: number;
  maxSubscribers: number;
  /** Of one user, so that nobody keeps the others from watching. */
  maxOfUser: number;
  /** How often it is asked whether a subscriber is still signed in. */
  recheckMs: number;
}

export const FEED_SETTINGS: FeedSettings = {
  pollMs: 500,
  quietMs: 15_000,
  maxSubscribers: 256,
  maxOfUser: 32,
  recheckMs: 5_000,
};

interface Watched {
  feed: RunFeed;
  subscribers: number;
}

/** The feeds of all runs that anyone watches: begun by the first subscriber of a run, given up after the last. */
export class RunFeeds {
  readonly #findRun: (runId: string) => Promise<RunSummary | null>;
  readonly #settings: FeedSettings;
  readonly #onTrouble: (error: unknown) => void;
  readonly #watched = new Map<string, Watched>();
  readonly #ofUser = new Map<string, number>();
  #subscribers = 0;
  #closed = false;

  constructor(
    findRun: (runId: string) => Promise<RunSummary | null>,
    settings: FeedSettings,
    onTrouble: (error: unknown) => void,
  ) {
    this.#findRun = findRun;
    this.#settings = settings;
    this.#onTrouble = onTrouble;
  }

  get subscribers(): number {
    return this.#subscribers;
  }

  /** Takes a place at once, so that the refusal (`unavailable`, when all are taken) comes before any answer. */
  subscribe(run: RunSummary, userId: string, signal: AbortSignal): AsyncGenerator<FeedNews> {
    const ofUser = this.#ofUser.get(userId) ?? 0;
    if (ofUser >= this.#settings.maxOfUser) {
      throw new ApplicationError('unavailable', `you watch ${ofUser} runs already: close some of them first`);
    }
    if (this.#closed || this.#subscribers >= this.#settings.maxSubscribers) {
      throw new ApplicationError('unavailable', 'too many are watching runs at the moment: try again later');
    }
    const watched = this.#watch(run);
    watched.subscribers += 1;
    this.#subscribers += 1;
    this.#ofUser.set(userId, ofUser + 1);
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      watched.subscribers -= 1;
      this.#subscribers -= 1;
      const left = (this.#ofUser.get(userId) ?? 1) - 1;
      if (left === 0) this.#ofUser.delete(userId);
      else this.#ofUser.set(userId, left);
      if (watched.subscribers === 0 && this.#watched.get(run.runId) === watched) this.#watched.delete(run.runId);
    };
    if (signal.aborted) release();
    else signal.addEventListener('abort', release, { once: true });
    return releasing(watched.feed.news(this.#settings.quietMs, signal), release);
  }

  close(): void {
    this.#closed = true;
    for (const { feed } of this.#watched.values()) feed.close();
    this.#watched.clear();
  }

  #watch(run: RunSummary): Watched {
    const known = this.#watched.get(run.runId);
    if (known?.feed.isOpen === true) return known;
    const begun: Watched = { feed: new RunFeed(), subscribers: 0 };
    begun.feed.publish(run);
    this.#watched.set(run.runId, begun);
    void this.#poll(run.runId, begun);
    return begun;
  }

  /** Goes on through failures: a database that is away for a moment must not end what people watch. */
  async #poll(runId: string, watched: Watched): Promise<void> {
    while (watched.feed.isOpen) {
      await new Promise((resolve) => setTimeout(resolve, this.#settings.pollMs));
      if (this.#watched.get(runId) !== watched) return;
      try {
        watched.feed.publish(await this.#findRun(runId));
      } catch (error) {
        this.#onTrouble(error);
      }
    }
  }
}

async function* releasing(news: AsyncGenerator<FeedNews>, release: () => void): AsyncGenerator<FeedNews> {
  try {
    yield* news;
  } finally {
    release();
  }
}
