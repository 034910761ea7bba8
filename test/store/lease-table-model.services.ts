import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLeaseTable, type LeaseAnswer, type LeaseTable } from '../../store/rate-limiter/lease-table.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { MemoryLeaseTable } from '../provider/memory-lease-table.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

/** A step of a history; numbers select leases and holders. */
interface Step {
  kind:
    | 'take'
    | 'free'
    | 'free another lease'
    | 'pause'
    | 'register'
    | 'deregister'
    | 'heartbeat'
    | 'remove one'
    | 'a day passes';
  which: number;
  sizeMs: number;
}

const steps = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 4, arbitrary: fc.constant('take' as const) },
      { weight: 3, arbitrary: fc.constant('free' as const) },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          'free another lease' as const,
          'pause' as const,
          'register' as const,
          'deregister' as const,
          'heartbeat' as const,
          'remove one' as const,
          'a day passes' as const,
        ),
      },
    ),
    which: fc.nat(7),
    // Hours, so that the time that the test takes does not affect the order.
    sizeMs: fc.integer({ min: 0, max: 40 }).map((hours) => hours * 3_600_000),
  }),
  { minLength: 5, maxLength: 60 },
);

interface World {
  account: string;
  leases: number;
  dayBudget: number;
}

/** What both must agree on. Times only where they do not depend on a clock. */
async function replay(
  table: LeaseTable,
  { account, leases, dayBudget }: World,
  history: readonly Step[],
): Promise<unknown[]> {
  const ids = { holder: 0, lease: 0 };
  const idOf = (kind: number, n: number): string => `${account.slice(0, 24)}${kind}${String(n).padStart(11, '0')}`;
  const holders: string[] = [];
  const taken: string[] = [];
  const pauseKeys: string[] = [];
  const seen: unknown[] = [];
  let dayOffset = 0;
  for (const { kind, which, sizeMs } of history) {
    const holder = holders[which % Math.max(1, holders.length)] ?? idOf(9, 0);
    const leaseId = taken[which % Math.max(1, taken.length)] ?? idOf(8, 0);
    const times = { answeredMs: sizeMs, freedMs: sizeMs + 1.5, cooldownMs: sizeMs, roundTripMs: null };
    const freed = { account, freedBy: holder, ...times };
    if (kind === 'take') {
      const wanted = idOf(1, (ids.lease += 1));
      const answer = await table.take({ account, holder, leaseId: wanted, leases, dayBudget, dayOffset });
      if (answer.taken !== null) taken.push(wanted);
      seen.push(shown(answer, pauseKeys));
    } else if (kind === 'free') {
      const unknown = which === 7 ? { freedBy: null, answeredMs: null, freedMs: null } : {};
      await table.free({ ...freed, leaseId, ...unknown });
    } else if (kind === 'free another lease') {
      await table.free({ ...freed, leaseId: idOf(7, which) });
    } else if (kind === 'pause') {
      await table.pause(account, sizeMs);
    } else if (kind === 'register') {
      holders.push(idOf(2, (ids.holder += 1)));
      await table.register(holders.at(-1)!, which);
    } else if (kind === 'deregister') {
      await table.deregister(holder);
    } else if (kind === 'a day passes') {
      dayOffset += 1;
    } else {
      const others = (await table.heartbeat(holder, sizeMs, [])).holders.filter((row) => row.holder !== holder);
      const dead = others.map((row) => ({ holder: row.holder, heartbeat: row.heartbeat - (row.clockMs % 2) }));
      seen.push(await ownRows(table, account, holder, kind === 'remove one' ? dead.slice(0, 1) : []));
    }
  }
  return seen;
}

/** Without holders of other histories, which are in the table as well. */
async function ownRows(
  table: LeaseTable,
  account: string,
  holder: string,
  dead: { holder: string; heartbeat: number }[],
) {
  const { renewed, holders } = await table.heartbeat(holder, 3, dead);
  const own = holders.filter((row) => row.holder.startsWith(account.slice(0, 24)));
  return { renewed, own: own.sort((a, b) => (a.holder < b.holder ? -1 : 1)) };
}

const HOUR_MS = 3_600_000;

function shown({ taken, isSpent, pause }: LeaseAnswer, pauseKeys: string[]) {
  if (!pauseKeys.includes(pause.key)) pauseKeys.push(pause.key);
  return {
    isSpent,
    pause: { nth: pauseKeys.indexOf(pause.key), forMs: pause.forMs, hours: Math.max(0, hoursOf(pause.leftMs)) },
    taken: taken === null ? null : { ...taken, cooldownLeftMs: taken.isNew ? 0 : hoursOf(taken.cooldownLeftMs) },
  };
}

/** Rounded to the hour, so that small clock differences do not matter. */
function hoursOf(ms: number): number {
  return Math.round(ms / HOUR_MS);
}

test('the model of the lease table answers every history as Postgres does', async () => {
  const real = createLeaseTable(testDatabase.database);
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom(0, 0, 6),
      async (history, leases, dayBudget) => {
        // Each history has a separate account, so holders of another do not affect it.
        await testDatabase.database.query('delete from lease_holders');
        const world = { account: randomUUID(), leases, dayBudget };
        let modelMs = Date.now();
        // A real clock never shows the same time twice.
        const model = new MemoryLeaseTable(() => (modelMs += 0.001));
        expect(await replay(model, world, history)).toEqual(await replay(real, world, history));
      },
    ),
    { numRuns: 60, seed: 4 },
  );
});
