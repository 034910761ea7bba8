import type { FaultSpec } from '../../../sandbox/faults/faults.ts';
import { type Action, describeDisruption, describeFault, type Trigger } from '../scenario.ts';

export interface OrderPlan {
  buyCurrency: string;
  /** USD. */
  amount: string;
  /** Above what the policy allows without an approval. */
  isLarge: boolean;
}

export interface SchedulePlan {
  kind: 'fixed_amount' | 'sweep';
  sell: string;
  buy: string;
  /** Temporal starts it at its time, twice; or a person does, twice under one key. */
  startedBy: 'time' | 'person';
}

export interface TreasuryDisruption {
  /** `submitted`: when everything is begun. */
  trigger: Extract<Trigger, { on: 'submitted' | 'request' }>;
  action: Action;
}

/** Conversions, schedules, payments and money that comes in, at the same time, with everything that goes wrong. */
export interface TreasuryScenario {
  seed: number;
  /** Its title. */
  about: string;
  orders: readonly OrderPlan[];
  schedules: readonly SchedulePlan[];
  /** Rows of a run, in USD. */
  payments: readonly string[];
  /** Fundings of USD that come in meanwhile; the first payment comes back after the end. */
  fundings: readonly string[];
  refund: boolean;
  /** What is there of USD at the beginning; null: enough. The rest comes when the orders have ended. */
  balance: string | null;
  workers: 1 | 2;
  faults: readonly FaultSpec[];
  disruptions: readonly TreasuryDisruption[];
}

/** A payment and a conversion whose totals with fees are equal: 1,004.00 for the first. */
export const equalTotals = (n: number) => ({ payment: `${1000 + 4 * n}.00`, conversion: `${1001 + 4 * n}.50` });

/** The scenario as a few lines of text. */
export function describeTreasury(scenario: TreasuryScenario): string {
  const { orders, schedules, payments, fundings, balance } = scenario;
  return [
    `${scenario.about} (seed ${scenario.seed})`,
    `  orders: ${orders.map(({ buyCurrency, amount, isLarge }) => `${amount}/${buyCurrency}${isLarge ? '!' : ''}`).join(' ')}`,
    `  schedules: ${schedules.map(({ kind, sell, buy, startedBy }) => `${kind}/${sell}/${buy}/${startedBy}`).join(' ')}`,
    `  payments: ${payments.join(' ')}; fundings: ${fundings.join(' ')}; refund: ${String(scenario.refund)}`,
    `  workers: ${scenario.workers}; USD at first: ${balance ?? 'enough'}`,
    ...scenario.faults.map((fault) => `  fault: ${describeFault(fault)}`),
    ...scenario.disruptions.map((disruption) => `  ${describeDisruption(disruption)}`),
  ].join('\n');
}
