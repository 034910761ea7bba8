import { SeededRandom } from '../../../sandbox/core/seeded-random.ts';
import type { FaultSpec } from '../../../sandbox/faults/faults.ts';
import { canAffect } from '../fault-choices.ts';
import { delayOf, happens, oneOf, randomOutage, randomServices } from '../random-choices.ts';
import type { Action } from '../scenario.ts';
import {
  equalTotals,
  type OrderPlan,
  type SchedulePlan,
  type TreasuryDisruption,
  type TreasuryScenario,
} from './treasury-scenario.ts';

/** More than a run has, so that each of its scenarios has its own seed. */
const SCENARIOS_OF_A_SEED = 1_000_000;

const BUY_CURRENCIES = ['EUR', 'GBP', 'SGD', 'AUD', 'CAD'];

/** Every order and every run needs these, so that a trigger on one of them is reached. */
const USUAL_STEPS = ['conversion-quote', 'conversion-create', 'conversion-fund', 'simple-payment-fund'] as const;
const STEPS = [...USUAL_STEPS, 'conversion-get', 'balance-history', 'balance-find', 'simple-payment-create'] as const;

const KINDS = [
  ...(['error_before', 'error_after', 'error_html_after', 'reset_before', 'reset_after', 'cut_after'] as const),
  ...(['garbled_after', 'empty_after', 'not_json_after', 'slow_after', 'rate_limited'] as const),
];
/** After none of these it is known what became of the request. */
const STATUSES = [500, 502, 503, 504] as const;

function faultOn(random: SeededRandom, operation: string): FaultSpec {
  const kind = oneOf(
    random,
    KINDS.filter((each) => canAffect(each, operation)),
  );
  return {
    ...{ operation, kind, nth: random.between(1, 3), times: random.between(1, 2) },
    ...delayOf(random, kind),
    ...(kind.startsWith('error_') ? { status: oneOf(random, STATUSES) } : {}),
  };
}

const faultsOn = (random: SeededRandom, max: number, operations: readonly string[] = STEPS): FaultSpec[] =>
  Array.from({ length: random.between(1, max) }, () => faultOn(random, oneOf(random, operations)));

function at(random: SeededRandom, action: Action): TreasuryDisruption {
  if (happens(random, 0.15)) return { trigger: { on: 'submitted' }, action };
  const phase = oneOf(random, ['sent', 'processed'] as const);
  return {
    trigger: { on: 'request', operation: oneOf(random, USUAL_STEPS), nth: random.between(1, 2), phase },
    action,
  };
}

type Parts = Partial<Omit<TreasuryScenario, 'seed' | 'about'>>;

/** What goes wrong, by title. */
const CLASSES: Readonly<Record<string, (random: SeededRandom) => Parts>> = {
  'services killed': (random) => ({
    disruptions: Array.from({ length: random.between(1, 3) }, () =>
      at(random, { kind: 'kill', services: randomServices(random) }),
    ),
  }),
  'answers lost': (random) => ({
    faults: faultsOn(random, 3, ['conversion-create', 'conversion-fund', 'simple-payment-fund']),
  }),
  'connections cut': (random) => ({
    disruptions: [
      at(random, randomOutage(random, 'disconnect_postgres')),
      at(random, randomOutage(random, 'disconnect_temporal')),
      at(random, { kind: 'cut_provider', forMs: random.between(0, 3_000) }),
    ],
  }),
  'too little money': (random) => ({
    balance: `${random.between(1_500, 6_000)}.00`,
    faults: happens(random, 0.5) ? faultsOn(random, 2) : [],
    disruptions: [at(random, { kind: 'kill', services: ['worker'] })],
  }),
  'a worker frozen': (random) => ({
    workers: 2,
    disruptions: [at(random, { kind: 'freeze_worker', forMs: random.between(500, 12_000) })],
  }),
  everything: (random) => ({
    faults: faultsOn(random, 4),
    disruptions: [
      at(random, { kind: 'kill', services: randomServices(random) }),
      at(random, randomOutage(random, oneOf(random, ['disconnect_postgres', 'disconnect_temporal'] as const))),
    ],
  }),
};

function schedulesOf(random: SeededRandom): SchedulePlan[] {
  const startedBy = (): SchedulePlan['startedBy'] => oneOf(random, ['time', 'person'] as const);
  const fixed: SchedulePlan = { kind: 'fixed_amount', sell: 'USD', buy: 'CHF', startedBy: startedBy() };
  const sweep: SchedulePlan = { kind: 'sweep', sell: 'NZD', buy: 'HKD', startedBy: startedBy() };
  return [fixed, sweep, ...(happens(random, 0.5) ? [{ ...sweep, startedBy: startedBy() }] : [])];
}

/** Half of the orders have a payment of exactly their total beside them. */
function ordersOf(random: SeededRandom): { orders: OrderPlan[]; payments: string[] } {
  const first = random.between(0, 40);
  const plans = BUY_CURRENCIES.slice(0, random.between(2, BUY_CURRENCIES.length)).map((buyCurrency, index) => ({
    ...{ buyCurrency, amount: equalTotals(first + index).conversion, isLarge: happens(random, 0.3) },
    payment: happens(random, 0.5) || index === 0 ? equalTotals(first + index).payment : '150.00',
  }));
  const orders = plans.map(({ buyCurrency, amount, isLarge }) => ({
    ...{ buyCurrency, isLarge },
    amount: isLarge ? `${Number(amount) + 2_000}0` : amount,
  }));
  return { orders, payments: plans.map(({ payment }) => payment) };
}

/** The n-th scenario of a seed, from 1, by each class in turn. The same seed and number give the same scenario. */
export function randomTreasury(seed: number, number: number): TreasuryScenario {
  const random = new SeededRandom(`treasury/${seed}/${number}`);
  const classes = Object.entries(CLASSES);
  // Also runs of one scenario of each of several seeds have all classes.
  const entry = classes[(seed + number - 2) % classes.length];
  if (entry === undefined) throw new Error('there are no classes of scenarios');
  const [about, partsOf] = entry;
  return {
    seed: seed * SCENARIOS_OF_A_SEED + number,
    about,
    ...ordersOf(random),
    schedules: schedulesOf(random),
    fundings: Array.from({ length: random.between(0, 2) }, (_, index) => `${500 + 100 * index}.00`),
    refund: happens(random, 0.3),
    balance: null,
    workers: happens(random, 0.3) ? 2 : 1,
    faults: [],
    disruptions: [],
    ...partsOf(random),
  };
}
