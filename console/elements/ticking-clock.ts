export interface TickingClock {
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
