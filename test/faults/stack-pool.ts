import { type FaultStack, startFaultStack } from './fault-stack.ts';
import type { Outcome } from './outcome.ts';

/** Stacks that run scenarios in parallel. A scenario mostly waits, so several fit on one machine. */
export interface StackPool<Scenario> {
  /** Runs a scenario as soon as a stack is free. A stack on which a scenario failed is not used again. */
  run(scenario: Scenario): Promise<Outcome>;
  stop(): Promise<void>;
}

/**
 * `play` runs a scenario on a stack. With `keepFailed`, the folder of a stack on which a scenario failed is kept for its
 * logs, and passed to it.
 */
export function openStackPool<Scenario>(
  stacks: number,
  play: (stack: FaultStack, scenario: Scenario) => Promise<Outcome>,
  keepFailed?: (home: string) => void,
): StackPool<Scenario> {
  const idle: Promise<FaultStack>[] = [];
  const all = new Set<Promise<FaultStack>>();
  const waiting: (() => void)[] = [];
  let free = stacks;

  // One at a time: stacks that start together can slow each other down until a start times out.
  let lastStart: Promise<unknown> = Promise.resolve();
  const startNext = (): Promise<FaultStack> => {
    const starting = lastStart.then(() => startFaultStack()).catch(() => startFaultStack());
    lastStart = starting.catch(() => undefined);
    return starting;
  };
  const acquire = async (): Promise<void> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
  };
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const discard = async (starting: Promise<FaultStack>): Promise<void> => {
    all.delete(starting);
    const stack = await starting.catch(() => null);
    if (stack === null) return;
    keepFailed?.(stack.home);
    await stack.stop(keepFailed !== undefined);
  };
  const runOn = async (starting: Promise<FaultStack>, scenario: Scenario): Promise<Outcome> => {
    try {
      return await play(await starting, scenario);
    } catch (error) {
      const what = `the scenario could not be run: ${error instanceof Error ? error.message : String(error)}`;
      return { kind: 'failed', findings: [{ kind: 'disagreement', what }] };
    }
  };

  return {
    run: async (scenario) => {
      await acquire();
      const starting = idle.pop() ?? startNext();
      all.add(starting);
      const outcome = await runOn(starting, scenario);
      if (outcome.kind === 'failed') await discard(starting);
      else idle.push(starting);
      release();
      return outcome;
    },
    stop: async () => {
      const stopping = [...all].map(async (starting) => (await starting.catch(() => null))?.stop());
      all.clear();
      await Promise.all(stopping);
    },
  };
}
