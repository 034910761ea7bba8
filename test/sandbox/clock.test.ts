import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Clock } from '../../sandbox/core/clock.ts';

test('what falls due on the way happens in order, each at its own moment', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 60 }), (delaysMs) => {
      const clock = new Clock(() => 1000, true);
      const happened: [number, number][] = [];
      for (const delayMs of delaysMs) clock.after(delayMs, () => happened.push([delayMs, clock.now() - 1000]));
      clock.advance(2500);
      const due = delaysMs.filter((delayMs) => delayMs <= 2500).sort((a, b) => a - b);
      expect(happened).toEqual(due.map((delayMs) => [delayMs, delayMs]));
      expect(clock.now()).toBe(3500);
    }),
    { seed: 3, numRuns: 100 },
  );
});

test('what was arranged for the same moment happens in the order of arranging', () => {
  const clock = new Clock(() => 0, true);
  const happened: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) clock.after(10, () => happened.push(name));
  clock.advance(10);
  expect(happened.join('')).toBe('abcd');
});

test('something arranged while the clock moves happens in the same move, when it falls due in it', () => {
  const clock = new Clock(() => 0, true);
  const happened: number[] = [];
  clock.after(10, () => clock.after(20, () => happened.push(clock.now())));
  clock.advance(100);
  expect(happened).toEqual([30]);
});

test('what was cancelled does not happen', () => {
  const clock = new Clock(() => 0, true);
  const happen = vi.fn();
  clock.after(10, happen).cancelled = true;
  clock.advance(100);
  expect(happen).not.toHaveBeenCalled();
});

test('the clock never goes back when the time of day does', () => {
  let wallMs = 5000;
  const clock = new Clock(() => wallMs, false);
  expect(clock.now()).toBe(5000);
  wallMs = 4000;
  expect(clock.now()).toBe(5000);
});

test('what is due happens before whatever is performed, at its own moment, and time stands meanwhile', () => {
  let wallMs = 1000;
  const clock = new Clock(() => wallMs, false);
  const seen: number[] = [];
  clock.after(10, () => seen.push(clock.now()));
  wallMs = 5000;
  clock.hold(() => {
    wallMs = 6000;
    clock.after(0, () => seen.push(clock.now()));
    seen.push(clock.now());
  });
  clock.hold(() => seen.push(clock.now()));
  clock.close();
  expect(seen).toEqual([1010, 5000, 5000, 6000]);
});

test('a clock that begins in the past moves by what is done again alone, until it has caught up', () => {
  const clock = new Clock(() => 90_000, false, { atMs: 1000, aheadMs: 500 });
  const seen: number[] = [];
  expect(clock.now()).toBe(1000);
  clock.doAgain(2000, () => clock.after(100, () => seen.push(clock.now())));
  clock.doAgain(3000, () => clock.after(50_000, () => seen.push(clock.now())));
  clock.doAgain(4000, () => clock.advance(700));
  expect(clock.now()).toBe(4700);
  clock.catchUp();
  clock.close();
  expect(seen).toEqual([2100, 53_000]);
  expect(clock.reading()).toEqual({ atMs: 91_200, aheadMs: 1200 });
});

test('moving the clock after the time of day went back moves it by all of that', () => {
  let wallMs = 5000;
  const clock = new Clock(() => wallMs, false);
  clock.now();
  wallMs = 1000;
  expect(clock.advance(100)).toBe(5100);
});

test('a running clock lets things happen by itself', async () => {
  const clock = new Clock(Date.now, false);
  const happen = vi.fn();
  clock.after(5, happen);
  await vi.waitFor(() => expect(happen).toHaveBeenCalledTimes(1));
  clock.close();
});
