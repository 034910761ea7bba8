import { afterAll, describe, expect, test } from 'vitest';
import { TESTED_ONBOARDING } from './onboarding/chosen-onboarding.ts';
import { runOnboarding } from './onboarding/run-onboarding.ts';
import { openStackPool } from './stack-pool.ts';

/** Scenarios mostly wait, so several run at a time. */
const STACKS = 2;

const pool = openStackPool(STACKS, runOnboarding);
afterAll(() => pool.stop());

describe.concurrent('nobody is signed up twice, nobody is lost, and all records agree, with', () => {
  test.for(TESTED_ONBOARDING)('$about', async (scenario, { skip }) => {
    const outcome = await pool.run(scenario);
    if (outcome.kind === 'skipped') skip(outcome.why);
    // A scenario proves nothing when a part of it did not happen.
    expect(outcome).toMatchObject({ kind: 'passed', missed: [] });
  });
});
