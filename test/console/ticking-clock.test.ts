import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTickingClock } from '../../console/elements/use-now.ts';

const START = Date.UTC(2026, 10, 24, 10);

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a clock ticks for all who listen, and for nobody else', () => {
  const clock = createTickingClock(10_000);
  const seen: number[] = [];
  const end = clock.subscribe(() => seen.push(clock.read()));
  vi.advanceTimersByTime(25_000);
  expect(seen).toEqual([START + 10_000, START + 20_000]);
  expect(clock.read()).toBe(START + 20_000);
  end();
  expect(vi.getTimerCount()).toBe(0);
});

test('whoever begins to listen after a pause sees the time of that moment, and not that of the last tick', () => {
  const clock = createTickingClock(60_000);
  clock.subscribe(() => undefined)();
  vi.advanceTimersByTime(600_000);
  clock.subscribe(() => undefined);
  expect(clock.read()).toBe(START + 600_000);
});

test('those who come and go delay no tick of those who stay', () => {
  const clock = createTickingClock(10_000);
  let ticks = 0;
  clock.subscribe(() => (ticks += 1));
  for (let second = 0; second < 30; second += 1) {
    const end = clock.subscribe(() => undefined);
    vi.advanceTimersByTime(1_000);
    end();
  }
  expect(ticks).toBe(3);
});
