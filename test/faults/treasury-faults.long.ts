import { afterAll, describe, expect, test } from 'vitest';
import { openStackPool } from './stack-pool.ts';
import { CHOSEN_TREASURY } from './treasury/chosen-treasury.ts';
import { runTreasury } from './treasury/run-treasury.ts';

/** Scenarios mostly wait, so several run at a time. */
const STACKS = 2;

const pool = openStackPool(STACKS, runTreasury);
afterAll(() => pool.stop());

describe.concurrent('nothing is converted or paid twice, nothing is lost, and all records agree, with', () => {
  test.for(CHOSEN_TREASURY)('$about', async (scenario, { skip }) => {
    const outcome = await pool.run(scenario);
    if (outcome.kind === 'skipped') skip(outcome.why);
    // A scenario proves nothing when a part of it did not happen.
    expect(outcome).toMatchObject({ kind: 'passed', missed: [] });
  });
});
