import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryLeaseTable } from './memory-lease-table.ts';
import { seededRandom } from './seeded-random.ts';
import { SimulatedProcess, type StoreFault } from './simulated-process.ts';
import { VirtualClock } from './virtual-clock.ts';

const LIMIT = 5;
const HOUR_MS = 3_600_000;
const SOME_DAY_MS = 1_700_000_000_000;

/** All disturbances happen during this time; then everything works again. */
const DISTURBED_MS = 20_000;
/** Long enough to send the remaining requests at the limit, and for leases, timeouts and pauses to end. */
const CALM_MS = 90_000;
const REQUESTS_EACH = 30;

interface Disturbance {
  kind:
    | 'freeze'
    | 'suspend'
    | 'die'
    | 'set database'
    | 'set wall'
    | 'no answers'
    | 'break off'
    | 'ask for a pause'
    | StoreFault;
  atMs: number;
  forMs: number;
  /** The change of a clock. */
  byMs: number;
  process: number;
}

interface History {
  seed: number;
  processes: number;
  maxTripMs: number;
  disturbances: Disturbance[];
  requestsEach: number;
  /** The maximum number of waiting requests of a process. */
  atOnce: number;
}

function historiesOf(
  kinds: readonly Disturbance['kind'][],
  { minCount = 0, maxCount = 14, maxMs = 8_000 } = {},
): fc.Arbitrary<History> {
  const sizeMs = fc.oneof(fc.integer({ min: 50, max: 3_000 }), fc.integer({ min: 1_000, max: 3 * HOUR_MS }));
  return fc.record({
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
    processes: fc.integer({ min: 1, max: 4 }),
    maxTripMs: fc.integer({ min: 5, max: 150 }),
    requestsEach: fc.constant(REQUESTS_EACH),
    atOnce: fc.integer({ min: 1, max: 5 }),
    disturbances: fc.array(
      fc.record({
        kind: fc.constantFrom(...kinds),
        atMs: fc.integer({ min: 0, max: DISTURBED_MS }),
        forMs: fc.integer({ min: 10, max: maxMs }),
        byMs: fc.tuple(sizeMs, fc.constantFrom(1, -1)).map(([size, sign]) => size * sign),
        process: fc.nat(3),
      }),
      { minLength: minCount, maxLength: maxCount },
    ),
  });
}

interface Outcome {
  arrivedMs: number[];
  allAdmitted: boolean;
}

async function simulate({ seed, processes, maxTripMs, disturbances, requestsEach, atOnce }: History): Promise<Outcome> {
  const clock = new VirtualClock();
  const random = seededRandom(seed);
  const database = { setByMs: SOME_DAY_MS };
  const provider = { silentUntilMs: 0, pauseMs: null as number | null };
  const arrivedMs: number[] = [];
  const around = {
    clock,
    random,
    table: new MemoryLeaseTable(() => clock.nowMs() + database.setByMs),
    limitPerSecond: LIMIT,
    minTripMs: Math.min(5, maxTripMs),
    maxTripMs,
    arrive: () => {
      arrivedMs.push(clock.nowMs());
      const { pauseMs } = provider;
      provider.pauseMs = null;
      if (pauseMs !== null) return { pauseMs };
      return { answer: clock.nowMs() < provider.silentUntilMs ? ('none' as const) : ('done' as const) };
    },
  };
  const all = Array.from({ length: processes }, (_, index) => new SimulatedProcess(around, `p${index}`));
  for (const disturbance of disturbances) {
    clock.after(disturbance.atMs, () => apply(disturbance, all[disturbance.process % all.length]!));
  }
  const works = all.map((process) => process.start(requestsEach, atOnce));
  await clock.runUntil(clock.wait(DISTURBED_MS));
  const livingWorks = works.filter((_, index) => !all[index]!.isDead);
  const admitted = Promise.all(livingWorks).then(() => true);
  const allAdmitted = await clock.runUntil(Promise.race([admitted, clock.wait(CALM_MS).then(() => false)]));
  return { arrivedMs, allAdmitted };

  function apply({ kind, forMs, byMs }: Disturbance, process: SimulatedProcess): void {
    switch (kind) {
      case 'freeze':
        process.freeze(forMs);
        return;
      case 'suspend':
        process.suspend(forMs);
        return;
      case 'die':
        process.kill();
        return;
      case 'set database':
        database.setByMs += byMs;
        return;
      case 'set wall':
        process.setWallClock(byMs);
        return;
      case 'no answers':
        provider.silentUntilMs = clock.nowMs() + forMs;
        return;
      case 'break off':
        process.breaksOff = true;
        clock.after(forMs, () => {
          process.breaksOff = false;
        });
        return;
      case 'ask for a pause':
        provider.pauseMs = forMs;
        return;
      default:
        process.fault = kind;
        clock.after(Math.min(forMs, DISTURBED_MS - clock.nowMs()), () => {
          process.fault = 'none';
        });
    }
  }
}

/** The maximum number of requests that the provider received in any second. */
function maxInSecond(arrivedMs: readonly number[]): number {
  return Math.max(
    0,
    ...arrivedMs.map((from) => arrivedMs.filter((instant) => instant >= from && instant < from + 1_000).length),
  );
}

async function expectWithinLimit(history: History): Promise<void> {
  const { arrivedMs, allAdmitted } = await simulate(history);
  expect(maxInSecond(arrivedMs)).toBeLessThanOrEqual(LIMIT);
  expect(allAdmitted).toBe(true);
}

const FAULTS = ['refused', 'answer lost', 'carried out late', 'hangs'] as const;
const WITHOUT_CLOCKS = ['freeze', 'die', 'no answers', 'break off', 'ask for a pause', ...FAULTS] as const;
/** Too short for a lease to end during one of them. */
const MANY = { minCount: 60, maxCount: 150, maxMs: 1_500 };
const REQUESTS_WHEN_STEADY = 400;
const RUNS = { numRuns: 25, seed: 8, endOnFailure: true };
const TEST_TIMEOUT_MS = 120_000;

describe('no second has more requests than the limit, and every request is sent in the end', () => {
  test(
    'when processes die, freeze or lose the store',
    async () => {
      await fc.assert(fc.asyncProperty(historiesOf(WITHOUT_CLOCKS), expectWithinLimit), RUNS);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'when clocks are set, including the database’s',
    async () => {
      const kinds = [...WITHOUT_CLOCKS, 'set database', 'set wall', 'set database'] as const;
      await fc.assert(fc.asyncProperty(historiesOf(kinds), expectWithinLimit), RUNS);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'when machines sleep and their monotonic clocks stop',
    async () => {
      await fc.assert(
        fc.asyncProperty(historiesOf([...WITHOUT_CLOCKS, 'suspend', 'suspend']), expectWithinLimit),
        RUNS,
      );
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'when the database’s clock is set many times',
    async () => {
      await fc.assert(fc.asyncProperty(historiesOf(['set database'], MANY), expectWithinLimit), RUNS);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'when many statements are lost, each for a moment',
    async () => {
      const kinds = ['answer lost', 'carried out late', 'answer lost'] as const;
      await fc.assert(fc.asyncProperty(historiesOf(kinds, MANY), expectWithinLimit), RUNS);
    },
    TEST_TIMEOUT_MS,
  );
});

describe('the share of the limit that is used without disturbances', () => {
  const share = async (maxTripMs: number, processes: number): Promise<number> => {
    const { arrivedMs } = await simulate({
      seed: 3,
      processes,
      maxTripMs,
      disturbances: [],
      requestsEach: REQUESTS_WHEN_STEADY / processes,
      atOnce: 5,
    });
    // Without the start, when the processes learn each other's clocks, and the end, when some have no requests left.
    const steady = arrivedMs.sort((one, other) => one - other).slice(50, -50);
    return ((steady.length - 1) * 1_000) / (steady.at(-1)! - steady[0]!) / LIMIT;
  };
  test.each([1, 2, 4])('is 0.97 at round trips of 5 to 50 ms, with %i processes', async (processes) => {
    expect(await share(50, processes)).toBeGreaterThanOrEqual(0.97);
  });
  test.each([1, 2, 4])('is 0.92 at round trips of 5 to 150 ms, with %i processes', async (processes) => {
    expect(await share(150, processes)).toBeGreaterThanOrEqual(0.92);
  });
});
