import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Clock } from '../../sandbox/core/clock.ts';
import { eventually } from '../helpers/until.ts';

test('events that become due run in order, each at its own time', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 60 }), (delaysMs) => {
      const clock = new Clock(() => 1000, true);
      const ran: [number, number][] = [];
      for (const delayMs of delaysMs) clock.after(delayMs, () => ran.push([delayMs, clock.now() - 1000]));
      clock.advance(2500);
      const due = delaysMs.filter((delayMs) => delayMs <= 2500).sort((a, b) => a - b);
      expect(ran).toEqual(due.map((delayMs) => [delayMs, delayMs]));
      expect(clock.now()).toBe(3500);
    }),
    { seed: 3, numRuns: 100 },
  );
});

test('events that are due at the same time run in the order in which they were scheduled', () => {
  const clock = new Clock(() => 0, true);
  const ran: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) clock.after(10, () => ran.push(name));
  clock.advance(10);
  expect(ran.join('')).toBe('abcd');
});

test('an event that is scheduled while the clock advances runs in the same advance if it becomes due', () => {
  const clock = new Clock(() => 0, true);
  const ran: number[] = [];
  clock.after(10, () => clock.after(20, () => ran.push(clock.now())));
  clock.advance(100);
  expect(ran).toEqual([30]);
});

test('a cancelled event does not run', () => {
  const clock = new Clock(() => 0, true);
  const run = vi.fn();
  clock.after(10, run).cancelled = true;
  clock.advance(100);
  expect(run).not.toHaveBeenCalled();
});

test('the clock does not go back when the time of day does', () => {
  let wallMs = 5000;
  const clock = new Clock(() => wallMs, false);
  expect(clock.now()).toBe(5000);
  wallMs = 4000;
  expect(clock.now()).toBe(5000);
});

test('due events run before the performed call, each at its own time, and the time does not change during the call', () => {
  let wallMs = 1000;
  const clock = new Clock(() => wallMs, false);
  const seen: number[] = [];
  clock.after(10, () => seen.push(clock.now()));
  wallMs = 5000;
  clock.freeze(() => {
    wallMs = 6000;
    clock.after(0, () => seen.push(clock.now()));
    seen.push(clock.now());
  });
  clock.freeze(() => seen.push(clock.now()));
  clock.close();
  expect(seen).toEqual([1010, 5000, 5000, 6000]);
});

test('a clock that starts in the past moves only by the replay, until the replay is finished', () => {
  const clock = new Clock(() => 90_000, false, { atMs: 1000, aheadMs: 500 });
  const seen: number[] = [];
  expect(clock.now()).toBe(1000);
  clock.replayAt(2000, () => clock.after(100, () => seen.push(clock.now())));
  clock.replayAt(3000, () => clock.after(50_000, () => seen.push(clock.now())));
  clock.replayAt(4000, () => clock.advance(700));
  expect(clock.now()).toBe(4700);
  clock.finishReplay();
  clock.close();
  expect(seen).toEqual([2100, 53_000]);
  expect(clock.reading()).toEqual({ atMs: 91_200, aheadMs: 1200 });
});

test('an advance after the time of day went back moves the clock by the full amount', () => {
  let wallMs = 5000;
  const clock = new Clock(() => wallMs, false);
  clock.now();
  wallMs = 1000;
  expect(clock.advance(100)).toBe(5100);
});

test('a running clock runs events by itself', async () => {
  const clock = new Clock(Date.now, false);
  const run = vi.fn();
  clock.after(5, run);
  await eventually(() => expect(run).toHaveBeenCalledTimes(1));
  clock.close();
});
