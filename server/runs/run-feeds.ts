import type { RunSummary } from '../../api/runs/run.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { FeedEvent } from './run-feed.ts';
import { RunFeed } from './run-feed.ts';

export interface FeedSettings {
  /** How often a watched run is read, however many watch it. */
  pollMs: number;
  /** A subscriber gets a heartbeat after this time without an event. */
  heartbeatMs: number;
  maxSubscribers: number;
  /** Per user, so that one user cannot take all places. */
  maxPerUser: number;
  /** How often each subscriber's sign-in is checked. */
  recheckMs: number;
}

export const FEED_SETTINGS: FeedSettings = {
  pollMs: 500,
  heartbeatMs: 15_000,
  maxSubscribers: 256,
  maxPerUser: 32,
  recheckMs: 5_000,
};

interface Watched {
  feed: RunFeed;
  subscribers: number;
}

/** The feeds of all watched runs: started by the first subscriber of a run, stopped after the last. */
export class RunFeeds {
  readonly #findRun: (runId: string) => Promise<RunSummary | null>;
  readonly #settings: FeedSettings;
  readonly #onError: (error: unknown) => void;
  readonly #watched = new Map<string, Watched>();
  readonly #ofUser = new Map<string, number>();
  #subscribers = 0;
  #closed = false;

  constructor(
    findRun: (runId: string) => Promise<RunSummary | null>,
    settings: FeedSettings,
    onError: (error: unknown) => void,
  ) {
    this.#findRun = findRun;
    this.#settings = settings;
    this.#onError = onError;
  }

  get subscribers(): number {
    return this.#subscribers;
  }

  /** Throws `unavailable` at once when all places are taken, before an answer has started. */
  subscribe(run: RunSummary, userId: string, signal: AbortSignal): AsyncGenerator<FeedEvent> {
    const ofUser = this.#ofUser.get(userId) ?? 0;
    if (ofUser >= this.#settings.maxPerUser) {
      throw new ApplicationError('unavailable', `you watch ${ofUser} runs already: close some of them first`);
    }
    if (this.#closed || this.#subscribers >= this.#settings.maxSubscribers) {
      throw new ApplicationError('unavailable', 'too many users are watching runs at the moment: try again later');
    }
    const watched = this.#watch(run);
    watched.subscribers += 1;
    this.#subscribers += 1;
    this.#ofUser.set(userId, ofUser + 1);
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      watched.subscribers -= 1;
      this.#subscribers -= 1;
      const left = (this.#ofUser.get(userId) ?? 1) - 1;
      if (left === 0) this.#ofUser.delete(userId);
      else this.#ofUser.set(userId, left);
      if (watched.subscribers === 0 && this.#watched.get(run.runId) === watched) this.#watched.delete(run.runId);
    };
    if (signal.aborted) release();
    else signal.addEventListener('abort', release, { once: true });
    return releasing(watched.feed.events(this.#settings.heartbeatMs, signal), release);
  }

  close(): void {
    this.#closed = true;
    for (const { feed } of this.#watched.values()) feed.close();
    this.#watched.clear();
  }

  #watch(run: RunSummary): Watched {
    const known = this.#watched.get(run.runId);
    if (known?.feed.isOpen === true) return known;
    const started: Watched = { feed: new RunFeed(), subscribers: 0 };
    started.feed.publish(run);
    this.#watched.set(run.runId, started);
    void this.#poll(run.runId, started);
    return started;
  }

  /** Continues after failures: a short outage of the database must not end the streams. */
  async #poll(runId: string, watched: Watched): Promise<void> {
    while (watched.feed.isOpen) {
      await new Promise((resolve) => setTimeout(resolve, this.#settings.pollMs));
      if (this.#watched.get(runId) !== watched) return;
      try {
        watched.feed.publish(await this.#findRun(runId));
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}

async function* releasing(events: AsyncGenerator<FeedEvent>, release: () => void): AsyncGenerator<FeedEvent> {
  try {
    yield* events;
  } finally {
    release();
  }
}
