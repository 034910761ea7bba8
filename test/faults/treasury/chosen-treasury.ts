import type { TreasuryScenario } from './treasury-scenario.ts';
import { equalTotals } from './treasury-scenario.ts';

/** Written scenarios of the treasury, and every one that once failed. */

const [first, second] = [equalTotals(0), equalTotals(1)];

const USUAL: Omit<TreasuryScenario, 'seed' | 'about'> = {
  orders: [
    { buyCurrency: 'EUR', amount: first.conversion, isLarge: false },
    { buyCurrency: 'GBP', amount: second.conversion, isLarge: false },
  ],
  schedules: [
    { kind: 'fixed_amount', sell: 'USD', buy: 'CHF', startedBy: 'time' },
    { kind: 'sweep', sell: 'NZD', buy: 'HKD', startedBy: 'person' },
    { kind: 'sweep', sell: 'NZD', buy: 'HKD', startedBy: 'person' },
  ],
  // No debit of a payment equals that of an order: else the history cannot prove that an order was not funded, and after a day it is
  // for people to say.
  payments: [equalTotals(2).payment, equalTotals(3).payment],
  fundings: ['500.00'],
  refund: false,
  balance: null,
  workers: 1,
  faults: [],
  disruptions: [],
};

export const CHOSEN_TREASURY: readonly TreasuryScenario[] = [
  {
    ...USUAL,
    seed: 1,
    about: 'a worker killed when a conversion was funded, and lost answers to fundings',
    faults: [{ operation: 'conversion-fund', kind: 'reset_after', nth: 2 }],
    disruptions: [
      {
        trigger: { on: 'request', operation: 'conversion-fund', nth: 1, phase: 'processed' },
        action: { kind: 'kill', services: ['worker'] },
      },
    ],
  },
  {
    ...USUAL,
    seed: 2,
    about: 'a funding that had no effect, and a payment that comes back',
    refund: true,
    faults: [{ operation: 'conversion-fund', kind: 'reset_before', nth: 1 }],
  },
  {
    ...USUAL,
    seed: 3,
    about: 'everything killed when a conversion was created',
    disruptions: [
      {
        trigger: { on: 'request', operation: 'conversion-create', nth: 1, phase: 'processed' },
        action: { kind: 'kill', services: ['worker', 'server', 'temporal', 'postgres'] },
      },
    ],
  },
];
