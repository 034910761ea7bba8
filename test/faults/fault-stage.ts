import { type FaultStack, startFaultStack } from './fault-stack.ts';
import { type Outcome, runScenario } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';

/** Stacks that play scenarios side by side: most of a scenario is waiting. */
export interface FaultStage {
  /** Plays a scenario as soon as a stack is free. A stack on which one failed is not used again. */
  play(scenario: Scenario): Promise<Outcome>;
  stop(): Promise<void>;
}

/** `keepFailed` is told of the folder of a stack on which a scenario failed, whose logs are then kept. */
export function openFaultStage(stacks: number, keepFailed?: (home: string) => void): FaultStage {
  const idle: Promise<FaultStack>[] = [];
  const all = new Set<Promise<FaultStack>>();
  const waiting: (() => void)[] = [];
  let free = stacks;

  // One at a time: all at once they could keep each other from being ready in time.
  let lastStart: Promise<unknown> = Promise.resolve();
  const startNext = (): Promise<FaultStack> => {
    const starting = lastStart.then(() => startFaultStack()).catch(() => startFaultStack());
    lastStart = starting.catch(() => undefined);
    return starting;
  };
  const untilFree = async (): Promise<void> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
  };
  const giveBack = (): void => {
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
  const playOn = async (starting: Promise<FaultStack>, scenario: Scenario): Promise<Outcome> => {
    try {
      return await runScenario(await starting, scenario);
    } catch (error) {
      const what = `it could not be played: ${error instanceof Error ? error.message : String(error)}`;
      return { kind: 'failed', findings: [{ kind: 'disagreement', what }] };
    }
  };

  return {
    play: async (scenario) => {
      await untilFree();
      const starting = idle.pop() ?? startNext();
      all.add(starting);
      const outcome = await playOn(starting, scenario);
      if (outcome.kind === 'failed') await discard(starting);
      else idle.push(starting);
      giveBack();
      return outcome;
    },
    stop: async () => {
      const stopping = [...all].map(async (starting) => (await starting.catch(() => null))?.stop());
      all.clear();
      await Promise.all(stopping);
    },
  };
}
