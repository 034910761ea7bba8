import { useSyncExternalStore } from 'react';

interface Clock {
  now: number;
  listeners: Set<() => void>;
  timer: number | null;
}

/** One timer for each interval, however many elements show an age. */
const clocks = new Map<number, Clock>();

function clockOf(everyMs: number): Clock {
  const known = clocks.get(everyMs);
  if (known !== undefined) return known;
  const clock: Clock = { now: Date.now(), listeners: new Set(), timer: null };
  clocks.set(everyMs, clock);
  return clock;
}

function subscribe(everyMs: number, listener: () => void): () => void {
  const clock = clockOf(everyMs);
  clock.listeners.add(listener);
  clock.timer ??= window.setInterval(() => {
    clock.now = Date.now();
    for (const each of clock.listeners) each();
  }, everyMs);
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size > 0 || clock.timer === null) return;
    window.clearInterval(clock.timer);
    clock.timer = null;
  };
}

/** The time in milliseconds, as of the last tick. */
export function useNow(everyMs: number): number {
  return useSyncExternalStore(
    (listener) => subscribe(everyMs, listener),
    () => clockOf(everyMs).now,
  );
}
