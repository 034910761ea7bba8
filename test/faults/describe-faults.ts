import { afterAll, describe, expect, test } from 'vitest';
import type { FaultStack } from './fault-stack.ts';
import type { Outcome } from './outcome.ts';
import { openStackPool } from './stack-pool.ts';

/**
 * A test for each scenario: `play` runs it, and its outcome is expected to be good, with nothing missed. Scenarios mostly
 * wait, so `stacks` of them run at a time.
 */
export function describeFaults<Scenario extends { about: string }>(
  title: string,
  scenarios: readonly Scenario[],
  play: (stack: FaultStack, scenario: Scenario) => Promise<Outcome>,
  stacks: number,
): void {
  const pool = openStackPool(stacks, play);
  afterAll(() => pool.stop());

  describe.concurrent(title, () => {
    test.for([...scenarios])('$about', async (scenario, { skip }) => {
      const outcome = await pool.run(scenario);
      if (outcome.kind === 'skipped') skip(outcome.why);
      expect(outcome.kind === 'failed' ? outcome.findings : []).toEqual([]);
      // A scenario proves nothing when a part of it did not happen.
      expect(outcome).toMatchObject({ kind: 'passed', missed: [] });
    });
  });
}
