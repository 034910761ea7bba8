import { afterAll, expect, test } from 'vitest';
import { openStackPool } from './stack-pool.ts';
import { TESTED_TREASURY } from './treasury/chosen-treasury.ts';
import { runTreasury } from './treasury/run-treasury.ts';

const pool = openStackPool(1, runTreasury);
afterAll(() => pool.stop());

test.for(TESTED_TREASURY)(
  'every order is bought once, nothing is overspent, and all records agree, with $about',
  async (scenario, { skip }) => {
    const outcome = await pool.run(scenario);
    if (outcome.kind === 'skipped') skip(outcome.why);
    // A scenario proves nothing when a part of it did not happen.
    expect(outcome).toMatchObject({ kind: 'passed', missed: [] });
  },
);
