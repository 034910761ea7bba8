import { useSyncExternalStore } from 'react';

interface TickingClock {
  /** Called after each tick. Returns how to end that. */
  subscribe: (listener: () => void) => () => void;
  /** The time in milliseconds, as of the last tick. */
  read: () => number;
}

/** Ticks while somebody listens. Whoever begins to listen gets the time of that moment, however long nobody listened. */
export function createTickingClock(everyMs: number): TickingClock {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | null = null;
  const tick = (): void => {
    now = Date.now();
    for (const listener of listeners) listener();
  };
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      if (timer === null) {
        timer = setInterval(tick, everyMs);
        now = Date.now();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
    read: () => now,
  };
}

/** One for each interval, however many elements show an age. */
const clocks = new Map<number, TickingClock>();

function clockOf(everyMs: number): TickingClock {
  const known = clocks.get(everyMs);
  if (known !== undefined) return known;
  const clock = createTickingClock(everyMs);
  clocks.set(everyMs, clock);
  return clock;
}

/** The time in milliseconds, as of the last tick. */
export function useNow(everyMs: number): number {
  // The same functions in each rendering: with others React would subscribe again, and a page that is rendered more often than its
  // clock ticks would never see it tick.
  const { subscribe, read } = clockOf(everyMs);
  return useSyncExternalStore(subscribe, read);
}
