import type { FaultSuite } from '../fault-suite.ts';
import { CHOSEN_TREASURY } from './chosen-treasury.ts';
import { randomTreasury } from './random-treasury.ts';
import { runTreasury } from './run-treasury.ts';
import { describeTreasury, type TreasuryScenario } from './treasury-scenario.ts';

export const TREASURY_SUITE: FaultSuite<TreasuryScenario> = {
  standard: 60,
  random: randomTreasury,
  chosen: CHOSEN_TREASURY,
  describe: describeTreasury,
  play: runTreasury,
  counts: { paidTwice: 'paidTwice', lost: 'lost', disagreements: 'disagreement', unknown: 'unknown' },
};
