import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApplicationError } from '../../application/application-error.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import { RunFeeds } from '../../server/runs/run-feeds.ts';
import { aRun } from './application-records.ts';

const SETTINGS = { pollMs: 500, heartbeatMs: 15_000, maxSubscribers: 2, maxPerUser: 2, recheckMs: 5_000 };

function theFeeds() {
  const state: { run: RunSummary | null } = { run: aRun() };
  const findRun = vi.fn(() => Promise.resolve(state.run));
  const onError = vi.fn();
  return { state, findRun, feeds: new RunFeeds(findRun, SETTINGS, onError) };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the feeds of runs', () => {
  it('a run is read every half second while it is watched, and no more after the last watcher left', async () => {
    const { feeds, findRun } = theFeeds();
    const watcher = new AbortController();
    await feeds.subscribe(aRun(), 'user-viewer', watcher.signal).next();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(findRun).toHaveBeenCalledTimes(10);
    watcher.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(findRun).toHaveBeenCalledTimes(10);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a slow watcher gets the newest state and skips older ones', async () => {
    const { feeds, state } = theFeeds();
    const news = feeds.subscribe(aRun(), 'user-viewer', new AbortController().signal);
    await news.next();
    for (const line of [1, 2, 3]) {
      state.run = aRun({ state: 'running', rows: { paid: line } });
      await vi.advanceTimersByTimeAsync(500);
    }
    expect((await news.next()).value).toMatchObject({ kind: 'run', run: { rows: { paid: 3 } } });
    feeds.close();
  });

  it('a run that no longer exists ends its feed', async () => {
    const { feeds, state } = theFeeds();
    const news = feeds.subscribe(aRun(), 'user-viewer', new AbortController().signal);
    await news.next();
    state.run = null;
    const ending = news.next();
    await vi.advanceTimersByTimeAsync(500);
    expect((await ending).value).toEqual({ kind: 'end' });
    expect((await news.next()).done).toBe(true);
    expect(feeds.subscribers).toBe(0);
  });

  it('a watcher who left before being served takes no place', () => {
    const { feeds } = theFeeds();
    feeds.subscribe(aRun(), 'user-viewer', AbortSignal.abort());
    expect(feeds.subscribers).toBe(0);
  });

  it('a watcher of a run that has resumed after its end gets an open feed', async () => {
    const { feeds, state } = theFeeds();
    const ended = feeds.subscribe(aRun({ state: 'failed' }), 'user-viewer', new AbortController().signal);
    await ended.next();
    expect((await ended.next()).value).toEqual({ kind: 'end' });
    state.run = aRun({ state: 'running' });
    const again = feeds.subscribe(state.run, 'user-viewer', new AbortController().signal);
    expect((await again.next()).value).toMatchObject({ kind: 'run', run: { state: 'running' } });
    state.run = aRun({ state: 'completed' });
    const next = again.next();
    await vi.advanceTimersByTimeAsync(500);
    expect((await next).value).toMatchObject({ kind: 'run', run: { state: 'completed' } });
  });

  it('no watcher is accepted after closing', () => {
    const { feeds } = theFeeds();
    feeds.close();
    expect(() => feeds.subscribe(aRun(), 'user-viewer', new AbortController().signal)).toThrow(ApplicationError);
  });
});
