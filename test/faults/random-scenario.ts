import { SeededRandom } from '../../sandbox/core/seeded-random.ts';
import type { RowKind, Scenario } from './scenario.ts';
import { oneOf, type ScenarioParts } from './random-choices.ts';
import { SCENARIO_CLASSES } from './scenario-classes.ts';

const OTHER_KINDS: readonly RowKind[] = [
  'buy',
  'shared_beneficiary',
  'known_beneficiary',
  'file',
  'rejected_later',
  'failed_later',
];

/** Mostly usual rows, and a few of the other kinds. */
function randomRows(random: SeededRandom): RowKind[] {
  const size = random.fraction() < 0.1 ? random.between(13, 30) : random.between(6, 12);
  return Array.from({ length: size }, (_, index): RowKind => {
    return index < 3 || random.fraction() < 0.4 ? 'sell' : oneOf(random, OTHER_KINDS);
  });
}

/**
 * How the sandbox behaves where the contract does not say: on a second creation, a second funding, and when a payment
 * fails. It carries out a second creation or funding only where its lists and reads show the first one within the
 * visibility delay; otherwise no client could avoid the second one.
 */
function unspecifiedBehaviour(
  random: SeededRandom,
  { sandbox = {}, disruptions = [] }: ScenarioParts,
): Scenario['sandbox'] {
  const showsLate = (sandbox.findLagMs ?? 0) > 0;
  const readsStale = disruptions.some(({ action }) => action.kind === 'stale_reads');
  return {
    duplicateReference: oneOf(random, showsLate ? ['refuse', 'return'] : ['refuse', 'return', 'create']),
    secondFunding: oneOf(random, readsStale ? ['refuse', 'same'] : ['refuse', 'same', 'charge']),
    failureReason: oneOf(random, ['both', 'failed']),
    refundEvents: oneOf(random, ['on', 'off']),
  };
}

/** The n-th scenario of a seed, from 1, by each class in turn. The same seed and number give the same scenario. */
export function randomScenario(seed: number, number: number): Scenario {
  const random = new SeededRandom(`${seed}/${number}`);
  const classes = Object.entries(SCENARIO_CLASSES);
  const entry = classes[(number - 1) % classes.length];
  if (entry === undefined) throw new Error('there are no classes of scenarios');
  const [about, partsOf] = entry;
  const rows = randomRows(random);
  const parts = partsOf(random, rows.length);
  return {
    seed: random.between(1, 1_000_000),
    about,
    rows,
    workers: random.fraction() < 0.2 ? 2 : 1,
    clocksMs: [0, 0],
    webhooks: random.fraction() < 0.7,
    faults: [],
    disruptions: [],
    ...parts,
    sandbox: { ...unspecifiedBehaviour(new SeededRandom(`${seed}/${number}/readings`), parts), ...parts.sandbox },
  };
}
