import { Chance } from '../../sandbox/core/seeded-random.ts';
import type { RowKind, Scenario } from './scenario.ts';
import { oneOf, type Trouble } from './draws.ts';
import { SCENARIO_CLASSES } from './scenario-classes.ts';

const OTHER_KINDS: readonly RowKind[] = [
  'buy',
  'shared_beneficiary',
  'known_beneficiary',
  'file',
  'rejected_later',
  'failed_later',
];

/** Mostly rows of the usual kind, and a few of every other. */
function rowsFrom(chance: Chance): RowKind[] {
  const size = chance.fraction() < 0.1 ? chance.between(13, 30) : chance.between(6, 12);
  return Array.from({ length: size }, (_, index): RowKind => {
    return index < 3 || chance.fraction() < 0.4 ? 'sell' : oneOf(chance, OTHER_KINDS);
  });
}

/**
 * What the contract leaves open of a second creation, a second funding and of bad ends. A provider that carries out either is drawn only
 * where its answers show in time what was done: what shows later than the settle time says, nobody could know.
 */
function readingsOf(chance: Chance, { sandbox = {}, disturbances = [] }: Trouble): Scenario['sandbox'] {
  const showsLate = (sandbox.findLagMs ?? 0) > 0;
  const readsStale = disturbances.some(({ does }) => does.kind === 'stale_reads');
  return {
    duplicateReference: oneOf(chance, showsLate ? ['refuse', 'return'] : ['refuse', 'return', 'create']),
    secondFunding: oneOf(chance, readsStale ? ['refuse', 'same'] : ['refuse', 'same', 'charge']),
    failureReason: oneOf(chance, ['both', 'failed']),
    refundEvents: oneOf(chance, ['on', 'off']),
  };
}

/** The n-th scenario of a seed, from 1. The same seed and number give the same scenario; classes take turns. */
export function drawScenario(seed: number, number: number): Scenario {
  const chance = new Chance(`${seed}/${number}`);
  const classes = Object.entries(SCENARIO_CLASSES);
  const drawn = classes[(number - 1) % classes.length];
  if (drawn === undefined) throw new Error('there are no classes of scenarios');
  const [about, draw] = drawn;
  const rows = rowsFrom(chance);
  const trouble = draw(chance, rows.length);
  return {
    seed: chance.between(1, 1_000_000),
    about,
    rows,
    workers: chance.fraction() < 0.2 ? 2 : 1,
    clocksMs: [0, 0],
    webhooks: chance.fraction() < 0.7,
    faults: [],
    disturbances: [],
    ...trouble,
    sandbox: { ...readingsOf(new Chance(`${seed}/${number}/readings`), trouble), ...trouble.sandbox },
  };
}
