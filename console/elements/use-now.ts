import { useSyncExternalStore } from 'react';
import { createTickingClock, type TickingClock } from './ticking-clock.ts';

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
