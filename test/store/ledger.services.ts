import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { LedgerWorld } from './ledger-world.ts';

/** What holds of the ledger, whatever happens in whatever order. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

let worlds = 0;

/** A currency of its own, so that tests do not meet. */
function aWorld(): LedgerWorld {
  worlds += 1;
  const letters = [worlds / 676, worlds / 26, worlds].map((n) => String.fromCharCode(65 + (Math.floor(n) % 26)));
  return new LedgerWorld(testDatabase, letters.join(''));
}

async function aWorldWith(balance: number): Promise<LedgerWorld> {
  const world = aWorld();
  world.change(balance);
  await world.readHistory();
  return world;
}

async function expectInvariant(world: LedgerWorld): Promise<void> {
  const { outside, free, run, payment, conversion } = await world.ledger();
  const last = await world.lastAmount();
  expect(free + run + payment + conversion).toBe(last);
  expect(outside + (last ?? 0)).toBe(0);
  expect(await world.wrongBalances()).toEqual([]);
  // What has left is in the history, or still committed.
  expect(payment + conversion).toBeGreaterThanOrEqual(world.unseenDebits);
}

type Action = (world: LedgerWorld, pick: number, how: number) => Promise<unknown>;

const anyOf = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];
const paymentOf = (world: LedgerWorld, pick: number): string | undefined =>
  anyOf(
    world.runs.flatMap(({ paymentIds }) => paymentIds),
    pick,
  );

const inState =
  (states: readonly string[], act: (world: LedgerWorld, paymentId: string, how: number) => Promise<unknown>): Action =>
  async (world, pick, how) => {
    const paymentId = paymentOf(world, pick);
    if (paymentId !== undefined && states.includes(await world.stateOf(paymentId))) await act(world, paymentId, how);
  };

const ACTIONS: Readonly<Record<string, Action>> = {
  approve: (world, pick, how) => world.approveRun([10, 20, 20, 30].slice(pick % 3, (pick % 3) + 1 + (how % 2))),
  create: inState(['ready'], (world, paymentId, how) =>
    world.create(paymentId, how % 3, anyOf(['took_effect', 'took_effect', 'refused', 'open'] as const, how) ?? 'open'),
  ),
  resolveCreation: inState(['quoted'], (world, paymentId, how) => world.resolveCreation(paymentId, how % 2 === 0)),
  fund: inState(['created', 'awaiting_funds'], async (world, paymentId, how) => {
    const isAllSeen = !world.hasUnseenOfOthers;
    const { free } = await world.ledger();
    const funded = await world.fund(
      paymentId,
      anyOf(['answered', 'answered', 'lost', 'no_effect'] as const, how) ?? 'answered',
      anyOf(['one', 'two', 'apart'] as const, how >> 2) ?? 'one',
    );
    // Nobody else has taken money: then the provider has what the ledger says.
    if (isAllSeen && free >= 0) expect(funded).not.toBe('refused_for_money');
  }),
  resolveFunding: inState(['created', 'awaiting_funds'], (world, paymentId) => world.resolveFunding(paymentId)),
  end: inState(['created', 'awaiting_funds', 'funded'], (world, paymentId, how) =>
    world.end(paymentId, how % 2 === 0 ? 'paid' : 'failed'),
  ),
  convert: async (world, pick, how) => {
    const [id, total] = [`c-${pick}-${how}`, 5 + (how % 20)];
    const { free } = await world.ledger();
    const isAllSeen = !world.hasUnseenOfOthers;
    if (!(await world.commitConversion(id, total))) return;
    expect(free).toBeGreaterThanOrEqual(total);
    if (how % 3 === 0 || world.balance < total) await world.releaseConversion(id);
    else if (how % 3 === 1) await world.fundConversion(id, total);
    if (isAllSeen) expect(world.balance).toBeGreaterThanOrEqual(0);
  },
  moneyIn: (world, pick) => {
    world.change(1 + (pick % 40));
    return Promise.resolve();
  },
  // Never as much as a payment or its fee: nothing in an entry says whose it is, and an equal one is taken for ours.
  moneyOut: (world, pick) => {
    if (world.balance > 10) world.change(-(0.5 + (pick % 10)));
    return Promise.resolve();
  },
  read: (world, _pick, how) => world.readHistory({ hiding: how % 3 }),
  restart: (world) => world.readHistory({ hiding: world.entries.length }),
  endRun: async (world, pick) => {
    const run = anyOf(world.runs, pick);
    if (run !== undefined) await world.endRun(run.runId);
  },
};

const NAMES = Object.keys(ACTIONS);
/** Often what makes the others possible. */
const WEIGHTED = [
  ...NAMES,
  'approve',
  'create',
  'create',
  'create',
  'fund',
  'fund',
  'fund',
  'fund',
  'read',
  'read',
  'moneyIn',
];

test('free and committed money are the balance by the history after every step, and no money is committed twice', async () => {
  const counts = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 60 }),
      fc.array(fc.tuple(fc.constantFrom(...WEIGHTED), fc.nat({ max: 1_000 }), fc.nat({ max: 1_000 })), {
        minLength: 10,
        maxLength: 40,
      }),
      async (opening, steps) => {
        const world = await aWorldWith(opening);
        for (const [name, pick, how] of steps) {
          await ACTIONS[name]?.(world, pick, how);
          counts.set(name, (counts.get(name) ?? 0) + 1);
          await expectInvariant(world);
        }
        await world.readHistory();
        await expectInvariant(world);
      },
    ),
    { numRuns: Number(process.env.LEDGER_RUNS ?? 40), endOnFailure: true },
  );
  expect([...counts.keys()].sort()).toEqual([...NAMES].sort());
});
