import type { ApplicationDependencies } from './application-dependencies.ts';

type Chore = (dependencies: ApplicationDependencies) => Promise<void>;

/** The chore, for a server that calls it more often than it is needed. One that failed is done again at the next call. */
export function atMostEvery(everyMs: number, chore: Chore): Chore {
  let lastMs = Number.NEGATIVE_INFINITY;
  return async (dependencies) => {
    const startedMs = dependencies.now();
    if (startedMs - lastMs < everyMs) return;
    await chore(dependencies);
    lastMs = startedMs;
  };
}
