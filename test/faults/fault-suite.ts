import { CHOSEN_SCENARIOS } from './chosen-scenarios.ts';
import type { FaultStack } from './fault-stack.ts';
import type { Finding, Outcome } from './outcome.ts';
import { randomScenario } from './random-scenario.ts';
import { runScenario } from './run-scenario.ts';
import { describeScenario, type Scenario } from './scenario.ts';

/** Scenarios of one kind, and how they are played. */
export interface FaultSuite<S extends { about: string }> {
  /** How many random scenarios a standard run has. */
  standard: number;
  /** The n-th random scenario of a seed, from 1. */
  random(seed: number, number: number): S;
  chosen: readonly S[];
  /** A scenario as a few lines of text. */
  describe(scenario: S): string;
  play(stack: FaultStack, scenario: S): Promise<Outcome>;
  /** The counts of the report, each with the kind of findings that it counts. */
  counts: Readonly<Record<string, Finding['kind']>>;
}

export const PAYMENT_SUITE: FaultSuite<Scenario> = {
  standard: 300,
  random: randomScenario,
  chosen: CHOSEN_SCENARIOS,
  describe: describeScenario,
  play: runScenario,
  counts: { paidTwice: 'paidTwice', lost: 'lost', disagreements: 'disagreement', unknown: 'unknown' },
};
