import type { RunSummary } from '../../api/runs/run.ts';
import { runHasEnded } from '../../domain/runs/run-state.ts';

/** What a subscriber receives: the changed run, a heartbeat, or the end of the run. */
export type FeedEvent = { kind: 'run'; run: RunSummary } | { kind: 'heartbeat' } | { kind: 'end' };

/**
 * The newest state of one run, read once for everyone who watches it. A slow reader skips states: it gets the newest
 * one when it is ready.
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

  /** Null: the run no longer exists, which ends the feed. */
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

  /** Ends every subscription without an `end` event, so that subscribers reconnect. */
  close(): void {
    this.#state = 'closed';
    this.#wake();
  }

  /** Events until the run ends, the feed is closed or the signal is aborted; a heartbeat after each `heartbeatMs` without any. */
  async *events(heartbeatMs: number, signal: AbortSignal): AsyncGenerator<FeedEvent> {
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
      } else if (!(await this.#changeWithin(heartbeatMs, signal))) {
        yield { kind: 'heartbeat' };
      }
    }
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #changeWithin(heartbeatMs: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (changed: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(onChange);
        signal.removeEventListener('abort', onChange);
        resolve(changed);
      };
      const onChange = () => {
        finish(true);
      };
      const timer = setTimeout(() => {
        finish(false);
      }, heartbeatMs);
      this.#waiting.add(onChange);
      signal.addEventListener('abort', onChange);
    });
  }
}
