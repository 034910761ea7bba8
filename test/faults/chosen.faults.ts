import { afterAll, describe, expect, test } from 'vitest';
import { TESTED_SCENARIOS } from './chosen-scenarios.ts';
import { openFaultStage } from './fault-stage.ts';

/** Scenarios wait more than they work, so several are played at a time. */
const STACKS = 4;

const stage = openFaultStage(STACKS);
afterAll(() => stage.stop());

describe.concurrent('no row is paid twice and none is lost, and all who know of it agree, with', () => {
  test.for(TESTED_SCENARIOS)('$about', async (scenario, { skip }) => {
    const outcome = await stage.play(scenario);
    if (outcome.kind === 'skipped') skip(outcome.why);
    // A scenario of which a part never came has shown nothing.
    expect(outcome).toEqual({ kind: 'passed', missed: [] });
  });
});
