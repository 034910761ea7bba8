import { describe, expect, test } from 'vitest';
import { createRequestGate } from '../../provider/shared-gate.ts';
import { type Credit, MemorySlotStore } from './memory-slot-store.ts';
import { seeded } from './seeded.ts';
import { VirtualClock } from './virtual-clock.ts';

interface Network {
  /** Shares of the round trip that the request takes; the answer takes the rest. */
  outward: (random: () => number) => number;
  credit: Credit;
}

const LIMIT = 5;
const REQUESTS = 400;

/** Two processes send all they have through one account; gives the instants at which requests reach the provider. */
async function arrivals(seed: number, { outward, credit }: Network): Promise<number[]> {
  const clock = new VirtualClock();
  const random = seeded(seed);
  const store = new MemorySlotStore(clock, LIMIT, credit);
  const gates = ['one', 'two'].map((holder) =>
    createRequestGate({ account: 'default', holder, store, limitPerSecond: LIMIT, clock }),
  );
  const arrivedMs: number[] = [];
  const work = Array.from({ length: REQUESTS }, (_, index) =>
    gates[index % gates.length]!.run(async (_signal, slot) => {
      const roundTripMs = 5 + random() * 145;
      const outwardMs = roundTripMs * outward(random);
      await clock.wait(outwardMs);
      arrivedMs.push(clock.nowMs());
      await clock.wait(roundTripMs - outwardMs);
      slot.answered(roundTripMs);
    }),
  );
  await clock.runUntil(Promise.all(work));
  return arrivedMs.sort((one, other) => one - other);
}

/** The least time in which one more than the limit arrived. */
function tightestMs(arrivedMs: number[]): number {
  return Math.min(...arrivedMs.slice(LIMIT).map((instantMs, index) => instantMs - arrivedMs[index]!));
}

function shareOfLimit(arrivedMs: number[]): number {
  return ((arrivedMs.length - 1) * 1_000) / (arrivedMs.at(-1)! - arrivedMs[0]!) / LIMIT;
}

describe.each([1, 2])('round trips from 5 to 150 ms, seed %i', (seed) => {
  test('no second holds more than the limit, however the network splits its delay', async () => {
    const arrived = await arrivals(seed, { outward: (random) => random(), credit: 'nothing' });
    expect(arrived).toHaveLength(REQUESTS);
    expect(tightestMs(arrived)).toBeGreaterThanOrEqual(1_000);
    expect(shareOfLimit(arrived)).toBeGreaterThan(0.92);
  });

  test('the least round trip may be credited where both ways take alike', async () => {
    const arrived = await arrivals(seed, { outward: () => 0.5, credit: 'least round trip' });
    expect(tightestMs(arrived)).toBeGreaterThanOrEqual(1_000);
    expect(shareOfLimit(arrived)).toBeGreaterThan(0.925);
  });
});
