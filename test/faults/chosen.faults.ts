import { afterAll, describe, expect, test } from 'vitest';
import { TESTED_SCENARIOS } from './chosen-scenarios.ts';
import { runScenario } from './run-scenario.ts';
import { openStackPool } from './stack-pool.ts';

/** Scenarios mostly wait, so several run at a time. */
const STACKS = 4;

const pool = openStackPool(STACKS, runScenario);
afterAll(() => pool.stop());

describe.concurrent('no row is paid twice, none is lost, and all records agree, with', () => {
  test.for(TESTED_SCENARIOS)('$about', async (scenario, { skip }) => {
    const outcome = await pool.run(scenario);
    if (outcome.kind === 'skipped') skip(outcome.why);
    // A scenario proves nothing when a part of it did not happen.
    expect(outcome).toEqual({ kind: 'passed', missed: [] });
  });
});
