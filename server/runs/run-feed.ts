import type { RunSummary } from '../../application/application-api.ts';
import { runHasEnded } from '../../domain/runs/run-state.ts';

/** What a subscriber is told: a run that has changed, that nothing has, or that there is no more to come. */
export type FeedNews = { kind: 'run'; run: RunSummary } | { kind: 'quiet' } | { kind: 'end' };

/**
 * What is known of one run, read once for everyone who watches it. Readers take the newest state when they are ready
 * for it, so a slow one skips states instead of piling them up.
 */
export class RunFeed {
  #run: RunSummary | null = null;
  #asJson = '';
  #version = 0;
  #state: 'open' | 'ended' | 'closed' = 'open';
  readonly #waiting = new Set<() => void>();

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Null: the run is gone, which ends the feed. */
  publish(run: RunSummary | null): void {
    const asJson = JSON.stringify(run);
    const changed = run !== null && asJson !== this.#asJson;
    if (changed) {
      this.#run = run;
      this.#asJson = asJson;
      this.#version += 1;
    }
    const ended = run === null || runHasEnded(run.state);
    if (ended) this.#state = 'ended';
    if (changed || ended) this.#wake();
  }

  /** Ends every subscription without saying that the run has ended, so that subscribers come back. */
  close(): void {
    this.#state = 'closed';
    this.#wake();
  }

  /** News until the run ends, the feed is closed or the signal is aborted; `quiet` after each `quietMs` without any. */
  async *news(quietMs: number, signal: AbortSignal): AsyncGenerator<FeedNews> {
    let seen = 0;
    while (!signal.aborted) {
      if (this.#run !== null && this.#version !== seen) {
        seen = this.#version;
        yield { kind: 'run', run: this.#run };
      } else if (this.#state === 'ended') {
        yield { kind: 'end' };
        return;
      } else if (this.#state === 'closed') {
        return;
      } else if (!(await this.#changeWithin(quietMs, signal))) {
        yield { kind: 'quiet' };
      }
    }
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #changeWithin(quietMs: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (changed: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(onNews);
        signal.removeEventListener('abort', onNews);
        resolve(changed);
      };
      const onNews = () => {
        finish(true);
      };
      const timer = setTimeout(() => {
        finish(false);
      }, quietMs);
      this.#waiting.add(onNews);
      signal.addEventListener('abort', onNews);
    });
  }
}
